@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import LocalSearch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct MultiHitsExamples {
  // snippet.records
  struct Actor: Codable {
    let name: String
  }

  struct Movie: Codable {
    let title: String
  }
  // snippet.end

  /// A stand-in for a table on platforms without one.
  private struct Table {}

  private final class MultiIndexHitsTableController: MultiIndexHitsController {
    weak var hitsSource: (any MultiIndexHitsSource)?
    let reloads: AsyncStream<[String]>
    private let continuation: AsyncStream<[String]>.Continuation

    init(tableView: Table) { (reloads, continuation) = AsyncStream.makeStream() }

    func reload() {
      guard let hitsSource else { return }
      do {
        let actors = try (0..<hitsSource.numberOfHits(inSection: 0)).compactMap { row in
          try hitsSource.hit(atIndex: row, inSection: 0, as: Actor.self)?.name
        }
        let movies = try (0..<hitsSource.numberOfHits(inSection: 1)).compactMap { row in
          try hitsSource.hit(atIndex: row, inSection: 1, as: Movie.self)?.title
        }
        continuation.yield(actors + movies)
      } catch {
        Issue.record(error)
      }
    }
  }

  /// A stand-in for the cells of a table.
  private protocol CellConfigurator {
    associatedtype Model: Decodable & Sendable
  }

  private enum ActorCellConfigurator: CellConfigurator { typealias Model = Actor }
  private enum MovieCellConfigurator: CellConfigurator { typealias Model = Movie }

  /// A list of one section.
  private final class HitsTableViewController<Configurator: CellConfigurator>: HitsController {
    weak var hitsSource: HitsInteractor<Configurator.Model>?
    let reloads: AsyncStream<[Configurator.Model]>
    private let continuation: AsyncStream<[Configurator.Model]>.Continuation

    init() { (reloads, continuation) = AsyncStream.makeStream() }

    func reload() {
      continuation.yield(hitsSource?.currentHits ?? [])
    }
  }

  private static func client() async throws -> SearchClient {
    let engine = LocalSearch()
    try await engine.save(
      [["objectID": "1", "name": "Tom Hanks"], ["objectID": "2", "name": "Ann Blyth"]] as [JSON],
      in: "actors")
    try await engine.setSettings(
      IndexSettings(searchableAttributes: ["title"], attributesForFaceting: ["genre"]),
      of: "movies")
    try await engine.save(
      [
        ["objectID": "1", "title": "Tom Jones", "genre": "Comedy"],
        ["objectID": "2", "title": "Tommy", "genre": "Musical"],
      ] as [JSON], in: "movies")
    return SearchClient(transport: engine)
  }

  @MainActor @Test func aConnector() async throws {
    let client = try await Self.client()
    // snippet.modules
    let actorHitsInteractor = HitsInteractor<Actor>(infiniteScrolling: .off)
    let movieHitsInteractor = HitsInteractor<Movie>(infiniteScrolling: .off)

    let movieFilterState = FilterState()
    let hitsTableViewController = MultiIndexHitsTableController(tableView: .init())

    let multiIndexHitsConnector = MultiIndexHitsConnector(
      client: client,
      indexModules: [
        .init(indexName: "actors", hitsInteractor: actorHitsInteractor),
        .init(
          indexName: "movies", hitsInteractor: movieHitsInteractor,
          filterState: movieFilterState),
      ],
      controller: hitsTableViewController)
    // snippet.end
    var reloads = hitsTableViewController.reloads.makeAsyncIterator()
    multiIndexHitsConnector.searcher.setQuery("tom")
    await expectEqual(reloads.next(), ["Tom Hanks", "Tom Jones", "Tommy"])
    movieFilterState.update { $0[and: "genre"].add("genre" == "Comedy") }
    await expectEqual(reloads.next(), ["Tom Hanks", "Tom Jones"])
    expectEqual(
      multiIndexHitsConnector.filterStates.map { $0 === movieFilterState }, [false, true])
  }

  @MainActor @Test func theLowLevelAPI() async throws {
    let client = try await Self.client()
    // snippet.searcher
    let searcher = MultiIndexSearcher(client: client, indexNames: ["actors", "movies"])
    // snippet.end
    // snippet.interactors
    let actorHitsInteractor = HitsInteractor<Actor>(infiniteScrolling: .off)
    let movieHitsInteractor = HitsInteractor<Movie>(infiniteScrolling: .off)
    // snippet.end
    // snippet.sections
    let hitsInteractor = MultiIndexHitsInteractor(
      hitsInteractors: [actorHitsInteractor, movieHitsInteractor])
    // snippet.end
    // snippet.connect
    hitsInteractor.connectSearcher(searcher)
    // snippet.end
    // snippet.controller
    let hitsTableViewController = MultiIndexHitsTableController(tableView: .init())
    hitsInteractor.connectController(hitsTableViewController)
    // snippet.end
    // snippet.filters
    let movieFilterState = FilterState()
    movieHitsInteractor.connectFilterState(movieFilterState)
    searcher.connectFilterState(movieFilterState, withQueryAtIndex: 1)
    // snippet.end
    var reloads = hitsTableViewController.reloads.makeAsyncIterator()
    movieFilterState.update { $0[and: "genre"].add("genre" == "Musical") }
    await expectEqual(reloads.next(), ["Tom Hanks", "Ann Blyth", "Tommy"])
  }

  @MainActor @Test func separateControllers() async throws {
    // snippet.separate
    let actorHitsInteractor = HitsInteractor<Actor>(infiniteScrolling: .off)
    let actorsTableViewController = HitsTableViewController<ActorCellConfigurator>()
    actorHitsInteractor.connectController(actorsTableViewController)

    let movieHitsInteractor = HitsInteractor<Movie>(infiniteScrolling: .off)
    let moviesTableViewController = HitsTableViewController<MovieCellConfigurator>()
    movieHitsInteractor.connectController(moviesTableViewController)

    let hitsInteractor = MultiIndexHitsInteractor(
      hitsInteractors: [actorHitsInteractor, movieHitsInteractor])
    // snippet.end
    let searcher = MultiIndexSearcher(
      client: try await Self.client(), indexNames: ["actors", "movies"])
    hitsInteractor.connectSearcher(searcher)
    searcher.setQuery("tommy")
    var movies = moviesTableViewController.reloads.makeAsyncIterator()
    await expectEqual(movies.next()?.map(\.title), ["Tommy"])
    expectEqual(actorHitsInteractor.numberOfHits(), 0)
    #expect(actorsTableViewController.hitsSource === actorHitsInteractor)
  }

  @Test func typedSections() async throws {
    let searcher = MultiIndexSearcher(
      client: try await Self.client(), indexNames: ["actors", "movies"])
    // snippet.typed
    let hits = MultiIndexHits(HitsInteractor<Actor>(), HitsInteractor<Hit<Movie>>())
    hits.connectSearcher(searcher)
    searcher.setQuery("tom")
    for await (actors, movies) in hits.states where !movies.hits.isEmpty {
      print("\(actors.hits.loaded.map(\.name)) and \(movies.hits.loaded.map(\.title))")
      break
    }
    // snippet.end
    expectEqual(hits.state.0.hits.loaded.map(\.name), ["Tom Hanks"])
    expectEqual(hits.state.1.hits.loaded.map(\.title), ["Tom Jones", "Tommy"])
  }
}
