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
  public var origin: AnswerOrigin?

  /// Creates a response; no headers, no snapshot and no origin by default.
  public init(
    status: Int, headers: [HTTPHeader] = [], body: [UInt8],
    snapshot: (any Sendable)? = nil, origin: AnswerOrigin? = nil
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
