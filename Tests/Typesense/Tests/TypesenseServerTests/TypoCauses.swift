import TypesenseTransport

/// Why a record is found by one engine and not by the other, for queries with typos.
enum TypoCause: String, CaseIterable {
  case firstLetter = "a typo in the first letter, which counts as two in the contract"
  case swap = "two swapped letters, which are two typos on the server"
  case beginning = "a missing or an extra letter among the first two, not found by the server"
  case together = "words that are written together or apart"
  case bytes = "letters beyond ASCII, whose bytes are counted by the server"
  case longer = "a word that begins like the query's, where that has letters too many"
  case unknown = "unknown"

  /// The words of texts, in lowercase.
  private static func words(of value: JSON) -> [[Character]] {
    switch value {
    case .string(let text):
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(Array.init)
    case .array(let values): values.flatMap(words(of:))
    case .object(let members): members.flatMap { words(of: $0.value) }
    default: []
    }
  }

  /// How far the second word of two is compared.
  private enum Extent {
    /// To its end.
    case whole
    /// To the best place.
    case prefix
    /// To its end, or to the best place that is not before the end of the first word.
    case longPrefix
  }

  /// The distance of two words.
  ///
  /// - Parameters:
  ///   - swaps: Whether two swapped letters are one typo.
  ///   - beginsAlike: Whether the first two letters are compared at their places.
  private static func distance(
    _ word: [Character], _ other: [Character], _ extent: Extent, swaps: Bool, beginsAlike: Bool
  ) -> Int {
    func isPossible(_ row: Int, _ column: Int) -> Bool {
      !beginsAlike || row == column || min(row, column) > 1
    }
    let far = word.count + other.count
    var rows = [(0...other.count).map { isPossible(0, $0) ? $0 : far }]
    for row in 1..<(word.count + 1) {
      var current = [isPossible(row, 0) ? row : far] + Array(repeating: far, count: other.count)
      for column in 1..<(other.count + 1) where isPossible(row, column) {
        let isSame = word[row - 1] == other[column - 1]
        var best = min(
          rows[row - 1][column] + 1, current[column - 1] + 1,
          rows[row - 1][column - 1] + (isSame ? 0 : 1))
        if swaps, row > 1, column > 1, word[row - 1] == other[column - 2],
          word[row - 2] == other[column - 1]
        {
          best = min(best, rows[row - 2][column - 2] + 1)
        }
        current[column] = best
      }
      rows.append(current)
    }
    let last = rows[word.count]
    let ends =
      switch extent {
      case .whole: last.suffix(1)
      case .prefix: last[...]
      case .longPrefix: last.dropFirst(min(word.count, other.count))
      }
    return ends.min() ?? far
  }

  private static func budget(_ word: [Character]) -> Int {
    word.count < 4 ? 0 : word.count < 8 ? 1 : 2
  }

  /// Returns the cause.
  ///
  /// - Parameters:
  ///   - record: What only one engine found.
  ///   - isOnServer: Whether the server found it.
  static func of(_ query: String, _ record: JSON, isOnServer: Bool) -> TypoCause {
    let (asked, found) = (words(of: .string(query)), words(of: record))
    for (number, word) in asked.enumerated() where !word.isEmpty {
      let (isLast, budget) = (number == asked.count - 1, budget(word))
      func near(
        _ extent: Extent, swaps: Bool = false, beginsAlike: Bool = false
      ) -> [[Character]] {
        found.filter {
          !$0.isEmpty
            && distance(
              word, $0, isLast ? extent : .whole, swaps: swaps, beginsAlike: beginsAlike) <= budget
        }
      }
      let swapped = near(.prefix, swaps: true)
      if isOnServer {
        if !swapped.isEmpty, swapped.allSatisfy({ $0[0] != word[0] }) { return .firstLetter }
        continue
      }
      if swapped.isEmpty { return .together }
      if near(.prefix).isEmpty { return .swap }
      if near(.prefix, beginsAlike: true).isEmpty { return .beginning }
      if near(.longPrefix, beginsAlike: true).isEmpty { return .longer }
      if (swapped + [word]).allSatisfy({ $0.contains { !$0.isASCII } }) { return .bytes }
    }
    return .unknown
  }
}
