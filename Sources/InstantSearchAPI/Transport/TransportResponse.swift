import InstantSearchJSON

/// The response of a transport: a status, headers and a body.
///
/// A transport returns every response of a server or engine, including API errors. It throws only
/// if there was no response.
public struct TransportResponse: Sendable {
  /// The HTTP status code.
  public var status: Int
  /// The headers, with names as received.
  public var headers: [HTTPHeader]
  /// The decompressed body.
  public var body: [UInt8]

  /// The data that this response was made from, as a value that only the back end understands;
  /// `nil` (the default) if the back end does not support snapshots.
  ///
  /// Pass it in ``TransportRequest/snapshot`` to get further pages of a list, so that later writes
  /// neither repeat nor lose a row. The data stays in memory as long as the response or a copy of
  /// its snapshot exists, including in a cache.
  public var snapshot: (any Sendable)?

  /// The transport that produced this response, if known. Defaults to `nil`.
  public var origin: ResponseOrigin?

  /// Creates a response. Headers, snapshot and origin are absent by default.
  public init(
    status: Int, headers: [HTTPHeader] = [], body: [UInt8],
    snapshot: (any Sendable)? = nil, origin: ResponseOrigin? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.snapshot = snapshot
    self.origin = origin
  }
}

extension TransportResponse {
  /// The body of an error response in the form of the API: `{"message": …, "status": …}`.
  package static func errorBody(
    _ message: String, status: Int, position: Int? = nil, objectID: String? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("message")
    writer.string(message)
    writer.key("status")
    writer.int(status)
    if let position {
      writer.key("position")
      writer.int(position)
    }
    if let objectID {
      writer.key("objectID")
      writer.string(objectID)
    }
    writer.endObject()
    return writer.bytes
  }
}

extension TransportResponse: Hashable {
  /// Equality ignores the snapshot and the origin: two responses with the same content are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.headers == right.headers && left.body == right.body
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(headers)
    hasher.combine(body)
  }
}

extension TransportResponse {
  /// Whether the status indicates that the contents of the call may be invalid.
  ///
  /// The other 4xx statuses concern the account, the key, the method or the time: they also apply
  /// to a call with other contents. Statuses 403 and 404 can mean either.
  package var mayBeCausedByContent: Bool {
    (400..<500).contains(status) && ![401, 402, 405, 407, 408, 425, 429].contains(status)
  }
}

extension TransportResponse {
  /// The time that the server wants callers to wait: the seconds of `Retry-After`, or the time
  /// between the response's `Date` and the date there; `nil` without either.
  ///
  /// The current time is the server's, because this machine's clock may be wrong.
  package var retryAfter: Duration? {
    guard let text = headers.firstValue(named: "Retry-After")?.trimmed else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      // A value that does not fit is bounded like any other long time.
      return .seconds(Int64(text) ?? .max)
    }
    guard let end = HTTPDate.seconds(of: text),
      let now = headers.firstValue(named: "Date").flatMap({ HTTPDate.seconds(of: $0.trimmed) })
    else { return nil }
    return .seconds(end - now)
  }
}

/// Parses dates in headers.
private enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970 of a date (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, the only
  /// form that may be generated, or one of the obsolete ones, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`, which every recipient must accept.
  static func seconds(of text: String) -> Int64? {
    let parts = text.split(separator: " ")
    if parts.count == 6, parts[5] == "GMT" {
      return seconds(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
    }
    if parts.count == 5 {
      let day = parts[2].utf8.count == 1 ? "0" + parts[2] : String(parts[2])
      return seconds(year: parts[4], month: parts[1], day: day[...], time: parts[3])
    }
    guard parts.count == 4, parts[3] == "GMT" else { return nil }
    let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, date[2].utf8.count == 2, let year = UInt8(date[2]) else { return nil }
    let century = year < 70 ? "20" : "19"
    return seconds(
      year: (century + date[2])[...], month: date[1], day: date[0], time: parts[2])
  }

  private static func seconds(
    year: Substring, month: Substring, day: Substring, time: Substring
  ) -> Int64? {
    guard let index = months.firstIndex(of: String(month)) else { return nil }
    let number = index + 1 < 10 ? "0\(index + 1)" : "\(index + 1)"
    return ISO8601.seconds(from: "\(year)-\(number)-\(day)T\(time)Z")
  }
}

extension String {
  /// The text without surrounding spaces and tabs.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

/// The origin of a response: the primary transport, a fallback, or a cache.
///
/// It accompanies the response, in ``TransportResponse/origin`` and ``HitsPage/origin``, and is
/// not part of its JSON. A screen can use it to show that it is offline.
public struct ResponseOrigin: Sendable, Hashable {
  /// The name of the transport that responded. Empty if no transport set one.
  public var name: String
  /// Whether the response was cached by an earlier call. `false` by default.
  public var isCached: Bool
  /// Whether the response comes from a fallback transport, regardless of its name. `false` by
  /// default.
  public var isFallback: Bool

  /// Creates an origin.
  public init(name: String, isCached: Bool = false, isFallback: Bool = false) {
    self.name = name
    self.isCached = isCached
    self.isFallback = isFallback
  }

  /// The transport that is used first.
  public static let primary = ResponseOrigin(name: "primary")
  /// The fallback transport, unless it has a custom name. ``isFallback`` is set.
  public static let fallback = ResponseOrigin(name: "fallback", isFallback: true)
}

extension ResponseOrigin: CustomStringConvertible {
  /// The name, followed by `fallback` for a fallback with another name and by `cached` for a
  /// cached response.
  public var description: String {
    let standIn = isFallback && name != Self.fallback.name ? Self.fallback.name : ""
    return [name, standIn, isCached ? "cached" : ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
