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

extension HitsSnapshot where Record: Geolocated {
  /// The places of the records that are loaded; as ``HitsRows/locatedHits``.
  public var locatedHits: [LocatedHit<Record>] { rows.locatedHits }

  /// The smallest box that holds them all; `nil` when there are none.
  public var boundingBox: BoundingBox? { rows.boundingBox }
}

extension HitsInteractor where Record: Geolocated {
  /// The places of the records that are loaded; as ``HitsRows/locatedHits``. No row counts as
  /// presented.
  public var locatedHits: [LocatedHit<Record>] { HitsRows(storage.visible).locatedHits }

  /// The smallest box that holds them all; `nil` when there are none.
  public var boundingBox: BoundingBox? { HitsRows(storage.visible).boundingBox }
}
