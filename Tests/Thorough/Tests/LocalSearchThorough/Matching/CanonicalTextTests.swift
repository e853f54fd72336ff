import AsyncInstantSearchTesting
import Foundation
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Canonically equal texts are one text, in records, queries, filters, facets and facet search.
struct CanonicalTextTests {
  /// Every Korean syllable, and every letter with a canonical decomposition.
  private static let letters: [(composed: String, decomposed: String)] = {
    (0x80...0x10FFFF).compactMap { Unicode.Scalar($0) }.compactMap { letter in
      let composed = String(letter)
      let decomposed = composed.decomposedStringWithCanonicalMapping
      guard letter.properties.isAlphabetic, !decomposed.unicodeScalars.elementsEqual([letter])
      else {
        return nil
      }
      return (composed, decomposed)
    }
  }()

  private static let settings = IndexSettings(
    searchableAttributes: ["text"], attributesForFaceting: ["searchable(text)"])

  /// The letters of a part, so that parts run in parallel.
  private static func part(_ number: Int) -> [(composed: String, decomposed: String)] {
    letters.enumerated().filter { $0.offset % 16 == number }.map(\.element)
  }

  @Test func thereAreThatManyLetters() {
    #expect(Self.letters.count > 13_000)
  }

  /// Each is found by its other form, and highlighted in the bytes of the record.
  @Test(arguments: 0..<16, [false, true])
  func lettersAreFoundInBothForms(part: Int, isDecomposed: Bool) async throws {
    let step = Thoroughness.count(8, thorough: 1)
    let letters = Self.part(part).enumerated().filter { $0.offset % step == 0 }.map(\.element)
    // The letter is in the middle of a word that no other letter makes.
    let texts = letters.enumerated().map { number, letter in
      let (text, query) =
        isDecomposed
        ? (letter.decomposed, letter.composed) : (letter.composed, letter.decomposed)
      return (text: "Q\(number)k\(text)z", query: "q\(number)K\(query)Z", letter: text)
    }
    let fixture = try await EngineFixture(
      texts.enumerated().map { number, text in
        ["objectID": .string("\(number)"), "text": .string(text.text)]
      }, settings: Self.settings)
    for (number, text) in texts.enumerated() {
      let answer = try await fixture.search([
        "query": .string(text.query), "typoTolerance": false, "hitsPerPage": 2,
      ])
      let hits = answer["hits"]?.arrayValue ?? []
      expectEqual(hits.map { $0["objectID"]?.stringValue }, ["\(number)"], "\(text)")
      let highlight = hits.first?["_highlightResult"]?["text"]?["value"]?.stringValue ?? ""
      // An ideograph is a word by itself, as the letters beside it are.
      let whole = "<em>\(text.text)</em>"
      let parts = "<em>Q\(number)k</em><em>\(text.letter)</em><em>z</em>"
      #expect(
        [whole, parts].contains { highlight.utf8.elementsEqual($0.utf8) }, "\(highlight) \(text)")
    }
  }

  @Test func filtersAndFacetSearchFindBothForms() async throws {
    for (text, other) in [
      ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("أحمد", "ا\u{654}حمد"),
    ] {
      let fixture = try await EngineFixture(
        [["objectID": "1", "text": .string(text)], ["objectID": "2", "text": .string(other)]],
        settings: Self.settings)
      for value in [text, other] {
        try await expectEqual(
          fixture.ids(["facetFilters": [.string("text:\(value)")]]).sorted(), ["1", "2"])
        let answer = try await fixture.call(
          .post, [EngineFixture.index, "facets", "text", "query"], ["facetQuery": .string(value)])
        expectEqual(answer.body["facetHits"]?.arrayValue?.map { $0["count"]?.intValue }, [2])
        try await expectEqual(fixture.ids(["query": .string(value)]).sorted(), ["1", "2"])
      }
    }
  }

  /// A prefix ends after a whole letter of the record.
  @Test func aPrefixIsMarkedUpToTheEndOfALetter() async throws {
    let text = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF} ሀ"
    let fixture = try await EngineFixture(
      [["objectID": "1", "text": .string(text)]], settings: Self.settings)
    let answer = try await fixture.search(["query": "한"])
    let value = answer["hits"]?[0]?["_highlightResult"]?["text"]?["value"]?.stringValue ?? ""
    #expect(
      value.utf8.elementsEqual(
        "<em>\u{1112}\u{1161}\u{11AB}</em>\u{1100}\u{1173}\u{11AF} ሀ".utf8), "\(value)")
  }

  /// What texts in print and exports contain.
  @Test(arguments: [
    ("10㎜ screw", "10mm"), ("H₂O", "h2o"), ("m²", "m2"), ("Ⅷ", "viii"), ("①", "1"),
    ("١٢٣", "123"), ("ﻻ", "لا"), ("Ɗan Ɓatsari", "ɗan"), ("word\u{2060}joiner", "wordjoiner"),
    ("أحمد", "احمد"), ("إبراهيم", "ابراهيم"), ("آمنة", "امنة"), ("ｱｲｳ", "アイウ"), ("㋐", "ア"),
    ("豈", "豈"), ("2.0", "2"),
  ])
  func formsAreFolded(text: String, query: String) async throws {
    let record: JSON =
      Double(text) == nil ? ["text": .string(text)] : ["text": .double(Double(text) ?? 0)]
    let fixture = try await EngineFixture(
      [["objectID": "1", "text": record["text"] ?? .null]], settings: Self.settings)
    try await expectEqual(
      fixture.ids(["query": .string(query), "typoTolerance": false, "queryType": "prefixNone"]),
      ["1"])
  }
}
