import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct TypoSearchTests {
  @Test(arguments: Seed.all(20))
  func distancesAgreeWithTheFullMatrix(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    for _ in 0..<60 {
      let left = scalars(RandomWords.word(using: &generator))
      let right = scalars(RandomWords.word(using: &generator))
      for limit in 0...2 {
        let automaton = LevenshteinAutomaton(word: left, limit: limit)
        let state = right.reduce(automaton.state) {
          automaton.state(after: $0, automaton.mask(of: $1))
        }
        let expected = DamerauLevenshtein.distance(left, right)
        expectEqual(
          automaton.distance(in: state), min(expected, limit + 1),
          "seed \(seed.value): \(left) \(right) limit \(limit)")
      }
    }
  }

  @Test(arguments: [
    ("michael", "tichael", 2), ("michael", "tickael", 3), ("ca", "abc", 3), ("abcd", "acbd", 1),
    ("abcdefgh", "abcdefgh", 0), ("abcd", "abxd", 1), ("abcd", "abd", 1), ("abcd", "abccd", 1),
  ])
  func costsCountAFirstLetterTwice(query: String, word: String, expected: Int) {
    let match = WordComparison.match(
      scalars(query), maximumTypos: 2, matchesPrefixes: false, with: scalars(word))
    expectEqual(match?.typos, expected)
  }

  @Test func aFirstLetterMayNotBeWrongWithOneTypoAllowed() {
    #expect(
      WordComparison.match(
        scalars("black"), maximumTypos: 1, matchesPrefixes: false, with: scalars("dlack")) == nil)
  }

  @Test(arguments: [
    ("clo", 0, "clooney", 0, 3), ("action", 0, "actiontec", 0, 6), ("blacc", 1, "black", 1, 5),
    ("blacc", 1, "blackbird", 1, 5), ("blac", 1, "black", 0, 4), ("black", 1, "black", 0, 5),
    ("georeg", 1, "georges", 1, 6),
  ])
  func prefixesMatchAtTheirBestLength(
    query: String, maximumTypos: Int, word: String, typos: Int, length: Int
  ) {
    let match = WordComparison.match(
      scalars(query), maximumTypos: maximumTypos, matchesPrefixes: true, with: scalars(word))
    expectEqual(match, WordComparison.Match(typos: typos, length: length))
  }

  @Test(arguments: [(59, [1]), (60, [1]), (61, [])])
  func wordsUpToTheMaximumLengthHaveTypos(length: Int, typos: [Int]) throws {
    let word = String(repeating: "a", count: length - 1)
    let found = try TypoSearch.words(
      near: scalars(word + "b"), maximumTypos: 1, matchesPrefixes: false,
      in: RandomWords.dictionary([word + "c"]), CancellationCheck())
    expectEqual(found.map(\.typos), typos)
  }

  @Test(arguments: [false, true], Seed.all(12))
  func walkingTheDictionaryAgreesWithComparingEveryWord(
    matchesPrefixes: Bool, seed: Seed
  ) throws {
    var generator = SeededGenerator(seed: seed.value)
    let words = RandomWords.distinct(count: 150, using: &generator)
    let dictionary = RandomWords.dictionary(words)
    for _ in 0..<6 {
      let query = scalars(RandomWords.word(using: &generator))
      for maximumTypos in 0...2 {
        var expected: [Int: Int] = [:]
        for (term, word) in words.enumerated() {
          expected[term] = reference(query, scalars(word), maximumTypos, matchesPrefixes)
        }
        var found: [Int: Int] = [:]
        var last = 0
        for match in try TypoSearch.words(
          near: query, maximumTypos: maximumTypos, matchesPrefixes: matchesPrefixes,
          in: dictionary,
          CancellationCheck())
        {
          #expect(match.typos >= last)
          last = match.typos
          for term in match.terms {
            #expect(found[term] == nil)
            found[term] = match.typos
          }
        }
        expectEqual(
          found, expected,
          "seed \(seed.value), query \(query), maximumTypos \(maximumTypos)")
      }
    }
  }

  /// The cost by comparing whole words or all prefixes with the full matrix.
  private func reference(
    _ query: [UInt32], _ word: [UInt32], _ maximumTypos: Int, _ matchesPrefixes: Bool
  ) -> Int? {
    DamerauLevenshtein.cost(
      query, word, maximumTypos: maximumTypos, matchesPrefixes: matchesPrefixes)
  }
}

private func scalars(_ word: String) -> [UInt32] { word.unicodeScalars.map(\.value) }
