/// What a transport answers: a status, headers and a body.
///
/// A transport returns every answer that a server (or the engine) gave, errors of the API included;
/// it throws only when there was no answer.
public struct TransportResponse: Sendable, Hashable {
  /// The HTTP status code.
  public var status: Int
  /// The headers, names as received.
  public var headers: [HTTPHeader]
  /// The body, decompressed.
  public var body: [UInt8]

  /// Creates a response; no headers by default.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
