/// Gives rows of hits to a view, in sections.
@MainActor
public protocol MultiIndexHitsSource: AnyObject {
  /// The number of sections.
  func numberOfSections() -> Int

  /// The number of rows of a section, loaded or not; 0 when there is no such section.
  func numberOfHits(inSection section: Int) -> Int

  /// The record of a row, which counts as presented; `nil` when it is not there.
  ///
  /// - Throws: `decoding` when the section's records are of another type, `invalidRequest` when
  ///   there is no such section.
  func hit<Record>(
    atIndex row: Int, inSection section: Int, as type: Record.Type
  ) throws(SearchError) -> Record?
}

extension MultiIndexHitsSource {
  /// The record of a row, of the type that the caller expects.
  public func hit<Record>(
    atIndex row: Int, inSection section: Int
  ) throws(SearchError) -> Record? {
    try hit(atIndex: row, inSection: section, as: Record.self)
  }
}

extension MultiIndexHitsInteractor: MultiIndexHitsSource {}

/// A view of the hits of several indices, in sections.
///
/// ```swift
/// final class Table: MultiIndexHitsController {
///   weak var hitsSource: (any MultiIndexHitsSource)?
///   func reload() { … }
/// }
/// ```
@MainActor
public protocol MultiIndexHitsController: HitsPresenting
where DataSource == any MultiIndexHitsSource {}

extension MultiIndexHitsInteractor {
  /// Shows the sections in a view from now on; as ``HitsInteractor/connectController(_:)``.
  ///
  /// The view is asked to reload once for each search. Connecting the same controller again changes
  /// nothing and gives the same connection. Neither object is held.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: MultiIndexHitsController>(
    _ controller: Controller
  ) -> Connection {
    storage.controllers.connect(
      controller, to: self, as: self, revisions: storage.revisions.stream())
  }
}
