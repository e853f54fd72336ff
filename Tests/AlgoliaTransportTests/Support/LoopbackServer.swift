import AsyncInstantSearch
import Foundation

/// A small HTTP/1.1 server on the loopback address, one thread per connection.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    var method: String
    var target: String
    var headers: [String: String]
    var body: [UInt8]
  }

  enum Reply: Sendable {
    case answer(status: Int, headers: [(String, String)] = [], body: [UInt8] = [])
    /// Keeps the connection open and says nothing until the other side or the test ends it.
    case silence
    /// Closes the connection without an answer.
    case hangUp
    /// Promises more bytes than it sends.
    case truncation
  }

  /// The requests that arrived, in order.
  let received = Tally<Request>()

  private let listener: LoopbackSocket
  private let reply: @Sendable (Request) -> Reply
  private let connections = Lock<(open: [ObjectIdentifier: LoopbackSocket], isStopped: Bool)>(
    ([:], false))

  init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
    self.reply = reply
    listener = try LoopbackSocket.bound()
    try listener.startListening()
    Thread.detachNewThread { self.acceptConnections() }
  }

  var port: Int { listener.port }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Ends every connection and takes no more.
  func stop() {
    let open = connections.withLock { connections in
      connections.isStopped = true
      return Array(connections.open.values)
    }
    for connection in open { connection.shutDown() }
    // Wakes the thread that waits for connections.
    _ = try? LoopbackSocket.connected(to: port)
  }

  private func acceptConnections() {
    while let connection = listener.nextConnection() {
      let isStopped = connections.withLock { connections in
        if !connections.isStopped { connections.open[ObjectIdentifier(connection)] = connection }
        return connections.isStopped
      }
      if isStopped { return }
      Thread.detachNewThread {
        self.serve(connection)
        self.connections.withLock { $0.open[ObjectIdentifier(connection)] = nil }
      }
    }
  }

  private func serve(_ connection: LoopbackSocket) {
    while let request = Self.readRequest(from: connection) {
      received.append(request)
      switch reply(request) {
      case .answer(let status, let headers, let body):
        var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        guard connection.sendAll(Array((head + "\r\n").utf8) + body) else { return }
      case .silence:
        while connection.receive() != nil {}
        return
      case .hangUp:
        return
      case .truncation:
        _ = connection.sendAll(Array("HTTP/1.1 200 Status\r\nContent-Length: 100\r\n\r\nabc".utf8))
        return
      }
    }
  }

  private static func readRequest(from connection: LoopbackSocket) -> Request? {
    var bytes: [UInt8] = []
    let blankLine = Array("\r\n\r\n".utf8)
    var headEnd: Int?
    while headEnd == nil {
      guard let more = connection.receive() else { return nil }
      bytes += more
      headEnd = bytes.firstRange(of: blankLine)?.upperBound
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: bytes[..<headEnd], as: UTF8.self)
      .split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    var body = Array(bytes[headEnd...])
    while body.count < length {
      guard let more = connection.receive() else { return nil }
      body += more
    }
    return Request(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }
}
