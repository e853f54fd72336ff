import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchJSON
import LocalSearch
import TestSupport
import Testing

/// Phrases of few different words in texts of few different words, against their definition.
struct SequenceSearchTests {
  @Test(arguments: Seed.all(30))
  func phrasesAreFoundWhereTheirWordsFollowEachOther(seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    let letters = ["a", "b", "c"].prefix(Int.random(in: 1...3, using: &generator))
    func words(_ counts: ClosedRange<Int>) -> [String] {
      let count = Int.random(in: counts, using: &generator)
      // Long runs of one word, so that long phrases are found.
      return (0..<count).map { _ in
        Int.random(in: 0..<20, using: &generator) == 0 ? letters.last! : letters.first!
      }
    }
    let texts = (0..<12).map { _ in
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in words(1...300) }
    }
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying(
      texts.enumerated().map { number, texts in
        let values: [JSON] = texts.map { .string($0.joined(separator: " ")) }
        let record: JSON = [
          "objectID": .string("\(number)"), "first": values[0],
          "rest": .array(Array(values.dropFirst())),
        ]
        return .put(objectID: "\(number)", record: Array(record.text.utf8))
      })
    for _ in 0..<10 {
      let phrase = words(1...200)
      var query = SearchQuery("\"\(phrase.joined(separator: " "))\"")
      query.advancedSyntax = true
      query.hitsPerPage = 100
      let expected = texts.indices.filter {
        texts[$0].contains { $0.firstRange(of: phrase) != nil }
      }
      expectEqual(
        try EngineSearch.objectIDs(query, in: snapshot).sorted(),
        expected.map(String.init).sorted(),
        "seed \(seed.value): \(phrase)")
    }
  }
}
