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
    var letters = Array(
      ["a", "b", "c"].shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
    if Int.random(in: 0..<3, using: &generator) == 0 { letters.insert("x", at: 0) }
    func words(_ counts: ClosedRange<Int>) -> [String] {
      let count = Int.random(in: counts, using: &generator)
      // Long runs of one word, so that long phrases are found, and rare words in long texts.
      return (0..<count).map { _ in
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: "x"
        case 1, 2: letters[letters.count - 1]
        case 3: letters[letters.count / 2]
        default: letters[0]
        }
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

  /// Few occurrences in long texts are compared one by one.
  @Test func repeatedWordsAreFoundInLongTexts() throws {
    func text(_ words: String, _ count: Int) -> String {
      Array(repeating: words + String(repeating: " x", count: 300), count: count)
        .joined(separator: " ")
    }
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying(
      [text("a a", 70), text("a", 140), text("a a a", 50), text("a y a y", 70)].enumerated()
        .map { number, text in
          .put(
            objectID: "\(number)",
            record: Array(#"{"objectID":"\#(number)","text":"\#(text)"}"#.utf8))
        })
    let expected = [
      ("a a", ["0", "2"]), ("a a a", ["2"]), ("a a a a", []), ("a y a y", ["3"]),
      ("a x a", []), ("y a y", ["3"]),
    ]
    for (phrase, ids) in expected {
      var query = SearchQuery("\"\(phrase)\"")
      query.advancedSyntax = true
      try expectEqual(EngineSearch.objectIDs(query, in: snapshot).sorted(), ids, "\(phrase)")
    }
  }

  /// Wherever a phrase is in the words of 64 bits in which positions are compared.
  @Test func repeatedWordsAreFoundAtEachPosition() throws {
    func text(_ place: Int, _ words: String) -> String {
      "a" + String(repeating: " b", count: place) + " " + words
    }
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying(
      (1..<140).flatMap { [($0, text($0, "a a a")), (1_000 + $0, text($0, "a a b a"))] }.map {
        .put(
          objectID: "\($0.0)",
          record: Array(#"{"objectID":"\#($0.0)","text":"\#($0.1)"}"#.utf8))
      })
    var query = SearchQuery("\"a a a\"")
    query.advancedSyntax = true
    query.hitsPerPage = 1_000
    try expectEqual(
      EngineSearch.objectIDs(query, in: snapshot).compactMap(Int.init).sorted(), Array(1..<140))
  }
}
