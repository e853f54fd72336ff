import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchClient
import LocalSearch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Judged queries over films and airports, without and with settings about words.
///
/// The grades are judgments about the records: 3 for what the query names, 2 for what it is about,
/// 1 for what is related. They do not depend on what the engine finds.
struct RelevanceSetTests {
  private static let index = "items"

  private static func text(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// What an index knows of words.
  private struct Words {
    var synonyms: [Synonym.Kind] = []
    var entries: [DictionaryEntry] = []
    var change: (inout IndexSettings) -> Void = { _ in }
  }

  private static func report(
    _ queries: String, of records: String, _ settings: IndexSettings, _ words: Words = Words()
  ) async throws -> RelevanceReport {
    let engine = LocalSearch(configuration: .init(dictionaryEntries: words.entries))
    let client = SearchClient(transport: engine)
    var settings = settings
    words.change(&settings)
    try await client.setSettings(settings, of: index).wait()
    let synonyms = words.synonyms.enumerated().map { Synonym("\($0)", $1) }
    try await client.saveSynonyms(synonyms, in: index).wait()
    _ = try await engine.load(Array(text(records).utf8), into: index)
    return try await RelevanceReport(
      of: JudgedQuery.list(text("Data/" + queries)), in: index, over: engine)
  }

  /// Compares the two, and returns the queries that became worse.
  private static func worse(
    _ before: RelevanceReport, _ after: RelevanceReport, atLeast limit: Double
  ) -> [String] {
    let comparison = RelevanceComparison(before, after)
    print(comparison)
    #expect(after.mean.nDCG >= limit, "\(after)")
    return comparison.changes.filter { $0.gain < 0 }.map(\.query.query)
  }

  @Test func filmsAreFoundByOtherWords() async throws {
    let settings = IndexSettings {
      $0.searchableAttributes = ["title", "directors", "cast", "genres", "plot", "country"]
      $0.attributesForFaceting = ["filterOnly(year)"]
      $0.customRanking = ["desc(oscars)"]
    }
    let words = Words(
      synonyms: [
        .equivalent(["tv", "television"]), .equivalent(["mobster", "gangster", "mafia", "mob"]),
        .equivalent(["attorney", "lawyer"]), .equivalent(["reporter", "journalist"]),
        .equivalent(["car", "automobile"]),
        .oneWay(from: "physician", to: ["doctor", "surgeon"]),
        .equivalent(["robot", "android", "cyborg"]),
        .equivalent(["detective", "private eye"]), .equivalent(["spy", "secret agent"]),
        .equivalent(["railway", "railroad"]), .oneWay(from: "railroad", to: ["train", "trains"]),
        .equivalent(["university", "college"]),
        .equivalent(["cop", "policeman", "police officer"]), .oneWay(from: "cop", to: ["police"]),
        .equivalent(["movie", "film"]), .equivalent(["ww2", "second world war"]),
        .oneWay(from: "heist", to: ["robbery", "robbers", "thieves"]),
        .equivalent(["kid", "child"]), .oneWay(from: "astronaut", to: ["spaceship"]),
        .oneWay(from: "boxer", to: ["boxing"]), .oneWay(from: "dancer", to: ["ballet"]),
        .oneWay(from: "gunfighter", to: ["outlaw"]), .oneWay(from: "hitman", to: ["assassin"]),
      ],
      entries: [
        DictionaryEntry("1", .compound("housekeeper", parts: ["house", "keeper"]), .english),
        DictionaryEntry("2", .compound("housewife", parts: ["house", "wife"]), .english),
        DictionaryEntry("3", .compound("superhero", parts: ["super", "hero"]), .english),
        DictionaryEntry("4", .compound("snowman", parts: ["snow", "man"]), .english),
      ]
    ) {
      $0.ignorePlurals = [.english]
      $0.removeStopWords = [.english]
      $0.queryLanguages = [.english]
      $0.additionalSettings["decompoundedAttributes"] = ["en": ["title", "plot"]]
    }
    let films = "../../../../../Snippets/Data/films.json"
    let before = try await Self.report("film-queries.jsonl", of: films, settings)
    let after = try await Self.report("film-queries.jsonl", of: films, settings, words)
    // Titles of stop words: without them, `shadows` and `eve` are in other films too.
    expectEqual(
      Self.worse(before, after, atLeast: 0.85), ["what we do in the shadows", "all about eve"])
  }

  @Test func airportsAreFoundByOtherNames() async throws {
    let settings = IndexSettings {
      $0.searchableAttributes = ["code", "city", "name", "country"]
    }
    let names: [(String, String)] = [
      ("Munich", "München"), ("Cologne", "Köln"), ("Vienna", "Wien"), ("Rome", "Roma"),
      ("Milan", "Milano"), ("Venice", "Venezia"), ("Naples", "Napoli"), ("Lisbon", "Lisboa"),
      ("Copenhagen", "København"), ("Warsaw", "Warszawa"), ("Prague", "Praha"),
      ("Bucharest", "București"), ("Geneva", "Genève"), ("Gothenburg", "Göteborg"),
      ("Mexico City", "Ciudad de México"), ("Havana", "La Habana"),
      ("Saigon", "Ho Chi Minh City"), ("Bombay", "Mumbai"), ("Bangalore", "Bengaluru"),
      ("Peking", "Beijing"), ("Turkey", "Türkiye"),
    ]
    let words = Words(
      synonyms: names.map { .equivalent([$0, $1]) } + [
        .equivalent(["NYC", "New York", "big apple"]), .oneWay(from: "LA", to: ["Los Angeles"]),
        .equivalent(["UK", "United Kingdom"]), .equivalent(["USA", "United States"]),
        .equivalent(["St", "Saint"]), .equivalent(["Intl", "International"]),
      ],
      entries: ["airport", "flight", "flights", "near"].map {
        DictionaryEntry("en-\($0)", .stopWord($0), .english)
      }
    ) {
      $0.ignorePlurals = [.english]
      $0.removeStopWords = [.english]
      $0.additionalSettings["customNormalization"] = [
        "default": ["ü": "ue", "ö": "oe", "ä": "ae", "ø": "oe"]
      ]
    }
    let airports = "Data/airports.jsonl"
    let before = try await Self.report("airport-queries.jsonl", of: airports, settings)
    let after = try await Self.report("airport-queries.jsonl", of: airports, settings, words)
    expectEqual(Self.worse(before, after, atLeast: 0.95), [])
  }
}
