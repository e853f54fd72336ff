/// The decisions of a hits interactor, as a pure value: an event goes in, actions come out.
///
/// - A newer request leaves the rows as they are and marks them as loading; the answer of the
///   newest search takes their place, any other answer is dropped.
/// - Pages are loaded only while the rows belong to the newest search and none is due or under way.
///   A newer search ends every page load.
/// - A page is on its way at most once. One that failed or was cancelled can be asked for again.
/// - Presented rows load at most ``loadLimit`` pages at once, the nearest to the newest row first.
///   Loads of pages so far away by now that they would not be kept end.
/// - Pages far from the row presented last are dropped; the number of rows stays.
package struct HitsStateMachine<Record: Decodable & Sendable>: Sendable {
  package typealias Map = PageMap<Record>

  /// A page that is loaded.
  package struct Load: Sendable, Hashable {
    package let id: UInt64
    package let page: Int
  }

  /// Which page a caller wants.
  package enum Direction: Sendable {
    case next, previous
  }

  /// What came of a caller's load.
  package enum PageLoad: Sendable {
    case loaded
    case noSuchPage
    /// A newer search is due or under way: ask again when its answer is shown.
    case unsettled
  }

  /// What the driver has to do, in order.
  package enum Action: Sendable {
    case publish(HitsState<Record>)
    case report(SearchError)
    /// Load that page of the search and send `loadEnded`; the response is the search's answer.
    case load(Load, of: HitsResponse?)
    /// The load of that ID is not wanted any more.
    case cancelLoad(UInt64)
    /// The caller of that ID receives what came of its load.
    case resume(caller: UInt64, Result<PageLoad, SearchError>)
    /// Release these outside of any lock.
    case discard([any Sendable])
  }

  struct Pending {
    let id: UInt64
    var isForRows = false
    var callers: [UInt64] = []
  }

  /// The part of the list that is looked at.
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
  var response: HitsResponse?
  private var generation: UInt64 = 0
  var focus: Focus?
  /// The parts whose rows were presented and that miss pages, newest first.
  var wanted: [Focus] = []

  /// The searcher's status, without its answer; `nil` without a searcher.
  private(set) var newest: HitsSearcherStatus?
  /// Why the newest search of a previous searcher failed; `nil` with a searcher.
  private var previousFailure: SearchError?
  /// Whether the rows came from the current searcher.
  var isAttached = false
  /// Whether the newest answer is there and being decoded.
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

// MARK: - What is shown

extension HitsStateMachine {
  /// What tells two displayed states apart, without a comparison of their records.
  private struct Version: Sendable, Equatable {
    var rows: UInt64 = 0
    var generation: UInt64 = 0
    var status = HitsStatus()
  }

  /// The pages that are shown; `nil` before the first answer and while the rows are hidden.
  package var visible: Map? { isHidden ? nil : map }

  /// What is shown.
  package var displayedState: HitsState<Record> {
    var state = HitsState<Record>()
    state.rows = HitsRows(visible)
    state.nbHits = isHidden ? 0 : nbHits
    state.request = request
    state.generation = generation
    state.isLoading = isLoading
    state.isLoadingPage = !pending.isEmpty
    state.failure = newest?.failure ?? previousFailure
    return state
  }

  /// How often the rows and the request changed.
  package var revisions: HitsRevisions {
    HitsRevisions(
      rows: rowsRevision, request: requestRevision, statusChanges: statusRevision,
      status: published.status)
  }

  /// Whether the load is still wanted.
  package func wants(_ load: Load) -> Bool { pending[load.page]?.id == load.id }

  var isLoading: Bool { isDecoding || newest?.isPending == true }

  /// Whether more pages may be loaded: the rows are those of the newest request.
  var isCurrent: Bool {
    isAttached && !isLoading && newest != nil && newest?.request == request
  }

  /// Rows are hidden while the text they answer, or the text typed since, is empty.
  private var isHidden: Bool {
    if showItemsOnEmptyQuery { return false }
    return [request, newest?.request ?? request].contains { ($0?.query.query ?? "").isEmpty }
  }

  /// Publishes what is shown if it is not what was published last.
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
  /// - Parameter page: The status's answer, decoded; `nil` when there is none that needs to be
  ///   shown, or when it comes later with `answered`.
  package mutating func statusChanged(
    _ status: HitsSearcherStatus, page: HitsPage<Record>? = nil
  ) -> [Action] {
    let previous = newest
    newest = status
    newest?.answer = nil
    previousFailure = nil
    let needsAnswer = needsAnswer(of: status)
    isDecoding = needsAnswer && page == nil
    // A searcher that was not followed before is compared with what is shown.
    if let before = previous?.request ?? request, before != status.request { requestRevision += 1 }
    var actions: [Action] = []
    if previous?.generation != status.generation || !isCurrent {
      actions = abandonLoads(
        with: SearchError(.superseded, "A newer search superseded this one."))
    }
    if needsAnswer, let page { return actions + answered(page, response: status.answer) }
    return actions + publish()
  }

  /// Whether the status has an answer that is not shown yet.
  package func needsAnswer(of status: HitsSearcherStatus) -> Bool {
    guard let answer = status.answer, answer.generation == status.generation else {
      return false
    }
    return !status.isPending && !(isAttached && generation == answer.generation)
  }

  /// Whether the newest answer is being decoded.
  package var awaitsAnswer: Bool { isDecoding }

  /// The answer of a search was decoded.
  package mutating func answered(
    _ page: HitsPage<Record>, response: HitsResponse? = nil
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

  /// There is no searcher any more. The rows and their failure stay; nothing is loaded.
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
