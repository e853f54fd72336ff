/// The connections of an interactor to the views that show its hits.
@MainActor
final class ControllerConnections {
  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
  }

  private var entries: [Entry] = []

  nonisolated init() {}

  /// Shows the rows of a source in a view from now on; a view that shows them already gets its
  /// connection back.
  ///
  /// - Parameters:
  ///   - source: The interactor; it is not held.
  ///   - dataSource: The same, as the view takes it.
  ///   - revisions: How often the source's rows and request changed.
  func connect<Controller: HitsPresenting>(
    _ controller: Controller, to source: AnyObject, as dataSource: Controller.DataSource,
    revisions: AsyncStream<HitsRevisions>
  ) -> Connection {
    if let connection = connection(to: controller) { return connection }
    // A map has no first row.
    let scrolls = !(controller is any GeoHitsController)
    let task = Task { [weak self, weak controller, weak source] in
      var shown: HitsRevisions?
      for await newest in revisions {
        guard !Task.isCancelled, let controller else { break }
        if scrolls, let shown, newest.request != shown.request { controller.scrollToTop() }
        // The view may have undone the connection meanwhile.
        if Task.isCancelled { break }
        if newest.rows != shown?.rows ?? 0 { controller.reload() }
        shown = newest
      }
      guard let self, let controller, let source,
        controller.hitsSource as AnyObject? === source
      else { return }
      // It may have been connected again meanwhile.
      if self.connection(to: controller) == nil { controller.hitsSource = nil }
    }
    let connection = Connection { task.cancel() }
    entries.append(Entry(controller: controller, connection: connection))
    controller.hitsSource = dataSource
    return connection
  }

  private func connection(to controller: AnyObject) -> Connection? {
    entries.removeAll { $0.controller == nil || !$0.connection.isConnected }
    return entries.first { $0.controller === controller }?.connection
  }
}
