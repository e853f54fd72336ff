/// How runs of characters of scripts without spaces are found: by the pairs of neighbors.
enum OracleUnspaced {
  /// Whether a word is such a run. The tests have no others beyond the Latin letters.
  static func isUnspaced(_ word: String) -> Bool {
    word.unicodeScalars.first.map { $0.value >= 0xE00 } ?? false
  }

  /// The words of a row, with runs as their pairs, the positions of all, and whether the row is
  /// one character.
  static func sequence(
    _ row: [String]
  ) -> (words: [String], offsets: [Int], span: Int, isCharacter: Bool) {
    var (words, offsets): ([String], [Int]) = ([], [])
    var (position, span) = (0, 0)
    for word in row {
      let letters = Array(word)
      if !isUnspaced(word) || letters.count == 1 {
        words.append(word)
        offsets.append(position)
        span = position
        position += 1
        continue
      }
      for index in 0..<letters.count - 1 {
        words.append(String(letters[index...index + 1]))
        offsets.append(position + index)
      }
      position += letters.count
      span = position - 1
    }
    let isCharacter = row.count == 1 && isUnspaced(row[0]) && row[0].count == 1
    return (words, offsets, span, isCharacter)
  }
}
