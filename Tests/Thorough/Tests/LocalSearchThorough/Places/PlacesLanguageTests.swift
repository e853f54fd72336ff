@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

struct PlacesLanguageTests {
  @Test func withoutALanguageRecordsAreUnchanged() async throws {
    let fixture = try await PlacesFixture()
    let hit = try #require(try await fixture.search(["query": "tokyo"])["hits"]?[0])
    let record = try #require(try PlacesFixture.records().first { $0["objectID"] == "tokyo" })
    for (name, value) in record.objectValue ?? [:] { expectEqual(hit[name], value) }
    let highlighted = hit["_highlightResult"]?["locale_names"]
    expectEqual(highlighted?["en"]?[0]?["value"], "<em>Tokyo</em>")
    expectEqual(highlighted?["default"]?[0]?["matchLevel"], "none")
  }

  @Test func languageSelectsOneValuePerLocalizedMember() async throws {
    let fixture = try await PlacesFixture()
    let query: JSON = ["query": "downing", "language": "es"]
    let hit = try #require(try await fixture.search(query)["hits"]?[0])
    expectEqual(hit["locale_names"], ["Downing Street"], "no Spanish name, so the default")
    expectEqual(hit["city"], ["Londres"])
    expectEqual(hit["county"], ["Greater London"])
    expectEqual(hit["country"], "Reino Unido")
    expectEqual(hit["administrative"], ["England"])
    let highlights = hit["_highlightResult"]
    expectEqual(highlights?["locale_names"]?[0]?["value"], "<em>Downing</em> Street")
    expectEqual(highlights?["city"]?[0]?["value"], "Londres")
    expectEqual(highlights?["country"]?["value"], "Reino Unido")
    expectEqual(highlights?["postcode"]?[0]?["value"], "SW1A")
  }

  @Test func missingLanguageFallsBackToTheDefault() async throws {
    let fixture = try await PlacesFixture()
    for language in ["xx", "FR", "", "default"] as [JSON] {
      let hits = try await fixture.search(["query": "münchen", "language": language])["hits"]
      expectEqual(hits?[0]?["locale_names"], ["München"])
      expectEqual(hits?[0]?["country"], "Deutschland")
    }
  }

  @Test func onlyTheLanguageAndTheDefaultAreSearched() async throws {
    let fixture = try await PlacesFixture()
    func ids(_ text: JSON, _ language: JSON) async throws -> [String] {
      try await fixture.ids(["query": text, "language": language, "type": "city"])
    }
    try await expectEqual(ids("londres", "fr"), ["london"])
    #expect(try await ids("london", "fr").contains("london"))
    try await expectEqual(ids("londres", "de"), [])
    try await expectEqual(ids("ロンドン", "ja").sorted(), ["london", "london-ontario"])
    try await expectEqual(ids("ロンドン", "fr"), [])
    try await expectEqual(ids("nizza", "it"), ["nice"])
    try await expectEqual(ids("ontario", "ja"), ["london-ontario"], "not localized")
    try await expectEqual(fixture.ids(["query": "ロンドン", "type": "city"]).count, 2)
    // The country's name in another language does not match either.
    try await expectEqual(ids("frankreich", "de").count, 4)
    try await expectEqual(ids("frankreich", "en"), [])
  }

  @Test func aPlaceSavedInOneLanguageIsFoundInAll() async throws {
    let place: JSON = [
      "objectID": "x", "locale_names": ["Quimper"], "city": ["Quimper"], "country": "France",
      "country_code": "fr", "_tags": ["city"],
    ]
    let fixture = try await PlacesFixture(adding: [place])
    for language in ["fr", "ja", nil] as [JSON?] {
      var query: JSON = ["query": "quimp"]
      query["language"] = language
      let hits = try await fixture.search(query)["hits"]
      expectEqual(hits?[0]?["locale_names"], ["Quimper"])
      expectEqual(hits?[0]?["country"], "France")
      expectEqual(hits?[0]?["_highlightResult"]?["locale_names"]?[0]?["value"], "<em>Quimp</em>er")
    }
  }

  @Test func memberWithoutLanguageAndDefaultIsLeftOut() async throws {
    let place: JSON = [
      "objectID": "x", "locale_names": ["default": ["Quimper"]], "country": ["en": "France"],
      "city": [:], "county": 12, "country_code": "fr",
    ]
    let fixture = try await PlacesFixture(adding: [place])
    let hit = try await fixture.search(["query": "quimper", "language": "fr"])["hits"]?[0]
    expectEqual(hit?["locale_names"], ["Quimper"])
    #expect(hit?["country"] == nil)
    #expect(hit?["city"] == nil)
    expectEqual(hit?["county"], 12)
  }

  @Test func languageWithoutAValueIsSkipped() async throws {
    let place: JSON = [
      "objectID": "x", "locale_names": ["default": ["Quimper"], "fr": nil],
      "city": ["default": nil, "fr": nil], "country": ["default": nil, "fr": "France"],
      "country_code": "fr",
    ]
    let fixture = try await PlacesFixture(adding: [place])
    let hit = try await fixture.search(["query": "quimper", "language": "fr"])["hits"]?[0]
    expectEqual(hit?["locale_names"], ["Quimper"], "its own")
    #expect(hit?["city"] == nil)
    expectEqual(hit?["country"], "France")
  }

  @Test func lastOfRepeatedMembersIsReturned() async throws {
    let fixture = try await PlacesFixture()
    let place = """
      {"locale_names":{"default":["Atlantis"]},"locale_names":{"default":["Utopia"]},\
      "country_code":"fr"}
      """
    let saved = try await fixture.engine.send(
      TransportRequest(
        method: .put, pathComponents: ["1", "indexes", "places", "x"], body: Array(place.utf8),
        callType: .write))
    expectEqual(saved.status, 200)
    let answer = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "places", "query"],
        body: Array(#"{"query":"utopia","language":"fr"}"#.utf8), callType: .read))
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains(#""locale_names":["Utopia"]"#))
    #expect(!text.contains("Atlantis"))
  }

  @Test func unretrievableAttributesAreLeftOutInEveryLanguage() async throws {
    var settings = IndexSettings.places
    settings.unretrievableAttributes = ["locale_names.de", "city.fr", "population"]
    let fixture = try await PlacesFixture(settings: settings)
    let query: JSON = ["query": "berlin hauptbahnhof", "language": "de"]
    let hit = try await fixture.search(query)["hits"]?[0]
    expectEqual(hit?["city"], ["Berlin"])
    let japan = try await fixture.search(["query": "japan", "language": "de"])["hits"]?[0]
    expectEqual(japan?["locale_names"], ["日本"], "the default name, since the German one is hidden")
    #expect(japan?["population"] == nil)
    expectEqual(japan?["_highlightResult"]?["locale_names"]?[0]?["value"], "日本")
    let french = try await fixture.search(["query": "downing", "language": "fr"])["hits"]?[0]
    expectEqual(french?["city"], ["London"])
  }
}
