/// A frame of HTTP/2.
public struct HTTP2Frame: Sendable {
  /// What a frame is for.
  public enum Kind: UInt8, Sendable {
    case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  /// The kind, with numbers that are not assigned.
  public var kind: UInt8
  /// The flags: 1 is the end of a stream or an acknowledgement, 4 the end of headers.
  public var flags: UInt8
  /// The number of the stream.
  public var stream: UInt32
  /// The bytes of the frame.
  public var payload: [UInt8]

  /// Creates a frame.
  public init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.init(kind: kind.rawValue, flags: flags, stream: stream, payload)
  }

  /// Creates a frame of any kind.
  public init(kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.kind = kind
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  /// The frame as it is sent.
  public var bytes: [UInt8] {
    let count = UInt32(payload.count)
    return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags]
      + Self.bytes(of: stream) + payload
  }

  /// The four bytes of a number.
  public static func bytes(of number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The headers of a response with status 200, from the static table.
  public static func headers(stream: UInt32 = 1) -> HTTP2Frame {
    HTTP2Frame(.headers, flags: 4, stream: stream, [0x88])
  }

  /// The body of a response, and its end.
  public static func body(_ text: String, stream: UInt32 = 1) -> HTTP2Frame {
    HTTP2Frame(.data, flags: 1, stream: stream, Array(text.utf8))
  }
}

/// Reads the requests of a connection of HTTP/2 without TLS, in the order of their ends.
struct HTTP2RequestReader: RequestReader {
  private let connection: LoopbackSocket
  private var bytes: [UInt8] = []
  private var hasBegun = false
  private var bodies: [UInt32: [UInt8]] = [:]

  init(_ connection: LoopbackSocket) {
    self.connection = connection
  }

  mutating func next() -> LoopbackServer.Request? {
    if !hasBegun {
      let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
      guard take(preface.count) == preface else { return nil }
      hasBegun = true
      guard connection.sendAll(HTTP2Frame(.settings).bytes) else { return nil }
    }
    while let frame = nextFrame() {
      switch HTTP2Frame.Kind(rawValue: frame.kind) {
      case .settings where frame.flags & 1 == 0:
        guard connection.sendAll(HTTP2Frame(.settings, flags: 1).bytes) else { return nil }
      case .ping where frame.flags & 1 == 0:
        guard connection.sendAll(HTTP2Frame(.ping, flags: 1, frame.payload).bytes) else {
          return nil
        }
      case .data: bodies[frame.stream, default: []] += frame.payload
      case .goAway: return nil
      default: break
      }
      guard frame.kind < 2, frame.flags & 1 != 0 else { continue }
      return LoopbackServer.Request(
        method: "", target: "", headers: [:], body: bodies.removeValue(forKey: frame.stream) ?? [])
    }
    return nil
  }

  private mutating func nextFrame() -> HTTP2Frame? {
    guard let head = take(9) else { return nil }
    let numbers = head.map { UInt32($0) }
    let count = numbers[0] << 16 | numbers[1] << 8 | numbers[2]
    let stream = (numbers[5] << 24 | numbers[6] << 16 | numbers[7] << 8 | numbers[8]) & 0x7FFF_FFFF
    guard let payload = take(Int(count)) else { return nil }
    return HTTP2Frame(kind: head[3], flags: head[4], stream: stream, payload)
  }

  /// Reads some bytes; `nil` at the end of the connection.
  private mutating func take(_ count: Int) -> [UInt8]? {
    while bytes.count < count {
      guard let more = connection.receive() else { return nil }
      bytes += more
    }
    defer { bytes.removeFirst(count) }
    return Array(bytes[..<count])
  }
}
