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

/// Connections that are made and ended together.
@MainActor
package final class ConnectionSet {
  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  /// Creates an empty set of connections.
  package init() {}

  /// Makes a connection, and stores how to make it again, unless it already exists.
  package func add(_ make: @escaping @MainActor () -> Connection?) {
    if let connection = make() { add(connection, madeBy: make) }
  }

  /// Connects a controller, which is not retained, and stores how to connect it again.
  package func add<Controller: AnyObject>(
    _ controller: Controller, _ connect: @escaping @MainActor (Controller) -> Connection
  ) -> Connection {
    let connection = connect(controller)
    add(connection, madeBy: { [weak controller] in controller.map(connect) })
    return connection
  }

  private func add(
    _ connection: Connection, madeBy make: @escaping @MainActor () -> Connection?
  ) {
    if connections.contains(where: { $0 === connection }) { return }
    connections.append(connection)
    makers.append(make)
  }

  /// Makes every connection that does not exist.
  package func connect() {
    connections = makers.compactMap { $0() }
  }

  /// Ends all connections. Later calls have no effect.
  package func disconnect() {
    for connection in connections { connection.disconnect() }
    connections = []
  }
}
