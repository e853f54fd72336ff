/// The decisions of a hits interactor, as a value without effects: events in, actions out.
///
/// - A newer request keeps the rows and marks them as loading. The response of the newest search
///   replaces them. Any other response is dropped.
/// - Pages are loaded only while the rows belong to the newest search and no search is pending. A
///   newer search ends every page load.
/// - A page has at most one load at a time. After a failure or a cancellation it can be loaded
///   again.
/// - Presented rows load at most ``loadLimit`` pages at once, the nearest to the newest row first.
///   A load ends when its page is so far away that it would not be kept.
/// - Pages far from the last presented row are dropped. The number of rows stays the same.
package struct HitsStateMachine<Record: Decodable & Sendable>: Sendable {
  package typealias Map = PageMap<Record>

  /// The load of a page.
  package struct Load: Sendable, Hashable {
    package let id: UInt64
    package let page: Int
  }

  /// The requested page, relative to the loaded pages.
  package enum Direction: Sendable {
    case next, previous
  }

  /// The outcome of a caller's request for a page.
  package enum PageLoad: Sendable {
    case loaded
    case noSuchPage
    /// A newer search is pending. Request the page again when its response is shown.
    case unsettled
  }

  /// An action of the driver. Actions are performed in order.
  package enum Action: Sendable {
    case publish(HitsState<Record>)
    case report(SearchError)
    /// Load a page of the search with this response, and report `loadEnded`.
    case load(Load, of: SearchAnswer?)
    /// Cancel the load with this ID.
    case cancelLoad(UInt64)
    /// Resume the caller with this ID.
    case resume(caller: UInt64, Result<PageLoad, SearchError>)
    /// Release these values without any lock.
    case discard([any Sendable])
  }

  struct Pending {
    let id: UInt64
    var isForRows = false
    var callers: [UInt64] = []
  }

  /// The page of a presented row, and the pages to load around the row.
  struct Focus {
    var page: Int
    var window: ClosedRange<Int>
  }

  let infiniteScrolling: InfiniteScrolling
  private let showItemsOnEmptyQuery: Bool
  let pageCleanUpOffset: Int?

  var map: Map?
  var nbHits = 0
  private var request: SearchRequest<JSON>?
  var response: SearchAnswer?
  private var generation: UInt64 = 0
  var focus: Focus?
  /// The focuses of presented rows that miss pages, newest first.
  var wanted: [Focus] = []

  /// The searcher's status, without its response. `nil` without a searcher.
  private(set) var newest: HitsSearcherStatus?
  /// The error of the newest search of a previous searcher. `nil` with a searcher.
  private var previousFailure: SearchError?
  /// Whether the rows belong to the current searcher.
  var isAttached = false
  /// Whether the newest response is being decoded.
  private var isDecoding = false

  var pending: [Int: Pending] = [:]
  var nextLoadID: UInt64 = 0
  private var published: Version
  private var wasHidden: Bool
  private var requestRevision: UInt64 = 0
  private var statusRevision: UInt64 = 0
  var rowsRevision: UInt64 = 0

  package init(
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    pageCleanUpOffset: Int? = 3
  ) {
    self.infiniteScrolling = infiniteScrolling
    self.showItemsOnEmptyQuery = showItemsOnEmptyQuery
    self.pageCleanUpOffset = pageCleanUpOffset
    published = Version()
    wasHidden = !showItemsOnEmptyQuery
  }
}

// MARK: - Displayed rows

extension HitsStateMachine {
  /// Distinguishes displayed states without a comparison of their records.
  private struct Version: Sendable, Equatable {
    var rows: UInt64 = 0
    var generation: UInt64 = 0
    var status = HitsStatus()
  }

  /// The displayed pages. `nil` before the first response and while the rows are hidden.
  package var visible: Map? { isHidden ? nil : map }

