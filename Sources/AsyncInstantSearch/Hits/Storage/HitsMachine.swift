/// The decisions of a hits interactor, as a pure value: an event goes in, actions come out.
///
/// - A newer request leaves the rows as they are and marks them as loading; the answer of the newest
///   search takes their place, any other answer is dropped.
/// - Pages are loaded only while the rows belong to the newest request and no search is due or under
///   way. A newer search ends every page load.
/// - A page is on its way at most once. One that failed or was cancelled can be asked for again.
/// - Pages far from the row presented last are dropped; the number of rows stays.
package struct HitsMachine<Record: Decodable & Sendable>: Sendable {
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

  /// What the storage has to do, in order.
  package enum Action: Sendable {
    case publish(HitsSnapshot<Record>)
    case report(SearchError)
    /// Load that page of the search and send `loadEnded`; the response is the search's answer.
    case load(Load, of: HitsResponse?)
    /// The load of that ID is not wanted any more.
    case cancelLoad(UInt64)
    /// The caller of that ID receives whether a page was loaded.
    case resume(caller: UInt64, Result<Bool, SearchError>)
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

  /// Where the searcher stands, without its answer; `nil` without a searcher.
  private var newest: HitsStanding?
  /// Whether the rows came from the searcher of now.
  var isAttached = false
  /// Whether the newest answer is there and being decoded.
  private var isDecoding = false

  var pending: [Int: Pending] = [:]
  var nextLoadID: UInt64 = 0
  private var published: Face
  private var wasHidden: Bool
  private var requestRevision: UInt64 = 0
  var rowsRevision: UInt64 = 0

  package init(
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    pageCleanUpOffset: Int? = 3
  ) {
    self.infiniteScrolling = infiniteScrolling
    self.showItemsOnEmptyQuery = showItemsOnEmptyQuery
    self.pageCleanUpOffset = pageCleanUpOffset
    published = Face()
    wasHidden = !showItemsOnEmptyQuery
  }
}

// MARK: - What is shown

extension HitsMachine {
  /// What of a snapshot can differ between two, without the records.
  private struct Face: Sendable, Equatable {
    var rows: UInt64 = 0
    var generation: UInt64 = 0
    var isLoading = false
    var isLoadingPage = false
    var failure: SearchError?
  }

  /// The pages that are shown; `nil` before the first answer and while the rows are hidden.
  package var visible: Map? { isHidden ? nil : map }

  /// What is shown.
  package var snapshot: HitsSnapshot<Record> {
    var snapshot = HitsSnapshot<Record>()
    snapshot.rows = HitsRows(visible)
    snapshot.nbHits = isHidden ? 0 : nbHits
    snapshot.request = request
    snapshot.generation = generation
    snapshot.isLoading = isLoading
    snapshot.isLoadingPage = !pending.isEmpty
    snapshot.failure = newest?.failure
    return snapshot
  }

  /// How often the rows and the request changed.
  package var revisions: HitsRevisions {
    HitsRevisions(rows: rowsRevision, request: requestRevision)
  }

  /// Whether the load is still wanted.
  package func wants(_ load: Load) -> Bool { pending[load.page]?.id == load.id }

  private var isLoading: Bool { isDecoding || newest?.isPending == true }

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
    let face = Face(
      rows: rowsRevision, generation: generation, isLoading: isLoading,
      isLoadingPage: !pending.isEmpty, failure: newest?.failure)
    if face == published { return [] }
    published = face
    return [.publish(snapshot)]
  }
}

// MARK: - The searcher

extension HitsMachine {
  /// The searcher stands there now. Its answer, if it is one to be shown, comes with `answered`.
  package mutating func stood(_ standing: HitsStanding) -> [Action] {
    let former = newest
    newest = standing
    newest?.answer = nil
    isDecoding = expectsAnswer(of: standing)
    // A searcher that was not followed before is compared with what is shown.
    if let before = former?.request ?? request, before != standing.request { requestRevision += 1 }
    var actions: [Action] = []
    if former?.generation != standing.generation || !isCurrent {
      actions = abandonLoads(
        with: SearchError(.superseded, "A newer search took the place of this one."))
    }
    return actions + publish()
  }

  /// Whether the standing has an answer that is not shown yet.
  package func expectsAnswer(of standing: HitsStanding) -> Bool {
    guard let answer = standing.answer, answer.generation == standing.generation else {
      return false
    }
    return !standing.isPending && !(isAttached && generation == answer.generation)
  }

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

  /// There is no searcher any more. The rows stay; nothing is loaded.
  package mutating func disconnected() -> [Action] {
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
