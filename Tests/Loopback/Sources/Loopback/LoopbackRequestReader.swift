import Foundation

/// Reads the requests of one connection, in order.
protocol RequestReader {
  /// The next request; `nil` at the end of the connection, or if it is not of the protocol.
  mutating func next() -> LoopbackServer.Request?
}

/// Reads the requests of a connection of HTTP/1.1.
struct LoopbackRequestReader: RequestReader {
  private let connection: LoopbackSocket
  private var bytes: [UInt8] = []

  init(_ connection: LoopbackSocket) {
    self.connection = connection
  }

  mutating func next() -> LoopbackServer.Request? {
    let blankLine = Array("\r\n\r\n".utf8)
    var headEnd = bytes.firstRange(of: blankLine)?.upperBound
    while headEnd == nil {
      guard let more = connection.receive() else { return nil }
      bytes += more
      headEnd = bytes.firstRange(of: blankLine)?.upperBound
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard length >= 0 else { return nil }
    while bytes.count - headEnd < length {
      guard let more = connection.receive() else { return nil }
      bytes += more
    }
    defer { bytes = Array(bytes[(headEnd + length)...]) }
    return LoopbackServer.Request(
      method: String(words[0]), target: String(words[1]), headers: headers,
      body: Array(bytes[headEnd..<headEnd + length]))
  }
}
