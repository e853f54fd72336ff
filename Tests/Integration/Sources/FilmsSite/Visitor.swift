import AsyncInstantSearch
import Foundation
import InstantSearchService
import Synchronization

/// One open page: a live screen, and what its browser has to be told.
actor Visitor {
  /// What an event tells the page.
  struct Update: Encodable, Sendable {
    /// The ID of the visitor, with which the page sends what its user does.
    var visitor: String
    /// The number of the newest action that the regions show.
    var action: Int
    /// The query of the URL.
    var query: String
    /// The title of the page.
    var title: String
    /// The HTML of the regions that have changed, by the ID of their element.
    var regions: [String: String]
  }

  /// Nobody guesses it, so nobody acts for another visitor.
  nonisolated let id = UUID().uuidString
  /// Says that there may be something to tell.
  private let signals: AsyncStream<Void>
  private nonisolated let signal: AsyncStream<Void>.Continuation
  /// Whether something has changed since the last event was made.
  private nonisolated let isChanged = Atomic(false)
  private let films: FilmsScreen
  private let live: LiveScreen
  private var told: Update?
  private var shown: Regions = [:]
  private var newestAction = 0
  private var isAtEnd = false

  /// Shows the state of a URL. It ends with its last reference.
  init(films: FilmsScreen, client: SearchClient, query: String) throws {
    self.films = films
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let searcher = HitsSearcher(client: client, indexName: FilmsCatalogue.films)
    live = try searcher.connect(films.screen)
    try live.setUIState(films.read(query: query).state, searchesOnChange: false)
  }

  deinit { signal.finish() }

  /// Begins the search.
  func start() {
    live.searcher.submit()
    live.updates().subscribe { [weak self] _ in self?.tell() }
  }

  /// Performs what a link does, or a form with its fields.
  ///
  /// A link is of the state that the page has shown, so one that comes late would undo what has
  /// come before it.
  func perform(_ action: Int, _ change: Change) throws {
    switch change {
    case .link where action <= newestAction: return
    case .link(let query): try live.setUIState(films.read(query: query).state)
    case .form(let name, let fields): try films.perform(name, fields, on: live)
    }
    newestAction = max(newestAction, action)
    tell()
  }

  // snippet.stream
  /// There may be something to tell.
  private nonisolated func tell() {
    isChanged.store(true, ordering: .sequentiallyConsistent)
    signal.yield()
  }

  /// Sends something, so that a connection that is gone ends.
  nonisolated func keepAlive() { signal.yield() }

  /// Ends the events, after one that says so.
  nonisolated func end() { signal.finish() }

  /// The events. Each is made when the connection can send it, so a slow browser receives the
  /// newest state, and no event waits in memory.
  nonisolated var events: AsyncStream<[UInt8]> { AsyncStream { await self.nextEvent() } }

  private func nextEvent() async -> [UInt8]? {
    for await _ in signals { return event() }
    if isAtEnd { return nil }
    isAtEnd = true
    // The page hears that the server ends, and not only that the connection is gone.
    return ServerSentEvent("", name: "end").bytes
  }
  // snippet.end

  /// The regions that have changed, or a comment if there is nothing to tell, or if newer results
  /// are about to come.
  private func event() -> [UInt8] {
    guard isChanged.exchange(false, ordering: .sequentiallyConsistent) else {
      return ServerSentEvent.keepAlive
    }
    let results = live.current
    // The suggestions are a part of the same event: to render twice would cost twice as much.
    let isPending = results.isPending || results.view(of: films.box).isLoading
    guard !isPending, let update = try? update(results), let data = try? update.json() else {
      return ServerSentEvent.keepAlive
    }
    return ServerSentEvent(data, name: "update").bytes
  }

  /// What has changed; `nil` if nothing has.
  private func update(_ results: ScreenResults) throws -> Update? {
    let renderer = FilmsRenderer(films: films, results: results)
    let regions = try renderer.regions()
    let changed = regions.filter { shown[$0.key] != $0.value }
    shown = regions
    let update = Update(
      visitor: id, action: newestAction, query: renderer.query, title: renderer.title,
      regions: changed.mapValues(\.text))
    let isNew =
      !changed.isEmpty || update.action != told?.action || update.query != told?.query
    told = update
    return isNew ? update : nil
  }
}

/// What a user does.
enum Change: Sendable {
  /// Follows a link to the state of a URL.
  case link(query: String)
  /// Changes a form.
  case form(name: String, fields: [String: String])
}
