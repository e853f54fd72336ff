/// The rows of a list of hits, loaded or not; `nil` stands for a row that is not loaded.
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
