import Foundation

/// Forwards bytes between a client and a server on the loopback address, and can swallow them: the
/// connections stay open but nothing arrives, as when a network fails silently.
public final class SwallowingProxy: Sendable {
  private struct State {
    var connections: [Connection] = []
    var isStopped = false
  }

  private let listener: LoopbackSocket
  private let target: Int
  private let state = Lock(State())

  /// One element for each connection that was made.
  public let accepted = AwaitableList<Void>()

  /// Starts a proxy to a port.
  public init(to target: Int) throws {
    self.target = target
    listener = try LoopbackSocket.bound()
    try listener.startListening()
    Thread.detachNewThread { self.acceptConnections() }
  }

  /// The port that it listens on.
  public var port: Int { listener.port }

  /// From now on swallows what arrives on open connections. Later ones work.
  public func swallow() {
    for connection in state.withLock({ $0.connections }) {
      connection.isSwallowed.withLock { $0 = true }
    }
  }

  /// The number of connections open on the client's side.
  public var openConnectionCount: Int {
    state.withLock { $0.connections.count { !$0.hasEnded.withLock { $0 } } }
  }

  /// Closes every connection and accepts no more.
  public func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in connections { connection.end() }
    _ = try? LoopbackSocket.connected(to: port)
  }

  private func acceptConnections() {
    while let client = listener.nextConnection() {
      if state.withLock({ $0.isStopped }) { return }
      guard let server = try? LoopbackSocket.connected(to: target) else { continue }
      let connection = Connection(client: client, server: server)
      state.withLock { $0.connections.append(connection) }
      accepted.append(())
      for isUpward in [true, false] {
        let thread = Thread { connection.carry(isUpward: isUpward) }
        thread.stackSize = 256 << 10
        thread.start()
      }
    }
  }

  private final class Connection: Sendable {
    let client: LoopbackSocket
    let server: LoopbackSocket
    let isSwallowed = Lock(false)
    let hasEnded = Lock(false)

    init(client: LoopbackSocket, server: LoopbackSocket) {
      self.client = client
      self.server = server
    }

    func carry(isUpward: Bool) {
      let (from, to) = isUpward ? (client, server) : (server, client)
      while let bytes = from.receive() {
        if isSwallowed.withLock({ $0 }) { continue }
        guard to.sendAll(bytes) else { break }
      }
      // The end of a connection is not swallowed on the client's side: it is the client's own.
      if isUpward || !isSwallowed.withLock({ $0 }) { end() }
    }

    func end() {
      hasEnded.withLock { $0 = true }
      client.shutDown()
      server.shutDown()
    }
  }
}
