import Foundation
import InstantSearchClient
import LocalSearch
import TestSupport
import Testing

/// The code of the articles on the engine.
@Suite struct ArticleExamples {
  struct Film: Codable, Sendable, Equatable { let title: String }

  @Test func writingAndLoadingRecords() async throws {
    let engine = LocalSearch()
    let films = [Film(title: "Metropolis"), Film(title: "Nosferatu")]
    // snippet.save
    let client = SearchClient(transport: engine)
    let report = try await client.save(films, in: "films")
    // snippet.end
    expectEqual(report.objectIDs.count, 2)
    try await load(into: engine)
  }

  private func load(into engine: LocalSearch) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "films.ndjson")
    try Data(#"{"title":"M"}"#.utf8).write(to: file)
    // snippet.load
    try await engine.load(contentsOf: file, into: "films")
    // snippet.end
    let bytes = Array(try Data(contentsOf: file))
    // snippet.bytes
    try await engine.load(bytes, named: "films.json", into: "films")
    // snippet.end
    // snippet.progress
    let progress = LoadProgress()
    async let ids = engine.load(contentsOf: file, into: "films", progress: progress)
    for await state in progress {
      print("\(state.records) records, \(Int(100 * state.fraction)) %")
    }
    print("\(try await ids.count) films are indexed.")
    // snippet.end
    let page = try await SearchClient(transport: engine).search("films", of: Film.self)
    expectEqual(page.nbHits, 5)
  }

  @Test func mistakes() async throws {
    let films = [Film(title: "Metropolis")]
    // snippet.strict
    let engine = LocalSearch(configuration: .init(rejectsMistakes: true))
    // snippet.end
    let client = SearchClient(transport: engine)
    try await client.save(films, in: "films")
    let page = try await client.search("films", of: Film.self)
    expectEqual(page.nbHits, 1)
  }

  @Test func synonyms() async throws {
    let client = SearchClient(transport: LocalSearch())
    try await client.save([Film(title: "The Television")], in: "films")
    // snippet.synonyms
    try await client.saveSynonyms(
      [
        Synonym("tv", .equivalent(["tv", "television"])),
        Synonym("phone", .oneWay(from: "phone", to: ["iphone", "galaxy"])),
        Synonym("ny", .equivalent(["NY", "New York"])),
      ], in: "films"
    ).wait()
    // snippet.end
    // snippet.languages
    let query = SearchQuery("what is a tv")
      .setting(\.removeStopWords, to: [.english])
      .setting(\.ignorePlurals, to: [.english])
    // snippet.end
    let page = try await client.search("films", query, of: Film.self)
    expectEqual(page.nbHits, 1)
    // snippet.words
    let settings = IndexSettings {
      $0.queryLanguages = [.german]
      $0.additionalSettings["decompoundedAttributes"] = ["de": ["title"]]
      $0.additionalSettings["camelCaseAttributes"] = ["code"]
      $0.additionalSettings["customNormalization"] = ["default": ["ä": "ae"]]
    }
    // snippet.end
    try await client.setSettings(settings, of: "words").wait()
    // snippet.dictionary
    let lines = "hemd, hemden, hemdes"
    try await client.saveDictionaryEntries(
      try DictionaryEntry.list(.plurals, lines: lines, .german), in: .plurals
    ).wait()
    // snippet.end
  }

  @Test func explanation() async throws {
    let engine = try await LocalSearch(
      indexName: "films",
      records: [
        ["objectID": "heat", "title": "Heat"], ["objectID": "cold", "title": "Cold Mountain"],
      ] as [JSON])
    // snippet.explain
    let query = SearchQuery("heat")
    for explanation in try await engine.explain(query, in: "films", records: ["heat", "cold"]) {
      print(explanation)
    }
    // snippet.end
    let found = try await engine.explain(query, in: "films", records: ["cold"])
    expectEqual(found[0].obstacle, .word("heat", nearest: nil, attribute: nil))
  }

  @Test func didYouMean() async throws {
    let engine = try await LocalSearch(
      indexName: "films", records: [["objectID": "heat", "title": "Heat"]] as [JSON])
    // snippet.suggested
    if let suggested = try await engine.suggestedQuery(for: SearchQuery("haet"), in: "films") {
      print("Did you mean \(suggested.text)? \(suggested.hitCount) films")
    }
    // snippet.end
    try await expectEqual(
      engine.suggestedQuery(for: SearchQuery("haet"), in: "films")?.hitCount, 1)
  }

  @Test func alternatives() async throws {
    let client = SearchClient(transport: LocalSearch())
    try await client.save([Film(title: "Heat")], in: "films").wait()
    // snippet.alternatives
    var misspelled = SearchQuery("haet films")
    misspelled.explain = [.matchAlternatives]
    let page = try await client.search("films", misspelled, of: Hit<Film>.self)
    print(page.explain ?? .null)
    // snippet.end
    expectEqual(
      page.explain?.text,
      #"{"match":{"alternatives":["#
        + #"{"length":1,"offset":0,"types":["original"],"typos":0,"words":["haet"]},"#
        + #"{"length":1,"offset":0,"types":["typo"],"typos":1,"words":["heat"]},"#
        + #"{"length":2,"offset":0,"types":["concat"],"typos":1,"words":["haetfilms"]},"#
        + #"{"length":1,"offset":1,"types":["original"],"typos":0,"words":["films"]}]}}"#)
  }

  @Test func acceptance() async throws {
    // snippet.accepts
    let engine = LocalSearch(configuration: .init(accepts: .honored))
    // snippet.end
    try await SearchClient(transport: engine).save([Film(title: "Metropolis")], in: "films")
    let query = SearchQuery().setting(\.enablePersonalization, to: true)
    let request = TransportRequest(
      .search(index: "films"), body: Array(try JSON(encoding: query).text.utf8))
    try await expectEqual(engine.send(request).status, 400)
  }

  @Test func settings() async throws {
    let client = SearchClient(transport: LocalSearch())
    // snippet.settings
    try await client.setSettings(
      IndexSettings(
        searchableAttributes: ["title", "actors", "unordered(plot)"],
        attributesForFaceting: ["genre", "searchable(director)", "filterOnly(studio)"],
        customRanking: ["desc(rating)"]),
      of: "films")
    // snippet.end
    // snippet.change
    var settings = try await client.settings(of: "films")
    settings.hitsPerPage = 50
    try await client.setSettings(settings, of: "films")
    // snippet.end
    let changed = try await client.settings(of: "films")
    expectEqual(changed.customRanking, ["desc(rating)"])
    expectEqual(changed.hitsPerPage, 50)
  }
}
