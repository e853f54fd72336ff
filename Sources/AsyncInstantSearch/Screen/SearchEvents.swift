/// The events of a searcher's users: views of hits, clicks on them, and choices of filters.
///
/// The object only publishes events; an insights client sends them.
///
/// ```swift
/// let events = SearchEvents()
/// events.connectSearcher(searcher)
/// for await event in events.events { try await insights.track(event) }
/// try events.click(hit)  // elsewhere
/// ```
///
/// All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - Every search of the searcher sets `clickAnalytics`, and `userToken` if there is one. Results
///   that are restored from a server are used only if the server's search set the same values.
/// - The hits of each response that is displayed while the searcher is idle are viewed, each record
///   once for each query ID.
/// - An action of a connected widget that switches on a value of a facet, a path, a rating or a
///   toggle is a click on filters. Deselecting a filter or changing a range is not a click.
/// - Clicks and conversions are published by ``click(_:named:)`` and ``convert(_:named:)``. Views
///   of other pages that a list has loaded are published by ``view(_:)``.
/// - Nothing is tracked by itself, so consent is a matter of the loop that reads the events.
/// - No shutdown is needed: when the object is deallocated, it is disconnected and its streams end.
public final class SearchEvents: Sendable {
  /// The names of the events.
  public struct Names: Sendable, Hashable {
    /// The name of a view of hits.
    public var view: String
    /// The name of a click on a hit.
    public var click: String
    /// The name of a conversion of a hit.
    public var conversion: String
    /// The name of a choice of filters.
    public var filters: String

    /// Creates names.
    ///
    /// - Parameters:
    ///   - view: The name of a view of hits. Defaults to "Hits Viewed".
    ///   - click: The name of a click on a hit. Defaults to "Hit Clicked".
    ///   - conversion: The name of a conversion of a hit. Defaults to "Hit Converted".
    ///   - filters: The name of a choice of filters. Defaults to "Filter Applied".
    public init(
      view: String = "Hits Viewed", click: String = "Hit Clicked",
      conversion: String = "Hit Converted", filters: String = "Filter Applied"
    ) {
      self.view = view
      self.click = click
      self.conversion = conversion
      self.filters = filters
    }
  }

  /// The number of events that wait for a consumer. Further ones replace the oldest.
  public static let maximumWaitingEvents = 1_000

  /// The names of the events.
  public let names: Names
  /// The user, as the searches name it; `nil` if they do not.
  public let userToken: String?
  private let log: EventLog
  /// The first subscription, which has the events from the beginning, until it is taken.
  private let first: Lock<AsyncStream<SearchEvent>?>

  /// Declares what the events need from searches.
  private let interactor: WidgetInteractor<EventTracking>

  /// Creates an object without a connection.
  ///
  /// - Parameters:
  ///   - names: The names of the events.
  ///   - userToken: The user token, set in every search; it should match the token of the insights
  ///     client. Defaults to `nil`: searches name no user.
  public init(names: Names = Names(), userToken: String? = nil) {
    self.names = names
    self.userToken = userToken
    let log = EventLog(names: names)
    self.log = log
    interactor = WidgetInteractor(
      EventTracking(userToken: userToken),
      WidgetOutput(EventTracking.View()) { log.stage($0) })
    first = Lock(log.hub.stream(buffering: .newest(Self.maximumWaitingEvents)))
  }

  deinit {
    log.hub.finish()
  }

  /// The events, in order.
  ///
  /// The first access returns a stream with all events since the object was created. Each further
  /// access creates a new subscription, which begins with the next event. Up to
  /// ``maximumWaitingEvents`` events wait for a slow consumer.
  public var events: AsyncStream<SearchEvent> {
    let first = first.withLock { $0.take() }
    return first ?? log.hub.stream(buffering: .newest(Self.maximumWaitingEvents))
  }
}

// MARK: - Events by hand

extension SearchEvents {
  /// Publishes a click on a hit of the searcher.
  ///
  /// - Parameters:
  ///   - hit: The hit.
  ///   - name: The event's name. Defaults to the name in ``names``.
  /// - Throws: `invalidRequest` for a hit without a position or query ID, or if no searcher is
  ///   connected.
  public func click<T>(_ hit: Hit<T>, named name: String? = nil) throws(SearchError) {
    log.hub.send(try .click(on: hit, named: name ?? names.click, in: indexName()))
  }

  /// Publishes a conversion of a hit of the searcher.
  ///
  /// - Parameters:
  ///   - hit: The hit.
  ///   - name: The event's name. Defaults to the name in ``names``.
  /// - Throws: `invalidRequest` for a hit without a query ID, or if no searcher is connected.
  public func convert<T>(_ hit: Hit<T>, named name: String? = nil) throws(SearchError) {
    log.hub.send(try .conversion(of: hit, named: name ?? names.conversion, in: indexName()))
  }

  /// Publishes views of hits that the searcher did not publish, such as hits on further pages of a
  /// list.
  ///
  /// - Throws: `invalidRequest` if no searcher is connected.
  public func view<T>(_ hits: [Hit<T>]) throws(SearchError) {
    let effects = log.stage(hits.map(ViewedHits.ID.init), in: try indexName())
    for effect in effects { effect() }
  }