  /// The displayed state.
  package var displayedState: HitsState<Record> {
    var state = HitsState<Record>()
    state.hits = HitsRows(visible)
    state.nbHits = isHidden ? 0 : nbHits
    state.request = request
    state.generation = generation
    state.isLoading = isLoading
    state.isLoadingPage = !pending.isEmpty
    state.failure = newest?.failure ?? previousFailure
    return state
  }

  /// The numbers of changes of the rows, the request and the status.
  package var revisions: HitsRevisions {
    HitsRevisions(
      rows: rowsRevision, request: requestRevision, statusChanges: statusRevision,
      status: published.status)
  }

  /// Whether a load has neither ended nor been cancelled.
  package func wants(_ load: Load) -> Bool { pending[load.page]?.id == load.id }

  var isLoading: Bool { isDecoding || newest?.isPending == true }

  /// Whether pages can be loaded, because the rows belong to the newest request.
  var isCurrent: Bool {
    isAttached && !isLoading && newest != nil && newest?.request == request
  }

  /// Whether the rows are hidden, because the text of their query or of the newest one is empty.
  private var isHidden: Bool {
    if showItemsOnEmptyQuery { return false }
    return [request, newest?.request ?? request].contains { ($0?.query.query ?? "").isEmpty }
  }

  /// Publishes the displayed state if it has changed.
  mutating func publish() -> [Action] {
    if isHidden != wasHidden {
      wasHidden.toggle()
      rowsRevision += 1
    }
    let state = displayedState
    let version = Version(rows: rowsRevision, generation: generation, status: state.status)
    if version == published { return [] }
    if version.status != published.status { statusRevision += 1 }
    published = version
    return [.publish(state)]
  }
}

// MARK: - The searcher

extension HitsStateMachine {
  /// The searcher's status changed.
  ///
  /// - Parameter page: The decoded response of the status. `nil` if no response needs to be shown,
  ///   or if it follows with `responseDecoded`.
  package mutating func statusChanged(
    _ status: HitsSearcherStatus, page: HitsPage<Record>? = nil
  ) -> [Action] {
    let previous = newest
    newest = status
    newest?.response = nil
    previousFailure = nil
    let needsResponse = needsResponse(of: status)
    isDecoding = needsResponse && page == nil
    // The first request of a new searcher is compared with the displayed one.
    if let before = previous?.request ?? request, before != status.request { requestRevision += 1 }
    var actions: [Action] = []
    if previous?.generation != status.generation || !isCurrent {
      actions = abandonLoads(
        with: SearchError(.superseded, "A newer search superseded this one."))
    }
    if needsResponse, let page { return actions + responseDecoded(page, response: status.response) }
    return actions + publish()
  }

  /// Whether the status has a response that is not shown yet.
  package func needsResponse(of status: HitsSearcherStatus) -> Bool {
    guard let response = status.response, response.generation == status.generation else {
      return false
    }
    return !status.isPending && !(isAttached && generation == response.generation)
  }

  /// The response of a search was decoded.
  package mutating func responseDecoded(
    _ page: HitsPage<Record>, response: SearchAnswer? = nil
  ) -> [Action] {
    guard let newest, page.generation == newest.generation else { return [] }
    let old: [(any Sendable)?] = [map, self.response]
    let new = Map(page, response: response)
    map = new
    nbHits = max(0, page.nbHits)
    request = response?.request ?? page.request?.reading(JSON.self)
    self.response = response
    generation = page.generation
    focus = Focus(page: new.firstNumber, window: new.firstNumber...new.firstNumber)
    isAttached = true
    isDecoding = false
    rowsRevision += 1
    return publish() + report(page) + [.discard(old.compactMap { $0 })]
  }

  /// The searcher was disconnected. The rows and their failure stay, and no pages are loaded.
  package mutating func disconnected() -> [Action] {
    previousFailure = newest?.failure
    newest = nil
    isAttached = false
    isDecoding = false
    let error = SearchError(.cancelled, "The searcher was disconnected.")
    return abandonLoads(with: error) + publish()
  }

  func report(_ page: HitsPage<Record>) -> [Action] {
    page.failureError.map { [.report($0)] } ?? []
  }
}
