extension HitsInteractor {
  /// Shows the hits in a view from now on.
  ///
  /// The controller's `hitsSource` becomes this interactor. `reload()` is called when rows changed,
  /// and once at first if there are any; `scrollToTop()` when the searcher's request changed, before
  /// its answer is there, but never of a ``GeoHitsController``. Changes that come faster than the main
  /// actor are put together.
  ///
  /// Connecting the same controller again changes nothing and gives the same connection. When the
  /// connection is undone on the main actor, the controller is not called any more; its `hitsSource`
  /// is cleared soon after. Neither object is held.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    if let connection = controllers.connection(to: controller) { return connection }
    let revisions = storage.revisions.stream()
    let scrolls = !(controller is any GeoHitsController)
    let task = Task { [weak self, weak controller] in
      var shown: HitsRevisions?
      for await newest in revisions {
        guard !Task.isCancelled, let controller else { break }
        if scrolls, let shown, newest.request != shown.request { controller.scrollToTop() }
        if newest.rows != shown?.rows ?? 0 { controller.reload() }
        shown = newest
      }
      guard let self, let controller, controller.hitsSource === self else { return }
      // It may have been connected again meanwhile.
      if self.controllers.connection(to: controller) == nil { controller.hitsSource = nil }
    }
    let connection = Connection { task.cancel() }
    controllers.add(connection, to: controller)
    controller.hitsSource = self
    return connection
  }
}

/// The connections of an interactor to controllers.
@MainActor
final class ControllerConnections {
  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
  }

  private var entries: [Entry] = []

  nonisolated init() {}

  /// The connection to a controller, if there is one.
  func connection(to controller: AnyObject) -> Connection? {
    entries.removeAll { $0.controller == nil || !$0.connection.isConnected }
    return entries.first { $0.controller === controller }?.connection
  }

  func add(_ connection: Connection, to controller: AnyObject) {
    entries.append(Entry(controller: controller, connection: connection))
  }
}
