import Foundation

/// The reaction of a server to a request: bytes to send and other actions, in order.
public struct LoopbackReply: Sendable {
  /// One action.
  public enum Step: Sendable {
    /// Sends these bytes.
    case send([UInt8])
    /// Sends this many bytes of the letter `x`.
    case sendFiller(count: Int)
    /// Informs the test.
    case notify(@Sendable () -> Void)
    /// Does nothing for this time.
    case pause(milliseconds: Int)
    /// Sends nothing until the client or the test closes the connection.
    case hold
    /// Closes the connection.
    case close
    /// Resets the connection.
    case reset
  }

  /// The actions, in order.
  public var steps: [Step]

  /// Creates a reaction of these actions.
  public init(_ steps: [Step]) {
    self.steps = steps
  }
}

/// Complete responses.
extension LoopbackReply {
  /// A response with this status, these headers and this body.
  public static func answer(
    status: Int, headers: [(String, String)] = [], body: [UInt8] = []
  ) -> Self {
    let hasNoBody = status == 204 || status == 304 || status < 200
    let length = hasNoBody ? [] : [("Content-Length", "\(body.count)")]
    return Self([.send(head(status: status, headers + length) + body)])
  }

  /// A response whose body is a JSON text.
  public static func json(_ text: String, status: Int = 200) -> Self {
    answer(status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
  }

  /// A response that leads to another URL.
  public static func redirect(to url: String) -> Self {
    answer(status: 307, headers: [("Location", url)])
  }

  /// The body in chunks.
  public static func chunked(
    _ pieces: [[UInt8]], status: Int = 200, headers: [(String, String)] = [],
    end: [UInt8] = Array("0\r\n\r\n".utf8)
  ) -> Self {
    var bytes = head(status: status, headers + [("Transfer-Encoding", "chunked")])
    for piece in pieces {
      bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return Self([.send(bytes + end)])
  }

  /// ``gzippedText``, compressed.
  public static let gzipped = gzipped(gzippedBytes)

  /// These bytes, declared as compressed.
  public static func gzipped(_ bytes: [UInt8]) -> Self {
    answer(
      status: 200, headers: [("Content-Encoding", "gzip"), ("Content-Type", "application/json")],
      body: bytes)
  }

  /// The decompressed text of ``gzippedBytes``.
  public static let gzippedText = """
    {"hits":[{"objectID":"1","title":"Alien"},{"objectID":"2","title":"Aliens"}],\
    "nbHits":2,"page":0,"nbPages":1,"hitsPerPage":20,"query":"alien"}
    """

  /// A gzip file, made by gzip.
  public static let gzippedBytes = [UInt8](
    Data(
      base64Encoded: """
        H4sIAAAAAAACA6tWysgsKVayiq5Wyk/KSk0u8XRRslIyVNJRKsksyUkFsh1zMlPzlGp1UBQYoSsoVqqN1VHK\
        S/IAm2ako1SQmA6UNACJBQCZQEFDHbBdAalFAWA5I6BkYWlqUSXQjESIJQALjUE9jgAAAA==
        """) ?? Data())
}

/// Faulty responses.
extension LoopbackReply {
  /// No response, for as long as the client waits.
  public static let silence = Self([.hold])

  /// A closed connection instead of a response.
  public static let hangUp = Self([.close])

  /// A reset instead of a response.
  public static let reset = Self([.reset])

  /// Fewer bytes than announced.
  public static let truncation = Self([.send(head(status: 200, [length(100)]) + abc), .close])

  /// A reset in the middle of the body.
  public static let resetInBody = Self([
    .send(head(status: 200, [length(100)]) + abc), .pause(milliseconds: 20), .reset,
  ])

  /// Half of the headers.
  public static let halfHead = Self([.send(Array("HTTP/1.1 200 OK\r\nConte".utf8)), .close])

  /// The headers and the beginning of a body, and no more.
  public static let stall = Self([.send(head(status: 200, [length(100)]) + abc), .hold])

  /// Headers without an end, and no more.
  public static let stallInHead = Self([.send(Array("HTTP/1.1 200 OK\r\nX-A: b\r\n".utf8)), .hold])

  /// Bytes that are not HTTP.
  public static let garbage = Self([
    .send(Array("\u{1}\u{2} SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)), .close,
  ])

  /// A length that is not a number.
  public static let lengthOfNoNumber = Self([
    .send(head(status: 200, [("Content-Length", "many")]) + abc), .close,
  ])

  /// More bytes than announced.
  public static let excess = Self([.send(head(status: 200, [length(3)]) + abc + abc), .close])

  /// A chunk whose size is not a number.
  public static let brokenChunk = Self([
    .send(head(status: 200, [("Transfer-Encoding", "chunked")]) + Array("zz\r\nabc\r\n".utf8)),
    .close,
  ])

  /// Chunks without an end.
  public static let endlessChunks = Self([
    .send(head(status: 200, [("Transfer-Encoding", "chunked")]) + Array("3\r\nabc\r\n".utf8)),
    .close,
  ])

  /// A compressed body that is damaged in its middle.
  public static let brokenGzip = gzipped(
    gzippedBytes.enumerated().map { $0 == gzippedBytes.count / 2 ? $1 ^ 0xFF : $1 })

  /// A body of this size.
  public static func huge(byteCount: Int) -> Self {
    Self([.send(head(status: 200, [length(byteCount)])), .sendFiller(count: byteCount)])
  }

  private static let abc = Array("abc".utf8)

  private static func length(_ count: Int) -> (String, String) { ("Content-Length", "\(count)") }
}

/// Slow responses.
extension LoopbackReply {
  /// The same reply after a delay.
  public func delayed(milliseconds: Int) -> Self {
    Self([.pause(milliseconds: milliseconds)] + steps)
  }

  /// The same reply in pieces of this size, with a pause after each.
  public func dripped(pieceSize: Int, milliseconds: Int) -> Self {
    Self(
      steps.flatMap { step -> [Step] in
        guard case .send(let bytes) = step else { return [step] }
        return stride(from: 0, to: bytes.count, by: max(1, pieceSize)).flatMap { start -> [Step] in
          let end = min(start + max(1, pieceSize), bytes.count)
          return [.send(Array(bytes[start..<end])), .pause(milliseconds: milliseconds)]
        }
      })
  }

  private static func head(status: Int, _ headers: [(String, String)]) -> [UInt8] {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8)
  }
}
