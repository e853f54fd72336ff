import TypesenseTransport

/// Why a record is found by one engine and not by the other, for queries with typos.
enum TypoCause: String, CaseIterable {
  case firstLetter = "a typo in the first letter, which counts as two in the contract"
  case swap = "the first two letters swapped, which are two typos on the server"
  case together = "words that are written together or apart"
  case bytes = "letters beyond ASCII, whose bytes are counted by the server"
  case longer = "a word that begins like the query's, where that has letters too many"
  case shift = "a missing or an extra letter, after which the server gives up a word too early"
  case several = "several words, each of which the server finds alone"
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

  /// The distances of the beginnings of two words.
  private struct Distances {
    private var rows: [[Int]]

    /// - Parameter isServer: Whether two letters that are swapped at the beginning are two typos.
    init(_ word: [Character], _ other: [Character], isServer: Bool) {
      rows = [Array(0...other.count)]
      for row in 1..<(word.count + 1) {
        var current = [row] + Array(repeating: 0, count: other.count)
        for column in 1..<(other.count + 1) {
          let isSame = word[row - 1] == other[column - 1]
          var best = min(
            rows[row - 1][column] + 1, current[column - 1] + 1,
            rows[row - 1][column - 1] + (isSame ? 0 : 1))
          if row > 1, column > 1, word[row - 1] == other[column - 2],
            word[row - 2] == other[column - 1], !isServer || max(row, column) > 2
          {
            best = min(best, rows[row - 2][column - 2] + 1)
          }
          current[column] = best
        }
        rows.append(current)
      }
    }

    /// The distance from the beginning of the second word that it compares.
    func distance(_ extent: Extent) -> Int {
      let last = rows[rows.count - 1]
      let ends =
        switch extent {
        case .whole: last.suffix(1)
        case .prefix: last[...]
        case .longPrefix: last.dropFirst(min(rows.count - 1, last.count - 1))
        }
      return ends.min() ?? 0
    }

    /// The largest distance of two beginnings of the same length. The server gives a word up at
    /// one that is larger than the distance that it looks for.
    var largest: Int { (0..<min(rows.count, rows[0].count)).map { rows[$0][$0] }.max() ?? 0 }
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
      func near(_ extent: Extent, isServer: Bool) -> [[Character]] {
        found.filter {
          !$0.isEmpty
            && Distances(word, $0, isServer: isServer).distance(isLast ? extent : .whole) <= budget
        }
      }
      let wanted = near(.prefix, isServer: false)
      if isOnServer {
        if !wanted.isEmpty, wanted.allSatisfy({ $0[0] != word[0] }) { return .firstLetter }
        continue
      }
      if wanted.isEmpty { return .together }
      if near(.prefix, isServer: true).isEmpty { return .swap }
      let possible = near(.longPrefix, isServer: true)
      if possible.isEmpty { return .longer }
      let isGivenUp = possible.allSatisfy {
        let distances = Distances(word, $0, isServer: true)
        return distances.largest > distances.distance(isLast ? .longPrefix : .whole)
      }
      if isGivenUp { return .shift }
      if (wanted + [word]).allSatisfy({ $0.contains { !$0.isASCII } }) { return .bytes }
    }
    return .unknown
  }
}
