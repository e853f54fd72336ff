import Foundation

/// A small HTTP server on the loopback address, one thread per connection, that can also violate
/// the protocol.
public final class LoopbackServer: Sendable {
  /// The reaction to a request.
  public typealias Reply = LoopbackReply

  /// A request that arrived.
  public struct Request: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path and the query.
    public var target: String
    /// The headers by their names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
  }

  /// The requests that arrived, in order.
  public let received = AwaitableList<Request>()

  /// One element for each connection that has ended.
  public let ended = AwaitableList<Void>()

  private struct Connections {
    var open: [ObjectIdentifier: LoopbackSocket] = [:]
    var count = 0
    var isStopped = false
    var isInterrupted = false
  }

  private let listener: LoopbackSocket
  private let keepsRequests: Bool
  private let isHTTP2: Bool
  private let reply: @Sendable (Request) -> Reply
  private let connections = Lock(Connections())

  /// Starts a server that reacts as `reply` defines.
  ///
  /// - Parameters:
  ///   - keepsRequests: Whether ``received`` grows with each request.
  ///   - isHTTP2: Whether it speaks HTTP/2. Its requests have a body only, because their headers
  ///     are not read, and its replies are frames. Defaults to HTTP/1.1.
  public init(
    keepsRequests: Bool = true, isHTTP2: Bool = false,
    _ reply: @escaping @Sendable (Request) -> Reply
  ) throws {
    self.keepsRequests = keepsRequests
    self.isHTTP2 = isHTTP2
    self.reply = reply
    listener = try LoopbackSocket.bound()
    try listener.startListening()
    Thread.detachNewThread { self.acceptConnections() }
  }

  /// The port that it listens on.
  public var port: Int { listener.port }

  /// The URL of the server, without a path.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The number of connections so far.
  public var connectionCount: Int { connections.withLock { $0.count } }

  /// The number of open connections.
  public var openConnectionCount: Int { connections.withLock { $0.open.count } }

  /// Closes every connection, and new ones as soon as they are made, until ``resume()``.
  public func interrupt() {
    endConnections { $0.isInterrupted = true }
  }

  /// Serves again.
  public func resume() {
    connections.withLock { $0.isInterrupted = false }
  }

  private func endConnections(_ change: (inout sending Connections) -> Void) {
    let open = connections.withLock { connections in
      change(&connections)
      return Array(connections.open.values)
    }
    for connection in open { connection.shutDown() }
  }

  /// Closes every connection and accepts no more.
  public func stop() {
    endConnections { $0.isStopped = true }
    // Wakes the thread that waits for connections.
    _ = try? LoopbackSocket.connected(to: port)
  }

  private func acceptConnections() {
    while true {
      // A connection closed before it was accepted, or no free descriptor: the next may succeed.
      guard let connection = listener.nextConnection() else {
        if connections.withLock({ $0.isStopped }) { return }
        Thread.sleep(forTimeInterval: 0.001)
        continue
      }
      let (isStopped, isServed) = connections.withLock { connections in
        let isServed = !connections.isStopped && !connections.isInterrupted
        if isServed {
          connections.open[ObjectIdentifier(connection)] = connection
          connections.count += 1
        }
        return (connections.isStopped, isServed)
      }
      if isStopped { return }
      guard isServed else { continue }
      let thread = Thread {
        self.serve(connection)
        self.connections.withLock { $0.open[ObjectIdentifier(connection)] = nil }
        self.ended.append(())
      }
      thread.stackSize = 256 << 10
      thread.start()
    }
  }

  private func serve(_ connection: LoopbackSocket) {
    var reader: any RequestReader =
      isHTTP2 ? HTTP2RequestReader(connection) : LoopbackRequestReader(connection)
    while let request = reader.next() {
      if keepsRequests { received.append(request) }
      for step in reply(request).steps {
        guard perform(step, on: connection) else { return }
      }
    }
  }

  /// Performs one action; `false` if it closed the connection.
  private func perform(_ step: Reply.Step, on connection: LoopbackSocket) -> Bool {
    switch step {
    case .send(let bytes):
      return connection.sendAll(bytes)
    case .sendFiller(var count):
      let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
      while count > 0 {
        guard connection.sendAll(Array(filler.prefix(count))) else { return false }
        count -= min(count, filler.count)
      }
      return true
    case .notify(let action):
      action()
      return true
    case .pause(let milliseconds):
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
      return true
    case .hold:
      while connection.receive() != nil {}
      return false
    case .close:
      connection.shutDown()
      return false
    case .reset:
      connection.resetAtTheEnd()
      return false
    }
  }
}
