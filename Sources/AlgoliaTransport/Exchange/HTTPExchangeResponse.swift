public import AsyncInstantSearch

/// What one host answered.
public struct HTTPExchangeResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int

  /// The headers, names as received.
  public var headers: [HTTPHeader]

  /// The body, decompressed.
  public var body: [UInt8]

  /// Creates a response; no headers and no body by default.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension [HTTPHeader] {
  /// The fields without those that describe the body as it was compressed, when it was.
  var describingDecodedBody: [HTTPHeader] {
    guard firstValue(named: "Content-Encoding") != nil else { return self }
    return filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) }
  }
}
