import Dispatch
import Loopback

/// A call over loopback without any library: a thread sends the bytes of a request and reads those
/// of the response, while the caller waits.
///
/// It takes the system calls and the switches of threads that every client takes, whose cost
/// depends on what else the machine does.
final class SocketCall: Sendable {
  private let socket: LoopbackSocket
  private let request: [UInt8]
  private let responseSize: Int
  private let queue = DispatchQueue(label: "socket call")

  /// Connects to a server that sends the same page to every request.
  init(port: Int, body: [UInt8]) throws {
    socket = try LoopbackSocket.connected(to: port)
    request =
      Array(
        """
        POST /1/indexes/products/query HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Content-Type: application/json\r
        Content-Length: \(body.count)\r
        \r

        """.utf8) + body
    guard socket.sendAll(request), var response = socket.receive() else { throw Self.ended }
    let page = SampleResponse.page(hits: 20)
    while !response.suffix(page.count).elementsEqual(page) {
      guard let more = socket.receive() else { throw Self.ended }
      response += more
    }
    responseSize = response.count
  }

  /// Sends the request and waits for the whole response.
  func run() async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.exchange() }) }
    }
  }

  private func exchange() throws {
    guard socket.sendAll(request) else { throw Self.ended }
    var rest = responseSize
    while rest > 0 {
      guard let bytes = socket.receive() else { throw Self.ended }
      rest -= bytes.count
    }
  }

  private static var ended: Mismatch { Mismatch(description: "the server ended the connection") }
}
