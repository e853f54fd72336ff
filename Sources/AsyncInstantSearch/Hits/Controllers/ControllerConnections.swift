/// The connections of an interactor to the views that show its hits.
@MainActor
final class ControllerConnections {
  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
    let updates: ViewUpdates
  }

  private var entries: [Entry] = []
  /// Whether a view was ever connected.
  private nonisolated let isUsed = Lock(false)

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
    isUsed.withLock { $0 = true }
    let updates = ViewUpdates(controller)
    let tasks = TaskBag<Int>()
    let follow: @MainActor @Sendable () async -> Void = {
      [weak self, weak controller, weak source] in
      for await newest in revisions {
        guard !Task.isCancelled, updates.show(newest) else { break }
      }
      updates.end()
      guard let self, let controller, let source,
        controller.hitsSource as AnyObject? === source
      else { return }
      // It may have been connected again meanwhile.
      if self.connection(to: controller) == nil { controller.hitsSource = nil }
    }
    tasks.replace(0) {
      await follow()
      // The task holds the bag, because the connection stays when it is dropped.
      withExtendedLifetime(tasks) {}
    }
    let connection = Connection { tasks.cancelAll() }
    updates.connection = connection
    entries.append(Entry(controller: controller, connection: connection, updates: updates))
    controller.hitsSource = dataSource
    return connection
  }

  /// Waits until the views show at least what `newest` counts; the cancellation of the task ends
  /// the wait, as the main actor may be busy.
  ///
  /// - Returns: Whether they show it; `false` after a cancellation.
  nonisolated func present(_ newest: HitsRevisions?) async -> Bool {
    guard let newest, isUsed.withLock({ $0 }) else { return true }
    let show: @concurrent @Sendable () async -> Bool? = {
      await self.show(newest)
      return true
    }
    return await Race.first(of: [show], onCancel: false)
  }

  private func show(_ newest: HitsRevisions) {
    for entry in entries { _ = entry.updates.show(newest) }
  }

  private func connection(to controller: AnyObject) -> Connection? {
    entries.removeAll { $0.controller == nil || !$0.connection.isConnected }
    return entries.first { $0.controller === controller }?.connection
  }
}

/// What one view shows, and what it has to be asked to do when that is not the newest.
@MainActor
private final class ViewUpdates {
  private weak var controller: (any HitsPresenting)?
  private let scrolls: Bool
  private var shown: HitsRevisions?
  private var hasEnded = false
  weak var connection: Connection?

  init(_ controller: some HitsPresenting) {
    self.controller = controller
    // A map has no first row.
    scrolls = !(controller is any GeoHitsController)
  }

  /// Whether the view is there and connected.
  private var isConnected: Bool { !hasEnded && connection?.isConnected != false }

  /// Makes the view show what it does not show yet; `false` when there is no view any more.
  func show(_ newest: HitsRevisions) -> Bool {
    guard let controller, isConnected else { return false }
    let before = shown ?? HitsRevisions()
    if shown != nil, newest.count <= before.count { return true }
    let isFirst = shown == nil
    shown = newest
    if scrolls, !isFirst, newest.request != before.request { controller.scrollToTop() }
    // The view may undo the connection in each of these calls.
    if isConnected, newest.rows != before.rows { controller.reload() }
    if isConnected, newest.status != before.status { controller.update(newest.status) }
    return true
  }

  /// Asks nothing of the view any more.
  func end() {
    hasEnded = true
  }
}
