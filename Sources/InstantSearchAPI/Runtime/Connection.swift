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

/// Connections that are made and undone together.
@MainActor
package final class ConnectionSet {
  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  /// Creates a set without connections.
  package init() {}

  /// Connects, and remembers how, unless the connection is here already.
  package func add(_ make: @escaping @MainActor () -> Connection?) {
    if let connection = make() { add(connection, madeBy: make) }
  }

  /// Connects a controller, which is not held, and remembers how.
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

  /// Connects everything that is not connected.
  package func connect() {
    connections = makers.compactMap { $0() }
  }

  /// Undoes all connections; a second time does nothing.
  package func disconnect() {
    for connection in connections { connection.disconnect() }
    connections = []
  }
}
