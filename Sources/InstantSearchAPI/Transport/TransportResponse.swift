import InstantSearchJSON

/// What a transport answers: a status, headers and a body.
///
/// A transport returns every answer that a server (or the engine) gave, errors of the API included;
/// it throws only when there was no answer.
public struct TransportResponse: Sendable {
  /// The HTTP status code.
  public var status: Int
  /// The headers, names as received.
  public var headers: [HTTPHeader]
  /// The body, decompressed.
  public var body: [UInt8]

  /// The data as it was when this answer was made, as a value that only the back end understands;
  /// `nil`, the default, from one that keeps no such thing.
  ///
  /// Further pages of a list are asked for with it in ``TransportRequest/snapshot``, so that writes
  /// meanwhile neither repeat nor lose a row. The data stays in memory for as long as the response,
  /// or a copy of its snapshot, is kept; that goes for an answer in a cache too.
  public var snapshot: (any Sendable)?

  /// Who gave this answer, where more than one could have; `nil`, the default, from a transport
  /// that does not say.
  public var origin: ResponseOrigin?

  /// Creates a response; no headers, no snapshot and no origin by default.
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

extension TransportResponse: Hashable {
  /// Equality leaves out the snapshot and the origin: two answers with the same content are equal,
  /// whatever their origin.
  public static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.headers == right.headers && left.body == right.body
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(headers)
    hasher.combine(body)
  }
}

extension TransportResponse {
  /// Whether the status says that something may be wrong with what the call holds.
  ///
  /// The other errors of 4xx are about the account, the key, the method or the moment: a call with
  /// any other content has them as well. Statuses of 403 and 404 may be about either.
  package var mayBeCausedByContent: Bool {
    (400..<500).contains(status) && ![401, 402, 405, 407, 408, 425, 429].contains(status)
  }
}

extension TransportResponse {
  /// How long the server wants to be left alone: the seconds of `Retry-After`, or the time between
  /// the answer's `Date` and the date there; `nil` without either.
  ///
  /// The server's own clock is asked for the present, for that of this machine may be wrong.
  package var retryAfter: Duration? {
    guard let text = headers.firstValue(named: "Retry-After")?.trimmed else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      // What does not fit is bounded like any other long time.
      return .seconds(Int64(text) ?? .max)
    }
    guard let end = HTTPDate.seconds(of: text),
      let now = headers.firstValue(named: "Date").flatMap({ HTTPDate.seconds(of: $0.trimmed) })
    else { return nil }
    return .seconds(end - now)
  }
}

/// Dates in headers.
private enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970 of a date like `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is
  /// written (RFC 9110, 5.6.7).
  static func seconds(of text: String) -> Int64? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return ISO8601.seconds(from: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}

extension String {
  /// The text without spaces and tabs around it.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

/// Who gave an answer: the network, what stands in for it, or a cache.
///
/// It travels beside the answer, in ``TransportResponse/origin`` and ``HitsPage/origin``, and is no
/// part of its JSON. A screen shows with it that it is offline.
public struct ResponseOrigin: Sendable, Hashable {
  /// The name of the transport that answered; empty where nothing gave it one.
  public var name: String
  /// Whether the answer was kept from an earlier call; `false` by default.
  public var isCached: Bool
  /// Whether it comes from a transport that stands in for the first, whatever its name; `false` by
  /// default.
  public var isFallback: Bool

  /// Creates an origin.
  public init(name: String, isCached: Bool = false, isFallback: Bool = false) {
    self.name = name
    self.isCached = isCached
    self.isFallback = isFallback
  }

  /// The transport that is asked first.
  public static let primary = ResponseOrigin(name: "primary")
  /// The transport that stands in for the first, if it has no name of its own; ``isFallback`` is
  /// set.
  public static let fallback = ResponseOrigin(name: "fallback", isFallback: true)
}

extension ResponseOrigin: CustomStringConvertible {
  /// The name, followed by `fallback` for an answer of a stand-in of another name, and by `cached`
  /// for one that was kept.
  public var description: String {
    let standIn = isFallback && name != Self.fallback.name ? Self.fallback.name : ""
    return [name, standIn, isCached ? "cached" : ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
