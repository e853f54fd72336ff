import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct TermDictionaryTests {
  @Test(arguments: Seed.all(30))
  func lookupsAgreeWithTheListOfWords(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let words = RandomWords.distinct(count: 200, using: &generator)
    let dictionary = RandomWords.dictionary(words)
    expectEqual(dictionary.count, words.count)
    for (number, word) in words.enumerated() {
      expectEqual(dictionary.word(of: number), word)
      expectEqual(dictionary.term(Array(word.utf8)), number)
    }
    for _ in 0..<100 {
      let probe = RandomWords.word(using: &generator)
      expectEqual(dictionary.term(Array(probe.utf8)), words.firstIndex(of: probe))
      let expected = words.indices.filter {
        words[$0].unicodeScalars.starts(with: probe.unicodeScalars)
      }
      expectEqual(
        Array(dictionary.terms(withPrefix: Array(probe.utf8))), expected,
        "seed \(seed.value) \(probe)")
    }
  }

  /// Beginnings that are not words are known up to six characters. Longer ones may be words.
  @Test(arguments: Seed.all(30))
  func beginningsThatAreWordsAreKnown(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let words = RandomWords.distinct(count: 200, using: &generator)
    let dictionary = RandomWords.dictionary(words)
    for _ in 0..<100 {
      let text = Array(
        (words.randomElement(using: &generator) ?? "").unicodeScalars
          + RandomWords.word(using: &generator).unicodeScalars)
      let mayBegin = dictionary.mayBegin(text.map(\.value), upTo: text.count)
      expectEqual(mayBegin.count, text.count)
      for length in 1...text.count {
        let beginning = String(String.UnicodeScalarView(text.prefix(length)))
        let isWord = words.contains(beginning)
        if length <= 6 {
          expectEqual(mayBegin[length - 1], isWord, "seed \(seed.value): \(beginning)")
        } else if isWord {
          #expect(mayBegin[length - 1], "seed \(seed.value): \(beginning)")
        }
      }
    }
  }

  @Test func anEmptyDictionaryFindsNothing() {
    let dictionary = TermDictionary(bytes: [], offsets: [])
    #expect(dictionary.term([97]) == nil)
    #expect(dictionary.terms(withPrefix: [97]).isEmpty)
    #expect(dictionary.terms(withPrefix: []).isEmpty)
  }
}

/// Seeded words over a small alphabet, so that many are similar.
enum RandomWords {
  static func word(using generator: inout SeededGenerator) -> String {
    let alphabet = Array("abcé東")
    let length = Int.random(in: 1...7, using: &generator)
    return String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
  }

  /// Distinct words in ascending byte order.
  static func distinct(count: Int, using generator: inout SeededGenerator) -> [String] {
    let words = Set((0..<count).map { _ in word(using: &generator) })
    return words.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  static func dictionary(_ words: [String]) -> TermDictionary {
    var offsets = [0]
    for word in words { offsets.append((offsets.last ?? 0) + word.utf8.count) }
    return TermDictionary(bytes: words.flatMap { Array($0.utf8) }, offsets: offsets)
  }
}
