@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Texts of ASCII words are read in a faster way, with the same result as any other text.
struct PlainHighlightTests {
  /// A separator beyond ASCII, which makes a text one like any other.
  private static let separator = " \u{B7}"

  private static let parts = [
    "ab", "abc", "AbC", "abcabc", "bca", "b", "a1", "12", "cab", "aabbcc", " ", " ", "  ", ".",
    "'", "-", ",", "\"", "\\", "/", "\n",
  ]

  private static func text(using generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...14, using: &generator)).map { _ in
      parts.randomElement(using: &generator) ?? ""
    }.joined()
  }

  @Test(arguments: Seed.all(40, quick: 10))
  func plainTextsAreReadLikeOthers(seed: Seed) async throws {
    var generator = SeededGenerator(seed: seed.value)
    let texts = (0..<20).map { _ in Self.text(using: &generator) }
    let records = texts.enumerated().map { number, text in
      ["objectID": .string("\(number)"), "a": .string(text), "b": .string(text + Self.separator)]
        as JSON
    }
    let fixture = try await EngineFixture(
      records,
      settings: IndexSettings {
        $0.searchableAttributes = ["a", "b"]
        $0.attributesToSnippet = ["a:3", "b:3"]
        $0.minWordSizefor1Typo = 2
        $0.minWordSizefor2Typos = 4
        if seed.value % 5 == 0 { $0.separatorsToIndex = "-" }
      })
    for _ in 0..<20 {
      let query = Self.text(using: &generator)
      let response = try await fixture.search([
        "query": .string(query), "hitsPerPage": 100, "removeWordsIfNoResults": "allOptional",
      ])
      for hit in response["hits"]?.arrayValue ?? [] {
        let highlights = hit["_highlightResult"]
        var expected = highlights?["b"]
        let value = try #require(expected?["value"]?.stringValue)
        #expect(value.hasSuffix(Self.separator))
        expected?["value"] = .string(String(value.dropLast(Self.separator.count)))
        expectEqual(highlights?["a"], expected, "seed \(seed.value): \(query)")
        let snippets = hit["_snippetResult"]
        var snippet = snippets?["b"]?["value"]?.stringValue
        if snippet?.hasSuffix(Self.separator) == true {
          snippet?.removeLast(Self.separator.count)
        }
        expectEqual(
          snippets?["a"]?["value"]?.stringValue, snippet, "seed \(seed.value): \(query)")
      }
    }
  }

  @Test(arguments: ["", "\u{E9} "])
  func wordsAfterFiftyThousandCharactersAreNotMarked(start: String) async throws {
    let words = start + String(repeating: "word ", count: 9_999) + "words here word"
    let fixture = try await EngineFixture([
      ["objectID": "1", "text": .string(words), "other": "word"]
    ])
    let hit = try await fixture.search(["query": "word", "attributesToSnippet": ["text:5"]])[
      "hits"]?[0]
    let value = try #require(hit?["_highlightResult"]?["text"]?["value"]?.stringValue)
    #expect(hit?["_highlightResult"]?["text"]?["fullyHighlighted"] == false)
    // A word that may go on after the last character has no mark.
    expectEqual(value.ranges(of: "<em>word</em>").count, 9_999)
    #expect(value.hasSuffix(" words here word"))
    #expect(
      hit?["_snippetResult"]?["text"]?["value"]?.stringValue?.hasSuffix("word</em>…") == true)
    expectEqual(hit?["_highlightResult"]?["other"]?["value"], "<em>word</em>")
  }

  /// The contract: "only exact matches get highlighted".
  @Test(arguments: [
    ("word", "<em>phone</em>", "phones", "phone phones"),
    ("attribute", "<em>phone</em>", "<em>phone</em>s", "<em>phone</em> <em>phone</em>s"),
  ])
  func aWordMarksWordsThatEqualItIfOnlyTheseAreExact(
    mode: String, exact: String, longer: String, both: String
  ) async throws {
    let fixture = try await EngineFixture([
      ["objectID": "1", "n": "phone"], ["objectID": "2", "n": "phones"],
      ["objectID": "3", "n": "phone phones"],
    ])
    let hits = try await fixture.search([
      "query": "phone", "exactOnSingleWordQuery": .string(mode),
    ])["hits"]?.arrayValue
    let values = Dictionary(
      uniqueKeysWithValues: (hits ?? []).map {
        ($0["objectID"]?.stringValue ?? "", $0["_highlightResult"]?["n"]?["value"]?.stringValue)
      })
    expectEqual(values["1"], exact)
    expectEqual(values["2"], longer)
    expectEqual(values["3"], mode == "word" ? "<em>phone</em> phones" : both)
    let two = try await fixture.search([
      "query": "phone pho", "exactOnSingleWordQuery": .string(mode),
    ])["hits"]?[0]
    #expect(two?["_highlightResult"]?["n"]?["value"]?.stringValue?.contains("<em>") == true)
  }

  /// Words that are not read are not marked.
  @Test func aTextThatIsReadInPartIsNotFullyHighlighted() async throws {
    let fixture = try await EngineFixture([
      ["objectID": "1", "n": .string(String(repeating: "ab ", count: 17_000) + "zz")],
      ["objectID": "2", "n": .string(String(repeating: "ab ", count: 100))],
    ])
    let hits = try await fixture.search(["query": "ab"])["hits"]?.arrayValue ?? []
    let flags = Dictionary(
      uniqueKeysWithValues: hits.map {
        ($0["objectID"]?.stringValue ?? "", $0["_highlightResult"]?["n"]?["fullyHighlighted"])
      })
    #expect(flags["1"] == false)
    #expect(flags["2"] == true)
  }

  /// Both Unicode forms of a key are different members, in one record and in two.
  @Test func keysKeepTheirUnicodeForm() async throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let engine = LocalSearch()
    let records = [
      #"{"objectID":"1","\#(composed)":"ab"}"#, #"{"objectID":"2","\#(decomposed)":"ab"}"#,
      #"{"objectID":"3","\#(decomposed)":"ab","\#(composed)":"ab c"}"#,
    ]
    for (number, record) in records.enumerated() {
      let response = try await engine.send(
        TransportRequest(
          method: .put, pathComponents: ["1", "indexes", "items", "\(number + 1)"],
          body: Array(record.utf8), callType: .write))
      expectEqual(response.status, 200)
    }
    let response = try await engine.send(
      TransportRequest(.search(index: "items"), body: Array(#"{"query":"ab"}"#.utf8)))
    let text = response.body
    func count(_ key: String) -> Int {
      let wanted = Array("\"\(key)\":{\"value\"".utf8)
      return (0...text.count - wanted.count).filter { offset in
        text[offset..<offset + wanted.count].elementsEqual(wanted)
      }.count
    }
    expectEqual(count(composed), 2)
    expectEqual(count(decomposed), 2)
  }
}
