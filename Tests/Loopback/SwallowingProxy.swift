import AsyncInstantSearch
import Foundation

/// Carries bytes between a client and a server on the loopback address, and can swallow them: the
/// connections stay open and nothing comes of what is sent, as when a network fails in silence.
package final class SwallowingProxy: Sendable {
  private struct State {
    var connections: [Connection] = []
    var isStopped = false
  }

  private let listener: LoopbackSocket
  private let target: Int
  private let state = Lock(State())

  /// The connections that were made, one for each.
  package let accepted = Tally<Void>()

  /// Starts a proxy to a port.
  package init(to target: Int) throws {
    self.target = target
    listener = try LoopbackSocket.bound()
    try listener.startListening()
    Thread.detachNewThread { self.acceptConnections() }
  }

  package var port: Int { listener.port }

  /// From now on swallows what comes over the connections that there are; later ones are well.
  package func swallow() {
    for connection in state.withLock({ $0.connections }) {
      connection.isSwallowed.withLock { $0 = true }
    }
  }

  /// How many connections are open on the side of the client.
  package var openConnectionCount: Int {
    state.withLock { $0.connections.count { !$0.hasEnded.withLock { $0 } } }
  }

  /// Ends every connection and takes no more.
  package func stop() {
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
      // The end of one side is not swallowed on the side of the client: it is the client's own.
      if isUpward || !isSwallowed.withLock({ $0 }) { end() }
    }

    func end() {
      hasEnded.withLock { $0 = true }
      client.shutDown()
      server.shutDown()
    }
  }
}
