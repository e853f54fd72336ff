/// A connection between two objects, which can be disconnected.
///
/// It can be dropped: the objects stay connected until ``disconnect()`` is called or one of them
/// is deallocated. A connection retains neither object.
public final class Connection: Sendable {
  private let undo: Lock<(@Sendable () -> Void)?>

  /// Creates an active connection. `undo` is called at most once and without any lock.
  package init(undo: @escaping @Sendable () -> Void) {
    self.undo = Lock(undo)
  }

  /// Whether the objects are still connected.
  public var isConnected: Bool { undo.withLock { $0 != nil } }

  /// Disconnects the objects. Later calls have no effect.
  public func disconnect() {
    let undo = undo.withLock { undo in
      defer { undo = nil }
      return undo
    }
    undo?()
  }
}
