extension HitsInteractor {
  /// Shows the hits in a view from now on.
  ///
  /// The controller's `hitsSource` becomes this interactor. `reload()` is called when rows changed,
  /// and once at first if there are any; `scrollToTop()` when the searcher's request changed,
  /// before its answer is there, but never of a ``GeoHitsController``; `update(_:)` when the list
  /// begins or ceases to wait. Changes that come faster than the main actor are put together. The
  /// searcher's awaited `search()` returns when the controller was asked to show its answer, so it
  /// waits for the main actor.
  ///
  /// Connecting the same controller again changes nothing and gives the same connection. When the
  /// connection is undone on the main actor, the controller is not called any more; its
  /// `hitsSource` is cleared soon after. Neither object is held.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    storage.controllers.connect(
      controller, to: self, as: self, revisions: storage.revisions.stream())
  }
}
