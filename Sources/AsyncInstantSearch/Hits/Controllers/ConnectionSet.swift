/// Connections that are made and undone together.
@MainActor
final class ConnectionSet {
  private var makers: [@MainActor () -> Connection?] = []
  private var connections: [Connection] = []

  /// Connects, and remembers how, unless the connection is here already.
  @discardableResult
  func add(_ make: @escaping @MainActor () -> Connection?) -> Connection? {
    let connection = make()
    if let connection, !connections.contains(where: { $0 === connection }) {
      connections.append(connection)
      makers.append(make)
    }
    return connection
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
