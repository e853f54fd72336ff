import AsyncInstantSearch
import LocalSearch
import TestSupport
import Testing

/// The examples of the InstantSearch documentation with structured concurrency, on the embedded
/// engine.
@Suite struct DocumentedExamplesTests {
  struct Movie: Codable, Sendable, Hashable {
    let title: String
    let year: Int
  }

  private static let titanic: JSON = ["objectID": "1", "title": "Titanic", "year": 1997]
  private static let untitled: JSON = ["objectID": "2", "title": "Titanic Town", "year": "late"]
  private static let raise: JSON = ["objectID": "3", "title": "Raise the Titanic", "year": 1980]

  private func searcher(_ records: [JSON]) async throws -> HitsSearcher {
    let engine = try await LocalSearch(
      indexName: "movies", records: records,
      settings: IndexSettings(searchableAttributes: ["title"], customRanking: ["asc(objectID)"]))
    return HitsSearcher(client: SearchClient(transport: engine), indexName: "movies")
  }

  @Test func aMovieComesWithItsMetadata() async throws {
    let searcher = try await searcher([Self.titanic])
    var pages = searcher.pages(of: Hit<Movie>.self).makeAsyncIterator()
    searcher.update {
      $0.query.query = "titan"
      $0.query.attributesToSnippet = ["title:3"]
      $0.query.getRankingInfo = true
    }
    let page = try #require(await pages.next())
    let hit = try #require(page.hits.first)
    expectEqual(hit.objectID, "1")
    expectEqual(hit.object, Movie(title: "Titanic", year: 1997))
    expectEqual(hit.title, "Titanic")
    expectEqual(hit.highlighted("title")?.raw, "<em>Titan</em>ic")
    expectEqual(hit.highlightResult?["title"]?.value?.matchLevel, .full)
    expectEqual(hit.snippeted("title")?.text, "Titanic")
    expectEqual(hit.rankingInfo?.nbTypos, 0)
    #expect(hit.geolocation == nil)
    expectEqual(hit.searchMetadata.position, 1)
  }

  @Test func aBareRecordComesWithoutItsMetadata() async throws {
    let searcher = try await searcher([Self.titanic])
    let page = try await searcher.search(of: Movie.self)
    expectEqual(page.hits, [Movie(title: "Titanic", year: 1997)])
  }

  @Test func rawRecordsAreJSON() async throws {
    let searcher = try await searcher([Self.titanic, Self.untitled])
    var pages = searcher.pages(of: JSON.self).makeAsyncIterator()
    searcher.setQuery("titanic")
    let page = try #require(await pages.next())
    expectEqual(page.hits.map { $0["title"] }, ["Titanic", "Titanic Town"])
    // Records that cannot be decoded are available as JSON.
    expectEqual(page.hits.map { $0["year"] }, [1997, "late"])
    #expect(page.failures.isEmpty)
  }

  @Test func undecodableRecordIsReportedAndOthersArrive() async throws {
    let searcher = try await searcher([Self.titanic, Self.untitled, Self.raise])
    var pages = searcher.pages(of: Hit<Movie>.self).makeAsyncIterator()
    var errors = searcher.errors.makeAsyncIterator()
    searcher.setQuery("titanic")
    let page = try #require(await pages.next())
    expectEqual(page.nbHits, 3)
    expectEqual(page.hits.map(\.objectID), ["1", "3"])
    expectEqual(page.hits.map(\.searchMetadata.position), [1, 3])
    let error = try #require(await errors.next())
    expectEqual(error.code, .decoding)
    expectEqual(error.failures, page.failures)
    let failure = try #require(error.failures.first)
    expectEqual(error.failures.count, 1)
    expectEqual(failure.objectID, "2")
    expectEqual(failure.codingPath, ["year"])
    expectEqual(failure.position, 2)
    expectEqual(
      failure.description, "record 2 (objectID 2) at year: expected a number, found a string")
  }
}
