/// A connection between two objects, which can be undone.
///
/// It may be dropped: the connection stays until it is undone or one of the objects goes. Neither
/// object is held by it.
public final class Connection: Sendable {
  private let undo: Lock<(@Sendable () -> Void)?>

  /// A connection that exists; `undo` is called at most once, without any lock.
  package init(undo: @escaping @Sendable () -> Void) {
    self.undo = Lock(undo)
  }

  /// Whether the connection was not undone.
  public var isConnected: Bool { undo.withLock { $0 != nil } }

  /// Undoes the connection; a second time does nothing.
  public func disconnect() {
    let undo = undo.withLock { undo in
      defer { undo = nil }
      return undo
    }
    undo?()
  }
}
