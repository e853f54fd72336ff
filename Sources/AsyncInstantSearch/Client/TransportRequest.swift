/// One call of the Algolia REST contract, before any host, credential or retry is known.
///
/// A transport turns it into bytes on a wire, or answers it in process. Nothing in it depends on
/// where the answer comes from, so one request runs unchanged on every transport.
public struct TransportRequest: Sendable, Hashable {
  /// The HTTP method of a call.
  public enum Method: String, Sendable, Hashable, Codable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// Whether a call may go to the hosts that serve reads, under the timeouts of reads.
  public enum CallType: String, Sendable, Hashable, Codable {
    case read
    case write
  }

  /// The HTTP method.
  public var method: Method

  /// The path as separate components, not percent-encoded: `["1", "indexes", "films", "query"]`.
  public var pathComponents: [String]

  /// The query items, in the order in which they are written; empty by default.
  public var queryItems: [QueryItem]

  /// Headers the caller adds to this call; empty by default. Names compare without regard to case.
  public var headers: [HTTPHeader]

  /// The body, as JSON; empty for GET and DELETE.
  public var body: [UInt8]

  /// Read or write; see ``CallType``.
  public var callType: CallType

  /// When the whole call must have ended, all attempts included; `nil` leaves it to the transport.
  public var deadline: Deadline?

  /// How long one host may take, where a transport asks several; `nil` leaves it to the transport.
  public var attemptTimeout: Duration?

  /// The ``TransportResponse/snapshot`` of an earlier answer, from whose data this call is to be
  /// answered; `nil`, the default, for the current data.
  ///
  /// A back end that does not know the value answers from the current data. Calls that are put
  /// together into one must have the same snapshot, or none. As equality leaves it out, a transport
  /// that keeps answers passes on every call that has one, and keeps no answer to it.
  public var snapshot: (any Sendable)?

  /// Creates a request.
  public init(
    method: Method,
    pathComponents: [String],
    queryItems: [QueryItem] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    callType: CallType,
    deadline: Deadline? = nil,
    attemptTimeout: Duration? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.method = method
    self.pathComponents = pathComponents
    self.queryItems = queryItems
    self.headers = headers
    self.body = body
    self.callType = callType
    self.deadline = deadline
    self.attemptTimeout = attemptTimeout
    self.snapshot = snapshot
  }

  /// The path with every component percent-encoded, beginning with a slash.
  ///
  /// The literal component `*` stands for "all indices" in the contract and is left as it is.
  public var path: String {
    pathComponents.reduce(into: "") { path, component in
      path += "/"
      path += component == "*" ? component : PercentEncoding.encode(component)
    }
  }

  /// The query items as `name=value&…`, percent-encoded with `%20` for a space; empty without
  /// items.
  public var queryString: String {
    queryItems.map { item in
      PercentEncoding.encode(item.name) + "=" + PercentEncoding.encode(item.value)
    }.joined(separator: "&")
  }

  /// Equality leaves out the deadline, the attempt timeout and the snapshot: two calls that ask for
  /// the same thing are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.method == right.method && left.pathComponents == right.pathComponents
      && left.queryItems == right.queryItems && left.headers == right.headers
      && left.body == right.body && left.callType == right.callType
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(pathComponents)
    hasher.combine(queryItems)
    hasher.combine(headers)
    hasher.combine(body)
    hasher.combine(callType)
  }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the path; headers, query and body may hold keys and tokens and are left out.
  public var description: String { method.rawValue + " " + redactedPath }

  /// A mirror of what the description shows.
  public var customMirror: Mirror {
    Mirror(self, children: ["method": method, "path": redactedPath, "bodyBytes": body.count])
  }

  /// The path; an API key in it, `/1/keys/…`, or a user token, `/1/usertokens/…`, is replaced by an
  /// asterisk.
  private var redactedPath: String {
    if keyInPath == nil { return path }
    var redacted = self
    redacted.pathComponents[2] = "*"
    return redacted.path
  }

  /// The API key, or the user token, that a call about one names in its path.
  package var keyInPath: String? {
    pathComponents.count > 2 && ["keys", "usertokens"].contains(pathComponents[1])
      ? pathComponents[2] : nil
  }
}
