// A program imports the product and finds the types of the search API, and of the tools for agents.
@_exported public import InstantSearchClient

/// An HTTP request, as the listening program received it.
///
/// It uses no types of an HTTP library, so a few lines adapt any library.
public struct ServiceRequest: Sendable, Hashable {
  /// The method, such as `POST`.
  public var method: String
  /// The path and the query as they are in the request line: percent-encoded, with `?` between.
  public var target: String
  /// The header fields. Names are compared without regard to case.
  public var headers: [HTTPHeader]
  /// The whole body.
  public var body: [UInt8]
  /// The address of the peer, without a port: `203.0.113.7` or `2001:db8::1`; `nil` if it is
  /// unknown.
  ///
  /// Keys that are limited to source addresses or to a number of requests depend on it.
  public var peerAddress: String?

  /// Creates a request.
  public init(
    method: String, target: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
    peerAddress: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peerAddress = peerAddress
  }
}

extension ServiceRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the path, without the query, the headers and anything secret.
  public var description: String {
    let path = originForm.prefix { $0 != "?" }
    return "\(method) \(Endpoint.redacting(encodedPath: path))"
  }

  /// A mirror of the description.
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// An HTTP response to send.
///
/// A large response counts against the memory of the service as long as the value exists. Release
/// it before the last bytes are sent.
public struct ServiceResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// All bytes.
    case bytes([UInt8])
    /// Bytes that arrive over time, such as events. The length is unknown, and the connection is
    /// left to the stream until it ends.
    case stream(any AsyncSequence<[UInt8], Never> & Sendable)
  }

  /// The status.
  public var status: Int
  /// The header fields, without the length of the body.
  public var headers: [HTTPHeader]
  /// The body.
  public var body: Body
  /// The reserved memory of the response.
  var reservation: BodyReservation?

  /// Creates a response.
  public init(status: Int, headers: [HTTPHeader] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates the response to an error, in the form of the contract.
  public init(status: Int, message: String) {
    self.init(ServiceError(status, message))
  }

  /// The bytes of the body; empty for a stream.
  public var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }
}

/// An error response of the service, in the form of the contract.
struct ServiceError: Error, Hashable {
  var status: Int
  var message: String
  /// Additional header fields.
  var headers: [HTTPHeader] = []

  init(_ status: Int, _ message: String, headers: [HTTPHeader] = []) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  // The messages match the hosted service.
  static let invalidCredentials = ServiceError(403, "Invalid Application-ID or API key")
  static let tooManyRequests = ServiceError(
    429, "Too many requests", headers: [HTTPHeader(name: "Retry-After", value: "60")])
  static let bodyTooLarge = ServiceError(413, "The body is larger than allowed")
  static let methodNotAllowed = ServiceError(403, "Method not allowed with this API key")
  static let indexNotAllowed = ServiceError(403, "Index not allowed with this API key")
  static let refererNotAllowed = ServiceError(403, "Method not allowed with this referer")
  static let sourceNotAllowed = ServiceError(403, "Source address not allowed with this API key")
  static let expired = ServiceError(
    400, "\"validUntil\" parameter expired (less than current date)")
}
