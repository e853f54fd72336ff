import AsyncInstantSearch
import InstantSearchService

/// One open page: a live screen, and the events that its browser reads.
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

  nonisolated let events: AsyncStream<[UInt8]>
  private nonisolated let continuation: AsyncStream<[UInt8]>.Continuation
  private let id: String
  private let films: FilmsScreen
  private let live: LiveScreen
  private var shown: Regions = [:]
  private var newestAction = 0

  /// Shows the state of a URL. It ends with its last reference.
  init(id: String, films: FilmsScreen, client: SearchClient, query: String) throws {
    self.id = id
    self.films = films
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    let searcher = HitsSearcher(client: client, indexName: FilmsCatalogue.films)
    live = try searcher.connect(films.screen)
    try live.setUIState(films.screen.read(query: query).state, searchesOnChange: false)
  }

  deinit { continuation.finish() }

  /// Begins to send updates.
  func start() {
    live.searcher.submit()
    live.updates().subscribe { [weak self] _ in await self?.show() }
  }

  /// Performs what a link does, or a form with its fields.
  func perform(_ action: Int, _ change: Change) throws {
    switch change {
    case .link(let query): try live.setUIState(films.screen.read(query: query).state)
    case .form(let name, let fields): _ = try films.perform(name, fields, on: live)
    }
    newestAction = max(newestAction, action)
    show()
  }

  /// Sends the regions that have changed, when no search is pending.
  private func show() {
    let results = live.current
    if results.isPending { return }
    let renderer = FilmsRenderer(films: films, results: results)
    let regions = (try? renderer.regions()) ?? shown
    let changed = regions.filter { shown[$0.key] != $0.value }
    shown = regions
    send(
      Update(
        visitor: id, action: newestAction, query: renderer.query, title: renderer.title,
        regions: changed.mapValues(\.text)))
  }

  private var last: Update?

  /// Sends an update, unless it says nothing new.
  private func send(_ update: Update) {
    if let last, update.regions.isEmpty, update.action == last.action, update.query == last.query {
      return
    }
    last = update
    guard let data = try? update.json() else { return }
    continuation.yield(ServerSentEvent(data, name: "update").bytes)
  }

  /// Sends a comment, so that a connection that is gone ends.
  nonisolated func keepAlive() { continuation.yield(ServerSentEvent.keepAlive) }

  /// Tells the page that the server ends, and ends the events.
  nonisolated func end() {
    continuation.yield(ServerSentEvent("", name: "end").bytes)
    continuation.finish()
  }
}

/// What a user does.
enum Change: Sendable {
  /// Follows a link to the state of a URL.
  case link(query: String)
  /// Changes a form.
  case form(name: String, fields: [String: String])
}
