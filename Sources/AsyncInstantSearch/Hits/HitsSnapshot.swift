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
  /// Why the newest search has no answer, if it failed; the rows are those of the answer before.
  public internal(set) var failure: SearchError?

  /// The text of the query whose answer the rows are; `nil` when it has none.
  public var query: String? { request?.query.query }
  /// The number of rows, loaded or not.
  public var numberOfHits: Int { rows.count }
  /// The rows as an array, with `nil` for each that is not loaded.
  public var hits: [Record?] { Array(rows) }
}

extension HitsSnapshot: Equatable where Record: Equatable {}

/// How often something changed that a view must act on.
package struct HitsRevisions: Sendable, Equatable {
  /// The rows.
  package var rows: UInt64 = 0
  /// The request.
  package var request: UInt64 = 0

  package init(rows: UInt64 = 0, request: UInt64 = 0) {
    self.rows = rows
    self.request = request
  }
}
