/// What a ``HitsInteractor`` shows at one moment, as one consistent value.
public struct HitsSnapshot<Record: Decodable & Sendable>: Sendable {
  /// The rows, loaded or not; empty while they are hidden because the query is empty.
  public internal(set) var rows = HitsRows<Record>(nil)
  /// How many hits the search has, counted by the server; may be more than can be reached by pages.
  public internal(set) var nbHits = 0
  /// The request whose answer the rows are; `nil` before the first answer.
  public internal(set) var request: SearchRequest<JSON>?
  /// The number of the search whose answer the rows are; 0 before the first answer.
  public internal(set) var generation: UInt64 = 0
  /// Whether a search is due or under way whose answer will take the place of the rows. Until it
  /// comes the rows are those of the answer before.
  public internal(set) var isLoading = false
  /// Whether more pages of the same search are on their way.
  public internal(set) var isLoadingPage = false
  /// Why the newest search has no answer, if it failed or its searcher was released before it
  /// ended; the rows are those of the answer before.
  public internal(set) var failure: SearchError?

  /// The text of the query whose answer the rows are; `nil` when it has none.
  public var query: String? { request?.query.query }
  /// The number of rows, loaded or not.
  public var numberOfHits: Int { rows.count }
  /// What a screen shows beside the rows.
  public var status: HitsStatus {
    HitsStatus(isLoading: isLoading, isLoadingPage: isLoadingPage, failure: failure)
  }
}

extension HitsSnapshot: Equatable where Record: Equatable {}

/// Whether a list waits for something, and what went wrong: what a screen shows beside the rows.
public struct HitsStatus: Sendable, Equatable {
  /// Whether a search is due or under way whose answer will take the place of the rows.
  public var isLoading: Bool
  /// Whether more pages of the same search are on their way.
  public var isLoadingPage: Bool
  /// Why the newest search has no answer, if it failed; of a list in sections, the first failure.
  public var failure: SearchError?

  /// Creates a status; by default one of a list that waits for nothing.
  public init(isLoading: Bool = false, isLoadingPage: Bool = false, failure: SearchError? = nil) {
    self.isLoading = isLoading
    self.isLoadingPage = isLoadingPage
    self.failure = failure
  }
}

/// How often something changed that a view must act on.
package struct HitsRevisions: Sendable, Equatable {
  /// The rows.
  package var rows: UInt64 = 0
  /// The request.
  package var request: UInt64 = 0
  /// The status.
  package var statusChanges: UInt64 = 0
  /// What the status is now.
  package var status = HitsStatus()

  package init(
    rows: UInt64 = 0, request: UInt64 = 0, statusChanges: UInt64 = 0,
    status: HitsStatus = HitsStatus()
  ) {
    self.rows = rows
    self.request = request
    self.statusChanges = statusChanges
    self.status = status
  }

  /// All changes together: of two of one source, the newer one has more.
  package var count: UInt64 { rows &+ request &+ statusChanges }
}
