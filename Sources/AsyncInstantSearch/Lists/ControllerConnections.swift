/// The display of an interactor's views, with a number that grows with each change.
protocol ControllerRevision: Sendable {
  var count: UInt64 { get }
}

/// The connections of an interactor to the views that show it, one for each view.
@MainActor
final class ControllerConnections<Revision: ControllerRevision> {
  /// Shows a revision in a view, given the view's current revision and whether it is still
  /// connected.
  typealias Show<Controller> =
    @MainActor (Controller, Revision, _ shown: Revision?, _ isConnected: () -> Bool) -> Void

  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
    let updates: ViewUpdates<Revision>
  }

  private var entries: [Entry] = []
  private nonisolated let used = Lock(false)

  /// Whether a view has ever been connected.
  nonisolated var isUsed: Bool { used.withLock { $0 } }

  nonisolated init() {}

  /// Shows revisions in a view. Returns the existing connection of a view that shows them already.
  ///
  /// - Parameters:
  ///   - controller: The view, which is not retained.
  ///   - revisions: The revisions, which begin with the current one.
  ///   - setSource: Sets the view's source.
  ///   - clearSource: Clears the view's source after the connection has ended.
  ///   - show: Shows a revision.
  func connect<Controller: AnyObject>(
    _ controller: Controller, revisions: AsyncStream<Revision>,
    setSource: @MainActor (Controller) -> Void,
    clearSource: @escaping @MainActor (Controller) -> Void,
    show: @escaping Show<Controller>
  ) -> Connection {
    if let connection = connection(to: controller) { return connection }
    used.withLock { $0 = true }
    let updates = ViewUpdates<Revision>(controller) {
      [weak controller] newest, shown, isConnected in
      if let controller { show(controller, newest, shown, isConnected) }
    }
    let tasks = TaskBag<Int>()
    let follow: @MainActor @Sendable () async -> Void = { [weak self, weak controller] in
      for await newest in revisions {
        guard !Task.isCancelled, updates.show(newest) else { break }
      }
      updates.end()
      guard let self, let controller else { return }
      // The controller may have been connected again.
      if self.connection(to: controller) == nil { clearSource(controller) }
    }
    tasks.replace(0) {
      await follow()
      // The task retains the bag, because the connection stays active if it is dropped.
      withExtendedLifetime(tasks) {}
    }
    let connection = Connection { tasks.cancelAll() }
    updates.connection = connection
    entries.append(Entry(controller: controller, connection: connection, updates: updates))
    setSource(controller)
    return connection
  }

  /// Waits until the views show `newest` or a newer revision. Cancelling the task ends the wait,
  /// because the main actor may be busy.
  ///
  /// - Returns: Whether they show it. `false` if the task was cancelled.
  nonisolated func present(_ newest: Revision?) async -> Bool {
    guard let newest, isUsed else { return true }
    let show: @concurrent @Sendable () async -> Bool? = {
      await self.show(newest)
      return true
    }
    return await Race.first(of: [show], onCancel: false)
  }

  private func show(_ newest: Revision) {
    for entry in entries { _ = entry.updates.show(newest) }
  }

  private func connection(to controller: AnyObject) -> Connection? {
    entries.removeAll { $0.controller == nil || !$0.connection.isConnected }
    return entries.first { $0.controller === controller }?.connection
  }
}

/// Brings one view up to date.
@MainActor
private final class ViewUpdates<Revision: ControllerRevision> {
  private weak var controller: AnyObject?
  private let update: @MainActor (Revision, _ shown: Revision?, _ isConnected: () -> Bool) -> Void
  private var shown: Revision?
  private var hasEnded = false
  weak var connection: Connection?

  init(
    _ controller: AnyObject,
    update: @escaping @MainActor (Revision, _ shown: Revision?, _ isConnected: () -> Bool) -> Void
  ) {
    self.controller = controller
    self.update = update
  }

  /// Whether the view is connected.
  private var isConnected: Bool { !hasEnded && connection?.isConnected != false }

  /// Makes the view show a revision, unless it does already. `false` if the view is deallocated or
  /// disconnected.
  func show(_ newest: Revision) -> Bool {
    guard controller != nil, isConnected else { return false }
    if let shown, newest.count <= shown.count { return true }
    let before = shown
    shown = newest
    update(newest, before) { isConnected }
    return true
  }

  /// Makes later calls of ``show(_:)`` do nothing.
  func end() {
    hasEnded = true
  }
}
