import TypesenseTransport

/// Why a record is found by one engine and not by the other, for queries with typos.
enum TypoCause: String, CaseIterable {
  case firstLetter = "a typo in the first letter, which counts as two in the contract"
  case swap = "two swapped letters, which are two typos on the server"
  case together = "words that are written together or apart"
  case bytes = "letters beyond ASCII, whose bytes are counted by the server"
  case prefix = "a typo within a prefix"
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

  /// The distance of two words.
  ///
  /// - Parameters:
  ///   - isPrefix: Whether the second word can go on.
  ///   - swaps: Whether two swapped letters are one typo.
  private static func distance(
    _ word: [Character], _ other: [Character], isPrefix: Bool, swaps: Bool
  ) -> Int {
    var rows = [Array(0...other.count)]
    for row in 1..<(word.count + 1) {
      var current = [row] + Array(repeating: 0, count: other.count)
      for column in 1..<(other.count + 1) {
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
    return isPrefix ? rows[word.count].min() ?? 0 : rows[word.count][other.count]
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
      func near(isPrefix: Bool, swaps: Bool) -> [[Character]] {
        found.filter {
          !$0.isEmpty && distance(word, $0, isPrefix: isPrefix, swaps: swaps) <= budget
        }
      }
      let (whole, swapped) = (
        near(isPrefix: isLast, swaps: false), near(isPrefix: isLast, swaps: true)
      )
      if isOnServer, !swapped.isEmpty, swapped.allSatisfy({ $0[0] != word[0] }) {
        return .firstLetter
      }
      if !isOnServer, whole.isEmpty, !swapped.isEmpty { return .swap }
      if !isOnServer, swapped.isEmpty { return .together }
      if (swapped + [word]).allSatisfy({ $0.contains { !$0.isASCII } }) { return .bytes }
      if isLast, near(isPrefix: false, swaps: true).isEmpty, !swapped.isEmpty { return .prefix }
    }
    return .unknown
  }
}
