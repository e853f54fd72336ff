/// A run of characters of a script without spaces between words: Han, Kana, Hangul, Thai, Lao or
/// Khmer.
///
/// Its words are the pairs of neighbors and its last character, at the positions of their first
/// characters: `東京都` has `東京`, `京都` and `都`. So a text that contains a run contains its pairs
/// one after the other, and a text that contains a character has a word that begins with it.
struct UnspacedRun {
  /// Where the characters begin in the normalized text, and where the last one ends.
  private var starts: [Int] = []
  /// Where they begin in the text, and where the last one ends.
  private var sources: [Int] = []
  private var isEnded = false

  /// The number of characters.
  var count: Int { starts.count - (isEnded ? 1 : 0) }
  /// The start of the last character.
  var lastStart: Int? { starts.last }

  /// Adds a character.
  mutating func append(start: Int, source: Int) {
    starts.append(start)
    sources.append(source)
  }

  /// Ends the last character.
  mutating func end(at start: Int, source: Int) {
    append(start: start, source: source)
    isEnded = true
  }

  /// Adds the words to a buffer.
  func addWords(to buffer: inout TokenBuffer, group: Int) {
    for index in 0..<count {
      let end = min(index + 2, count)
      buffer.append(
        TokenBuffer.Item(
          unspaced: starts[index]..<starts[end], source: sources[index]..<sources[end],
          position: buffer.positionCount, length: end - index, group: group))
    }
  }
}
