/// The displayed state of a ``HitsInteractor``, as one consistent value.
public struct HitsState<Record: Decodable & Sendable>: Sendable {
  /// The rows, with `nil` for each row that is not loaded or does not match `Record`. Empty while
  /// they are hidden because the query is empty.
  public internal(set) var hits = HitsRows<Record>(nil)
  /// The number of hits that the server counts, which can be more than its pages reach.
  public internal(set) var nbHits = 0
  /// The request that the rows belong to. `nil` before the first response.
  public internal(set) var request: SearchRequest<JSON>?
  /// The number of the search that the rows belong to. 0 before the first response.
  public internal(set) var generation: UInt64 = 0
  /// Whether a search is pending whose response will replace the rows. Until then the rows show the
  /// previous response.
  public internal(set) var isLoading = false
  /// Whether more pages of the same search are being loaded.
  public internal(set) var isLoadingPage = false
  /// The error of the newest search, if it failed or its searcher was deallocated before it ended.
  /// The rows still show the previous response.
  public internal(set) var failure: SearchError?

  /// The text of the query that the rows belong to. `nil` if it has none.
  public var query: String? { request?.query.query }
  /// The number of rows, loaded or not.
  public var numberOfHits: Int { hits.count }
  /// The status to show beside the rows.
  public var status: HitsStatus {
    HitsStatus(isLoading: isLoading, isLoadingPage: isLoadingPage, failure: failure)
  }
}

extension HitsState: Equatable where Record: Equatable {}

/// The status of a list, to show beside its rows: its pending loads, and the newest failure.
public struct HitsStatus: Sendable, Equatable {
  /// Whether a search is pending whose response will replace the rows.
  public var isLoading: Bool
  /// Whether more pages of the same search are being loaded.
  public var isLoadingPage: Bool
  /// The error of the newest search, if it failed. In a list of sections, the first such error.
  public var failure: SearchError?

  /// Creates a status. By default the list waits for nothing and nothing has failed.
  public init(isLoading: Bool = false, isLoadingPage: Bool = false, failure: SearchError? = nil) {
    self.isLoading = isLoading
    self.isLoadingPage = isLoadingPage
    self.failure = failure
  }
}

/// The numbers of changes that a view must act on.
package struct HitsRevisions: Sendable, Equatable {
  /// The number of changes of the rows.
  package var rows: UInt64 = 0
  /// The number of changes of the request.
  package var request: UInt64 = 0
  /// The number of changes of the status.
  package var statusChanges: UInt64 = 0
  /// The current status.
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

  /// The sum of all changes. Of two values of one source, the newer one has the larger sum.
  package var count: UInt64 { rows &+ request &+ statusChanges }
}

/// The rows of a list of hits. A row is `nil` if it is not loaded, its hit does not match `Record`,
/// or it does not exist.
///
/// - Complexity: A copy and each access take constant time.
public struct HitsRows<Record: Decodable & Sendable>: RandomAccessCollection, Sendable {
  private let map: PageMap<Record>?

  package init(_ map: PageMap<Record>?) { self.map = map }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { map?.rowCount ?? 0 }

  /// The record of a row.
  public subscript(row: Int) -> Record? { map?[row] }

  /// The loaded records, in order, without gaps.
  public var loaded: [Record] { map?.loadedRecords ?? [] }

  /// The loaded records with their rows, in order.
  var loadedRows: [(row: Int, record: Record)] { map?.loadedRows ?? [] }
}

extension HitsRows: Equatable where Record: Equatable {
  /// Whether both have the same rows.
  public static func == (left: HitsRows, right: HitsRows) -> Bool { left.elementsEqual(right) }
}

/// A row of a list of hits and one geolocation of its record, to show as a pin on a map.
///
/// A record with several geolocations has one value for each.
public struct LocatedHit<Record> {
  /// The row and the number of the geolocation, which are unique in a list.
  public struct ID: Sendable, Hashable {
    /// The row, from 0.
    public let row: Int
    /// The position of the geolocation in its record, from 0.
    public let place: Int
  }

  /// The row and the number of the geolocation.
  public let id: ID
  /// The record.
  public let record: Record
  /// The geolocation.
  public let point: Point

  /// The row, from 0.
  public var row: Int { id.row }
}

extension LocatedHit: Identifiable {}
extension LocatedHit: Sendable where Record: Sendable {}
extension LocatedHit: Equatable where Record: Equatable {}
extension LocatedHit: Hashable where Record: Hashable {}

extension HitsRows where Record: Geolocated {
  /// The geolocations of the loaded records, in the order of the rows.
  ///
  /// - Complexity: O(n) in the number of loaded records.
  public var locatedHits: [LocatedHit<Record>] {
    loadedRows.flatMap { row, record in
      (record.geolocation?.values ?? []).enumerated().map { place, point in
        LocatedHit(id: LocatedHit.ID(row: row, place: place), record: record, point: point)
      }
    }
  }

  /// The smallest box that contains the geolocations of the loaded records. `nil` without
  /// geolocations.
  public var boundingBox: BoundingBox? {
    BoundingBox(holding: locatedHits.lazy.map(\.point))
  }
}

extension HitsState where Record: Geolocated {
  /// The geolocations of the loaded records; see ``HitsRows/locatedHits``.
  public var locatedHits: [LocatedHit<Record>] { hits.locatedHits }

  /// The smallest box that contains the geolocations. `nil` without geolocations.
  public var boundingBox: BoundingBox? { hits.boundingBox }
}

extension HitsInteractor where Record: Geolocated {
  /// The geolocations of the loaded records; see ``HitsRows/locatedHits``. No row counts as
  /// presented.
  public var locatedHits: [LocatedHit<Record>] { HitsRows(driver.visible).locatedHits }

  /// The smallest box that contains the geolocations. `nil` without geolocations.
  public var boundingBox: BoundingBox? { HitsRows(driver.visible).boundingBox }
}

/// Whether presenting a row loads the pages around it.
public enum InfiniteScrolling: Sendable, Hashable {
  /// Presented rows load no pages.
  case off
  /// A presented row loads the missing pages of this many rows before and after it. A negative
  /// offset counts as 0, which loads only the row's own page. An offset above 1000 counts as 1000.
  case on(withOffset: Int)
}
