/// What a ``HitsInteractor`` shows at one moment, as one consistent value.
public struct HitsState<Record: Decodable & Sendable>: Sendable {
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

extension HitsState: Equatable where Record: Equatable {}

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

/// The rows of a list of hits. A row that is not loaded is `nil`.
///
/// A hit that does not fit `Record` leaves its row `nil` as well. Asking for a row that does not
/// exist gives `nil`.
///
/// - Complexity: a copy and each access take constant time, however many rows there are.
public struct HitsRows<Record: Decodable & Sendable>: RandomAccessCollection, Sendable {
  private let map: PageMap<Record>?

  package init(_ map: PageMap<Record>?) { self.map = map }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { map?.rowCount ?? 0 }

  /// The record of a row.
  public subscript(row: Int) -> Record? { map?[row] }

  /// The records that are loaded, in order, without the gaps.
  public var loaded: [Record] { map?.loadedRecords ?? [] }

  /// The same records with their rows.
  var loadedRows: [(row: Int, record: Record)] { map?.loadedRows ?? [] }
}

extension HitsRows: Equatable where Record: Equatable {
  /// Whether both have the same rows.
  public static func == (left: HitsRows, right: HitsRows) -> Bool { left.elementsEqual(right) }
}

/// A row of a list of hits and one place of its record: a pin on a map.
///
/// A record with several places gives several of them.
public struct LocatedHit<Record> {
  /// The row and the number of the place, which no other pin of the same list has.
  public struct ID: Sendable, Hashable {
    /// The row, from 0.
    public let row: Int
    /// The number of the place among those of its record, from 0.
    public let place: Int
  }

  /// The row and the number of the place.
  public let id: ID
  /// The record.
  public let record: Record
  /// The place.
  public let point: Point

  /// The row, from 0.
  public var row: Int { id.row }
}

extension LocatedHit: Identifiable {}
extension LocatedHit: Sendable where Record: Sendable {}
extension LocatedHit: Equatable where Record: Equatable {}
extension LocatedHit: Hashable where Record: Hashable {}

extension HitsRows where Record: Geolocated {
  /// The places of the records that are loaded, in the order of the rows. A record without a place
  /// gives none.
  ///
  /// - Complexity: O(n) in the number of loaded records, however many rows there are.
  public var locatedHits: [LocatedHit<Record>] {
    loadedRows.flatMap { row, record in
      (record.geolocation?.values ?? []).enumerated().map { place, point in
        LocatedHit(id: LocatedHit.ID(row: row, place: place), record: record, point: point)
      }
    }
  }

  /// The smallest box that holds the places of the records that are loaded; `nil` without a place.
  public var boundingBox: BoundingBox? {
    BoundingBox(holding: locatedHits.lazy.map(\.point))
  }
}

extension HitsState where Record: Geolocated {
  /// The places of the records that are loaded; as ``HitsRows/locatedHits``.
  public var locatedHits: [LocatedHit<Record>] { rows.locatedHits }

  /// The smallest box that holds them all; `nil` when there are none.
  public var boundingBox: BoundingBox? { rows.boundingBox }
}

extension HitsInteractor where Record: Geolocated {
  /// The places of the records that are loaded; as ``HitsRows/locatedHits``. No row counts as
  /// presented.
  public var locatedHits: [LocatedHit<Record>] { HitsRows(driver.visible).locatedHits }

  /// The smallest box that holds them all; `nil` when there are none.
  public var boundingBox: BoundingBox? { HitsRows(driver.visible).boundingBox }
}

/// Whether presenting a row loads the pages around it.
public enum InfiniteScrolling: Sendable, Hashable {
  /// Presenting rows loads nothing.
  case off
  /// A presented row loads the pages of this many rows before and after it, as far as they are not
  /// there. A negative offset counts as 0: the row's own page; one above 1000 counts as 1000.
  case on(withOffset: Int)
}
