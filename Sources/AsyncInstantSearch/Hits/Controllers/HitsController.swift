/// Gives rows of hits to a view.
@MainActor
public protocol HitsSource: AnyObject {
  /// The type of the hits.
  associatedtype Record

  /// The number of rows, loaded or not.
  func numberOfHits() -> Int

  /// The hit of a row, which counts as presented; `nil` when it is not there.
  func hit(atIndex row: Int) -> Record?
}

extension HitsInteractor: HitsSource {}

/// A view of hits, or what stands before one: it is asked to read its source again when rows
/// changed.
@MainActor
public protocol HitsPresenting: AnyObject {
  /// The type of the source.
  associatedtype DataSource

  /// Where the hits come from; set by the connection. Declare it `weak`.
  var hitsSource: DataSource? { get set }

  /// The rows changed: reads them again.
  func reload()

  /// The request changed: goes to the first row. Does nothing by default.
  func scrollToTop()

  /// The list began or ceased to wait for an answer, or a search failed: shows that beside the
  /// rows. Does nothing by default.
  func update(_ status: HitsStatus)
}

extension HitsPresenting {
  /// Does nothing.
  public func scrollToTop() {}
  /// Does nothing.
  public func update(_ status: HitsStatus) {}
}

/// A view of the hits of one index.
///
/// ```swift
/// final class Table: HitsController {
///   weak var hitsSource: HitsInteractor<Film>?
///   func reload() { … }
/// }
/// ```
@MainActor
public protocol HitsController: HitsPresenting where DataSource: HitsSource {}
