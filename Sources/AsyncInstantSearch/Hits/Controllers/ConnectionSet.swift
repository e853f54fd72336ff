/// Connections that are made and undone together.
@MainActor
final class ConnectionSet {
  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  /// Connects, and remembers how, unless the connection is here already.
  func add(_ make: @escaping @MainActor () -> Connection?) {
    if let connection = make() { add(connection, madeBy: make) }
  }

  /// Connects a controller, which is not held, and remembers how.
  func add<Controller: AnyObject>(
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
  func connect() {
    connections = makers.compactMap { $0() }
  }

  /// Undoes all connections; a second time does nothing.
  func disconnect() {
    for connection in connections { connection.disconnect() }
    connections = []
  }
}
