/// An event that a server sends to a browser, which reads it with `EventSource`.
///
/// Use it to show a live search on a web page: one response stays open, and each change of the
/// search is an event.
///
/// ```swift
/// let events = live.updates().map { ServerSentEvent(html(of: $0), name: "page").bytes }
/// return ServiceResponse(events: events)
/// ```
///
/// Format: the `text/event-stream` of the HTML standard.
public struct ServerSentEvent: Sendable, Hashable {
  /// The name, for which a page listens with `addEventListener`; `nil` for `message`.
  public var name: String?
  /// The ID, which a browser sends as `Last-Event-ID` when it reconnects; `nil` for the ID of the
  /// previous event.
  public var id: String?
  /// The text. It can have several lines; a browser reads each kind of line end as `\n`.
  public var data: String

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - data: The text, for example HTML or JSON.
  ///   - name: The name. Defaults to `nil`, which browsers read as `message`.
  ///   - id: The ID. Defaults to `nil`.
  public init(_ data: String, name: String? = nil, id: String? = nil) {
    self.data = data
    self.name = name
    self.id = id
  }

  /// The bytes of the event. Line ends in the name and in the ID are left out, so that neither can
  /// begin another field.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 32)
    func append(_ field: String, _ value: some Sequence<UInt8>) {
      bytes += field.utf8
      bytes += ": ".utf8
      bytes += value
      bytes.append(.newline)
    }
    if let name { append("event", name.utf8.filter { !$0.isLineEnd }) }
    // A browser ignores an ID with a zero byte.
    if let id { append("id", id.utf8.filter { !$0.isLineEnd && $0 != 0 }) }
    var rest = Array(data.utf8)[...]
    while let end = rest.firstIndex(where: \.isLineEnd) {
      append("data", rest[..<end])
      let isPair =
        rest[end] == .carriageReturn && rest.dropFirst(end + 1 - rest.startIndex).first == .newline
      rest = rest[(end + (isPair ? 2 : 1))...]
    }
    append("data", rest)
    bytes.append(.newline)
    return bytes
  }

  /// A comment, which a browser ignores. Send one from time to time: it makes a connection to a
  /// disconnected client fail, and keeps proxies from closing an idle connection.
  public static let keepAlive: [UInt8] = Array(":\n\n".utf8)
}

extension ServiceResponse {
  /// Creates a response that sends each event as it arrives, and ends with the sequence.
  ///
  /// The next event is read when the connection has taken the previous one.
  ///
  /// Its headers tell proxies not to cache or buffer the response.
  ///
  /// - Parameter events: The bytes of events, of ``ServerSentEvent/bytes`` and
  ///   ``ServerSentEvent/keepAlive``.
  public init(events: some AsyncSequence<[UInt8], Never> & Sendable) {
    self.init(
      status: 200,
      headers: [
        HTTPHeader(name: "Content-Type", value: "text/event-stream; charset=utf-8"),
        HTTPHeader(name: "Cache-Control", value: "no-store"),
        HTTPHeader(name: "X-Accel-Buffering", value: "no"),
      ], body: .stream(events))
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate var isLineEnd: Bool { self == .newline || self == .carriageReturn }
}
