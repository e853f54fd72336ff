/// A ``HitsInteractor`` of any record type, as one of several whose hits are shown together.
///
/// The library's interactors are the only ones: a ``HitsSection`` cannot be made otherwise.
public protocol AnyHitsInteractor: AnyObject, Sendable {
  /// What belongs to the section.
  var section: HitsSection { get }

  /// The number of rows, loaded or not.
  func numberOfHits() -> Int
  /// Tells that a row is presented, so that the pages around it are loaded.
  func notifyDidPresentRow(atIndex row: Int)
  /// The record of a row as the JSON it came as, which counts as presented; `nil` when its page is
  /// not loaded.
  func rawHit(atIndex row: Int) -> JSON?
  /// The record of a row as a type that the caller knows it to be; throws `decoding` when it is
  /// not.
  func genericHit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?
  /// Loads the page after the loaded ones; `false` when there is none.
  func loadNext() async throws(SearchError) -> Bool
  /// Loads the page before the loaded ones; `false` when there is none.
  func loadPrevious() async throws(SearchError) -> Bool
  /// Hits that did not decode, and pages that could not be loaded, from now on.
  func errors(buffering: StreamBuffering) -> AsyncStream<SearchError>
}

extension HitsInteractor: AnyHitsInteractor {
  /// What belongs to the interactor when its hits are shown with others.
  public var section: HitsSection { HitsSection(storage) }
}

/// A ``HitsSnapshot`` of any record type.
protocol AnyHitsSnapshot: Sendable {
  var numberOfHits: Int { get }
  var nbHits: Int { get }
  var request: SearchRequest<JSON>? { get }
  var generation: UInt64 { get }
  var isLoading: Bool { get }
  var isLoadingPage: Bool { get }
  var failure: SearchError? { get }
  /// The record of a row, or why there is none that the caller can have.
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?
}

extension HitsSnapshot: AnyHitsSnapshot {
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other? {
    guard let record = rows[row] else { return nil }
    return try cast(record, row: row, to: type)
  }
}

/// The record of a row as a type that the caller knows it to be; nothing is converted.
func cast<Record, Other>(
  _ record: Record, row: Int, to type: Other.Type
) throws(SearchError) -> Other {
  guard let other = record as? Other else {
    throw SearchError(.decoding, "Row \(row) is \(Record.self), not \(Other.self).")
  }
  return other
}
