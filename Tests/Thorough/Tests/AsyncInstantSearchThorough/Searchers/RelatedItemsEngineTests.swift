@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Foundation
@testable import LocalSearch
import Testing

private struct Film: Codable, Sendable {
  let title: String
  let directors: [String]
  let genres: [String]
}

private struct Odd: Codable, Sendable, Hashable {
  var label: String
  var marks: [String]
}

/// Related items found by the engine.
struct RelatedItemsEngineTests {
  private static let patterns: [MatchingPattern<Film>] = [
    MatchingPattern(attribute: "directors", score: 5, filterPath: \.directors),
    MatchingPattern(attribute: "genres", score: 2, filterPath: \.genres),
  ]

  private static func films() async throws -> SearchClient {
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings { $0.attributesForFaceting = ["directors", "genres", "country"] }, of: "films")
    let file = SnippetData.file("films.json")
    try await engine.load(contentsOf: file, into: "films")
    return SearchClient(transport: engine)
  }

  /// What a film shares with another, counted naively.
  private static func score(_ film: Film, _ other: Film) -> Int {
    5 * Set(film.directors).intersection(other.directors).count
      + 2 * Set(film.genres).intersection(other.genres).count
  }

  @Test(arguments: ["f-the-godfather-1972", "f-seven-samurai-1954", "f-the-general-1926"])
  func relatedFilmsAreOrderedByTheSumOfTheirScores(objectID: String) async throws {
    let client = try await Self.films()
    let found = try await client.getObjects([objectID], in: "films", of: Hit<Film>.self)
    let film = try #require(found.first ?? nil)
    let page = try await client.relatedItems(
      to: film, matching: Self.patterns, in: "films",
      SearchQuery().with {
        $0.hitsPerPage = 1000
        $0.getRankingInfo = true
      })
    expectEqual(page.nbHits, 667)
    expectEqual(page.hits.count, 667)
    #expect(!page.hits.contains { $0.objectID == objectID })
    let scores = page.hits.map { Self.score($0.object, film.object) }
    expectEqual(scores, scores.sorted(by: >))
    #expect(Set(scores).count > 3)
    expectEqual(page.hits.map { $0.rankingInfo?.filters }, scores.map { $0 + 1 })
  }

  @Test func ownFiltersNarrowTheRelatedFilms() async throws {
    let client = try await Self.films()
    let found = try await client.getObjects(
      ["f-seven-samurai-1954"], in: "films", of: Hit<Film>.self)
    let film = try #require(found.first ?? nil)
    var query = SearchQuery()
    query.filters = "country:France OR country:Italy"
    query.facetFilters = [["genres:Action", "genres:Comedy"]]
    query.hitsPerPage = 1000
    let own = try await client.search("films", query, of: Hit<Film>.self)
    let related = try await client.relatedItems(
      to: film, matching: Self.patterns, in: "films", query)
    #expect(!related.hits.isEmpty)
    expectEqual(Set(related.hits.map(\.objectID)), Set(own.hits.map(\.objectID)))
  }

  @Test func filmIsLeftOutOfDisjunctiveFacetCounts() async throws {
    let client = try await Self.films()
    let found = try await client.getObjects(
      ["f-seven-samurai-1954"], in: "films", of: Hit<Film>.self)
    let film = try #require(found.first ?? nil)
    let searcher = HitsSearcher(
      client: client, indexName: "films", query: SearchQuery().setting(\.facets, to: ["country"]),
      debounce: .seconds(1), options: .init(clock: ManualClock()))
    let filters = FilterState()
    searcher.connectFilterState(filters)
    let all = try await searcher.search(of: Hit<Film>.self)
    filters.update { $0[or: "country"].add("country" == "Japan") }
    try searcher.setRelatedItems(to: film, matching: Self.patterns)
    let page = try await searcher.search(of: Hit<Film>.self)
    let count = try #require(all.facets["country"]?["Japan"])
    expectEqual(page.nbHits, count - 1)
    expectEqual(page.facets["country"]?["Japan"], count - 1)
    expectEqual(page.facets["country"]?["France"], all.facets["country"]?["France"])
    expectEqual(page.hits.first?.directors, ["Akira Kurosawa"])
    #expect(!page.hits.contains { $0.objectID == film.objectID })
  }

  /// Values and IDs with characters that filters could misinterpret.
  private static let texts = [
    #"say "hi" & 'bye'"#, "a:b", ":", "x<y", "x<score=3>", "-", "-12", "--x", "AND", "1 TO 2",
    #"\"#, #"a\-b"#, "(x)", "🧵-🪡", "-🧵", "É", ":\u{301}", "-\u{301}", "line\nbreak",
  ]

  @Test(arguments: texts)
  func recordsAreMatchedByAnyText(text: String) async throws {
    let odd = Odd(label: text, marks: ["<", text + "!", #"""#])
    let records: [JSON] = [
      ["objectID": "3", "label": "other", "marks": []],
      ["objectID": "2", "label": "other", "marks": [.string(text + "!"), #"""#]],
      ["objectID": "1", "label": .string(text), "marks": ["<"]],
      ["objectID": .string(text), "label": .string(text), "marks": ["<", #"""#]],
    ]
    let engine = try await LocalSearch(
      indexName: "odd", records: records,
      settings: IndexSettings { $0.attributesForFaceting = ["label", "marks"] })
    let page = try await SearchClient(transport: engine).relatedItems(
      to: Hit(objectID: text, object: odd),
      matching: [
        MatchingPattern(attribute: "label", score: 10, filterPath: \.label),
        MatchingPattern(attribute: "marks", score: 3, filterPath: \.marks),
      ],
      in: "odd", SearchQuery().setting(\.getRankingInfo, to: true))
    expectEqual(page.hits.map(\.objectID), ["1", "2", "3"])
    expectEqual(page.hits.map { $0.rankingInfo?.filters }, [14, 7, 1])
  }

  @Test func itemIsExcludedForAnyID() async throws {
    for objectID in Self.texts + [#"\-x"#, #"\\-x"#, "NOT x", "X", "x"] {
      let records = [objectID, "X", "x", "-12", "12", "other"].map { id -> JSON in
        ["objectID": .string(id), "label": "same"]
      }
      let engine = try await LocalSearch(indexName: "odd", records: records)
      let page = try await SearchClient(transport: engine).relatedItems(
        to: Hit(objectID: objectID, object: Odd(label: "same", marks: [])), matching: [],
        in: "odd", SearchQuery().setting(\.filters, to: ""), of: JSON.self)
      let ids = Set(page.hits.compactMap { $0["objectID"]?.stringValue })
      expectEqual(ids, Set(["X", "x", "-12", "12", "other"]).subtracting([objectID]))
    }
  }
}
