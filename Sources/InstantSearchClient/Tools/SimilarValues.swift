/// Values of a facet that are like a text.
enum SimilarValues {
  /// The most values that are returned.
  static let maximumCount = 10

  /// Returns the values that are like one of some texts, most alike first; the most frequent values
  /// if none is.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  static func of(_ texts: [String], among values: [FacetValue]) throws -> [FacetValue] {
    let texts = texts.map(words)
    var ranked: [(rank: Int, value: FacetValue)] = []
    for value in values {
      try Task.checkCancellation()
      let words = words(value.value)
      let best = texts.map { rank(of: words, like: $0) }.min() ?? notAlike
      if best < notAlike { ranked.append((best, value)) }
    }
    if ranked.isEmpty { return Array(values.prefix(maximumCount)) }
    // Stable, so equally similar values stay in the order of their counts.
    let order = ranked.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    return order.prefix(maximumCount).map(\.element.value)
  }

  private static let notAlike = 100
  /// The letters of a text that are compared.
  private static let maximumLength = 40

  /// How far a value is from a text: 0 for the same letters, more for one that contains the other,
  /// shares its words, or differs in some letters.
  private static func rank(of value: [String], like text: [String]) -> Int {
    if value == text { return 0 }
    if value.isEmpty || text.isEmpty { return notAlike }
    let (first, second) = (value.joined(), text.joined())
    if first == second { return 1 }
    if first.contains(second) || second.contains(first) { return 2 }
    let distance = changes(first, second)
    if distance <= max(1, min(first.count, second.count) / 3) { return 2 + distance }
    if !Set(value).isDisjoint(with: text) { return 20 }
    // One word begins like another: Sci-Fi and Science Fiction.
    for word in text where word.count >= 3 {
      if value.contains(where: { $0.hasPrefix(word) || word.hasPrefix($0) && $0.count >= 3 }) {
        return 30
      }
    }
    return notAlike
  }

  /// The words of the beginning of a text, in lower case.
  private static func words(_ text: String) -> [String] {
    let beginning = String(text.unicodeScalars.prefix(maximumLength))
    return beginning.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The number of letters to change, add or remove.
  private static func changes(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