  /// The index of the newest response, or else of the searcher's request.
  private func indexName() throws(SearchError) -> String {
    guard let searcher = interactor.searcher else {
      throw SearchError(
        .invalidRequest, "The SearchEvents are not connected. Connect them to a searcher first.")
    }
    return log.indexName ?? searcher.request.indexName
  }
}

// MARK: - The searcher

extension SearchEvents {
  /// Connects the events to a searcher in place of the previous one.
  ///
  /// Connecting does not search. Connecting the same searcher again has no effect and returns the
  /// same connection. Neither object retains the other.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: HitsSearcher) -> Connection {
    interactor.connect(searcher) { [log] place in
      log.reset()
      searcher.screen.reportClicks(
        to: { [weak log] filters, indexName in log?.clicked(filters, in: indexName) },
        until: place.id)
    }
  }
}

/// The events, and the hits that were viewed.
private final class EventLog: Sendable {
  let hub = StreamHub<SearchEvent>(replaysCurrent: false)
  private let names: SearchEvents.Names
  private let views = Lock(ViewedHits())

  init(names: SearchEvents.Names) {
    self.names = names
  }

  /// The index of the newest response.
  var indexName: String? { views.withLock { $0.indexName } }

  /// Forgets the hits of a searcher.
  func reset() { views.withLock { $0 = ViewedHits() } }

  /// Publishes the views of hits that are displayed. Called under the lock of the screen.
  func stage(_ view: EventTracking.View) -> [@Sendable () -> Void] {
    guard let hits = view.hits else { return [] }
    return stage { [names] in
      $0.add(hits.ids, queryID: hits.queryID, in: hits.indexName, named: names.view)
    }
  }

  /// Publishes the views of other hits.
  func stage(_ hits: [ViewedHits.ID], in indexName: String) -> [@Sendable () -> Void] {
    stage { [names] in $0.add(hits, in: indexName, named: names.view) }
  }

  private func stage(
    _ add: (inout ViewedHits) -> [SearchEvent]
  ) -> [@Sendable () -> Void] {
    views.withLock { add(&$0) }.map { event in
      let delivery = hub.stage(event)
      return { delivery.perform() }
    }
  }

  func clicked(_ filters: [Filter], in indexName: String) {
    for event in SearchEvent.choices(of: filters, named: names.filters, in: indexName) {
      hub.send(event)
    }
  }
}

/// The needs of the events, and the displayed hits.
private struct EventTracking: RecordWidget, StatusWidget {
  typealias Record = Hit<UnreadRecord>

  struct View: Sendable, Equatable {
    var hits: DisplayedHits?
  }

  /// The hits of one response.
  struct DisplayedHits: Sendable, Equatable {
    let ids: [ViewedHits.ID]
    let queryID: String?
    let indexName: String
    let results: IndexResults

    static func == (left: Self, right: Self) -> Bool {
      left.results.isSameAnswer(as: right.results)
    }
  }

  let userToken: String?

  func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.query.clickAnalytics = true
    if let userToken { needs.query.userToken = userToken }
  }

  /// The hits of the newest response while the searcher is idle.
  func view(_ context: Context) -> View {
    guard context.status == .idle, let results = context.results else { return View() }
    let page = results.page(of: Record.self)
    return View(
      hits: DisplayedHits(
        ids: page.hits.map(ViewedHits.ID.init), queryID: page.queryID,
        indexName: results.plan.indexName, results: results))
  }
}

/// The hits that were viewed since the newest query.
private struct ViewedHits: Sendable {
  /// A hit and the query that found it.
  struct ID: Sendable, Hashable {
    let objectID: String
    let queryID: String?

    init(_ hit: Hit<some Decodable & Sendable>) {
      objectID = hit.objectID
      queryID = hit.searchMetadata.queryID
    }
  }

  /// The index of the newest response.
  private(set) var indexName: String?
  private var queryID: String?
  private var seen: Set<ID> = []

  /// Adds the hits of a response, and returns their views. A response with another query ID, or
  /// without one, forgets all others.
  mutating func add(
    _ hits: [ID], queryID: String?, in indexName: String, named name: String
  ) -> [SearchEvent] {
    if queryID == nil || queryID != self.queryID { seen = [] }
    self.queryID = queryID
    self.indexName = indexName
    return add(hits, in: indexName, named: name)
  }

  /// Adds hits, and returns the view events of hits that were not viewed before.
  mutating func add(_ hits: [ID], in indexName: String, named name: String) -> [SearchEvent] {
    var unseen: [ID] = []
    for hit in hits where seen.insert(hit).inserted { unseen.append(hit) }
    let byQuery = Dictionary(grouping: unseen, by: \.queryID)
    // In the order in which the queries occur first.
    var events: [SearchEvent] = []
    var done: Set<String?> = []
    for hit in unseen where done.insert(hit.queryID).inserted {
      events += SearchEvent.views(
        of: (byQuery[hit.queryID] ?? []).map(\.objectID), queryID: hit.queryID, named: name,
        in: indexName)
    }
    return events
  }
}
