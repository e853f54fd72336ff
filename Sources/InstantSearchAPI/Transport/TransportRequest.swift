import InstantSearchJSON

/// One call of the Algolia REST contract, before any host, credential or retry is known.
///
/// A transport turns it into bytes on a wire, or answers it in process. Nothing in it depends on
/// where the answer comes from, so one request runs unchanged on every transport.
public struct TransportRequest: Sendable, Hashable {
  /// The HTTP method of a call.
  public typealias Method = HTTPMethod
  /// Whether a call reads or writes.
  public typealias CallType = InstantSearchAPI.CallType

  /// What is called.
  public var endpoint: Endpoint {
    didSet { endpoint = Endpoint(endpoint.method, endpoint.pathComponents) }
  }

  /// The query items, in the order in which they are written; empty by default.
  public var queryItems: [QueryItem]

  /// Headers the caller adds to this call; empty by default. Names compare without regard to case.
  public var headers: [HTTPHeader]

  /// The body, as JSON; empty for GET and DELETE.
  public var body: [UInt8]

  /// Whether the call reads or writes; as the endpoint does by default.
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
  ///
  /// - Parameters:
  ///   - endpoint: What is called. An endpoint whose path is that of another one becomes that one:
  ///     the record `settings` is read from the path at which the settings are.
  ///   - queryItems: The query items, in the order in which they are written.
  ///   - headers: Headers that the caller adds to this call.
  ///   - body: The body, as JSON.
  ///   - callType: Whether the call reads or writes; `nil`, the default, for what the endpoint does.
  ///   - deadline: When the whole call must have ended.
  ///   - attemptTimeout: How long one host may take.
  ///   - snapshot: The data to answer from.
  public init(
    _ endpoint: Endpoint,
    queryItems: [QueryItem] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    callType: CallType? = nil,
    deadline: Deadline? = nil,
    attemptTimeout: Duration? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.endpoint = Endpoint(endpoint.method, endpoint.pathComponents)
    self.queryItems = queryItems
    self.headers = headers
    self.body = body
    self.callType = callType ?? endpoint.callType
    self.deadline = deadline
    self.attemptTimeout = attemptTimeout
    self.snapshot = snapshot
  }

  /// Creates a request for a method and a path, which may be none of the search API.
  ///
  /// - Parameter pathComponents: The path as separate components, not percent-encoded:
  ///   `["1", "indexes", "films", "query"]`.
  public init(
    method: Method,
    pathComponents: [String],
    queryItems: [QueryItem] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    callType: CallType? = nil,
    deadline: Deadline? = nil,
    attemptTimeout: Duration? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.init(
      Endpoint(method, pathComponents), queryItems: queryItems, headers: headers, body: body,
      callType: callType, deadline: deadline, attemptTimeout: attemptTimeout, snapshot: snapshot)
  }

  /// The HTTP method.
  public var method: Method {
    get { endpoint.method }
    set { endpoint = Endpoint(newValue, pathComponents) }
  }

  /// The path as separate components, not percent-encoded: `["1", "indexes", "films", "query"]`.
  public var pathComponents: [String] {
    get { endpoint.pathComponents }
    set { endpoint = Endpoint(method, newValue) }
  }

  /// The path with every component percent-encoded, beginning with a slash.
  public var path: String { endpoint.path }

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
    left.endpoint == right.endpoint
      && left.queryItems == right.queryItems && left.headers == right.headers
      && left.body == right.body && left.callType == right.callType
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(endpoint)
    hasher.combine(queryItems)
    hasher.combine(headers)
    hasher.combine(body)
    hasher.combine(callType)
  }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the path; headers, query and body may hold keys and tokens and are left out.
  public var description: String { endpoint.description }

  /// A mirror of what the description shows.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["method": method, "path": endpoint.redactedPath, "bodyBytes": body.count])
  }
}

extension TransportRequest {
  /// Ends a call without a waiting caller: its task is cancelled already, or its deadline has
  /// passed.
  ///
  /// - Throws: `CancellationError`, or ``SearchError`` of code `timedOut`.
  package func checkNotCancelledOrExpired() throws {
    try Task.checkCancellation()
    if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
  }
}

/// Which indices a call is about.
package enum AffectedIndices: Sendable, Hashable {
  /// These, at least one.
  case named(Set<String>)
  /// Perhaps any: the call names none, or its body cannot be read.
  case unknown

  /// Reads them from the endpoint, and from the body where that names them.
  ///
  /// - Complexity: O(length of the body) for those calls.
  package init(of request: TransportRequest) {
    switch request.endpoint.indices {
    case .named(let index): self = .named([index])
    case .all: self = .unknown
    case .inBody(and: nil): self = Self.inBody(of: request)
    case .inBody(and: let index?):
      let destination = (try? JSONDocument(request.body))?.root["destination"]?.string
      self = destination.map { .named([index, $0]) } ?? .unknown
    }
  }

  private static func inBody(of request: TransportRequest) -> AffectedIndices {
    guard let requests = (try? JSONDocument(request.body))?.root["requests"], requests.count > 0
    else { return .unknown }
    var names: Set<String> = []
    for element in requests.elements {
      guard let name = element["indexName"]?.string else { return .unknown }
      names.insert(name)
    }
    return names.isEmpty ? .unknown : .named(names)
  }
}
