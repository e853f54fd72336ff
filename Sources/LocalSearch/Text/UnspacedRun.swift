import InstantSearchAPI

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

  /// Adds the words that a segmenter found. A range that divides a character includes it, and a
  /// range before the end of the one before is left out.
  func addWords(_ ranges: [Range<Int>], to buffer: inout TokenBuffer, _ group: Int) {
    var first = 0
    for range in ranges {
      while first < count, sources[first + 1] <= range.lowerBound { first += 1 }
      var end = first
      while end < count, sources[end] < range.upperBound { end += 1 }
      guard end > first, sources[first] <= range.lowerBound else { continue }
      buffer.append(
        TokenBuffer.Item(
          word: starts[first]..<starts[end], source: sources[first]..<sources[end],
          position: buffer.positionCount, length: end - first, joinedParts: 0, group: group))
      first = end
    }
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

extension WordSegmenter {
  /// Returns the ranges of the words of a text, in bytes.
  func ranges(in text: [UInt8], language: Language?) -> [Range<Int>] {
    let string = String(decoding: text, as: UTF8.self)
    func offset(_ index: String.Index) -> Int {
      string.utf8.distance(from: string.startIndex, to: min(index, string.endIndex))
    }
    return words(in: string, language: language).map {
      offset($0.lowerBound)..<offset($0.upperBound)
    }
  }
}
