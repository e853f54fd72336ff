import InstantSearchJSON

/// One call of the Algolia REST contract, before a host, a credential or a retry is chosen.
///
/// A transport sends it as bytes or answers it in process. Nothing in it depends on where the
/// response comes from, so one request runs unchanged on every transport.
public struct TransportRequest: Sendable, Hashable {
  /// The endpoint of the call.
  public var endpoint: Endpoint {
    didSet { endpoint = endpoint.normalized }
  }

  /// The query items, in the order in which they are sent. Empty by default.
  public var queryItems: [QueryItem]

  /// The headers that the caller adds to this call. Names are compared without regard to case.
  /// Empty by default.
  public var headers: [HTTPHeader]

  /// The body as JSON. Empty for GET and DELETE.
  public var body: [UInt8]

  /// Whether the call reads or writes. Defaults to the endpoint's call type.
  public var callType: Endpoint.CallType

  /// The deadline of the whole call, including all attempts; `nil` leaves it to the transport.
  public var deadline: Deadline?

  /// The time that one host may take, if there are several; `nil` leaves it to the transport.
  public var attemptTimeout: Duration?

  /// The ``TransportResponse/snapshot`` of an earlier response whose data answers this call; `nil`
  /// (the default) uses current data.
  ///
  /// A back end that does not recognize the value answers from current data. Calls that are joined
  /// into one must have the same snapshot, or none. Because equality ignores the snapshot, a
  /// transport that caches responses must forward every call with a snapshot and must not cache
  /// its response.
  public var snapshot: (any Sendable)?

  /// The rights of the caller for whom a service makes the call. Defaults to the rights of a
  /// search.
  package var rights = CallRights()
  /// The client for whom a service makes the call. Equality ignores it. Defaults to none.
  package var client: CallClient?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the call. An endpoint with the same path as another one becomes
  ///     that one: the record `settings` has the path of the index settings.
  ///   - queryItems: The query items, in the order in which they are sent. Empty by default.
  ///   - headers: The headers that the caller adds to this call. Empty by default.
  ///   - body: The body as JSON. Empty by default.
  ///   - callType: Whether the call reads or writes. Defaults to `nil`, the endpoint's call type.
  ///   - deadline: The deadline of the whole call. Defaults to none.
  ///   - attemptTimeout: The time that one host may take. Defaults to `nil`.
  ///   - snapshot: The data to answer from. Defaults to `nil`, current data.
  public init(
    _ endpoint: Endpoint,
    queryItems: [QueryItem] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    callType: Endpoint.CallType? = nil,
    deadline: Deadline? = nil,
    attemptTimeout: Duration? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.endpoint = endpoint.normalized
    self.queryItems = queryItems
    self.headers = headers
    self.body = body
    self.callType = callType ?? endpoint.callType
    self.deadline = deadline
    self.attemptTimeout = attemptTimeout
    self.snapshot = snapshot
  }

  /// Creates a request for a method and a path, which need not be part of the search API.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - pathComponents: The path as separate components, not percent-encoded: `["1", "keys"]`.
  ///   - queryItems: The query items, in the order in which they are sent. Empty by default.
  ///   - headers: The headers that the caller adds to this call. Empty by default.
  ///   - body: The body as JSON. Empty by default.
  ///   - callType: Whether the call reads or writes. Defaults to `nil`, the endpoint's call type.
  ///   - deadline: The deadline of the whole call. Defaults to none.
  ///   - attemptTimeout: The time that one host may take. Defaults to `nil`.
  ///   - snapshot: The data to answer from. Defaults to `nil`, current data.
  public init(
    method: Endpoint.Method,
    pathComponents: [String],
    queryItems: [QueryItem] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8] = [],
    callType: Endpoint.CallType? = nil,
    deadline: Deadline? = nil,
    attemptTimeout: Duration? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.init(
      Endpoint(method, pathComponents), queryItems: queryItems, headers: headers, body: body,
      callType: callType, deadline: deadline, attemptTimeout: attemptTimeout, snapshot: snapshot)
  }

  /// The HTTP method.
  public var method: Endpoint.Method {
    get { endpoint.method }
    set { endpoint = Endpoint(newValue, pathComponents) }
  }

  /// The path as separate components, not percent-encoded: `["1", "keys"]`.
  public var pathComponents: [String] {
    get { endpoint.pathComponents }
    set { endpoint = Endpoint(method, newValue) }
  }

  /// The path with every component percent-encoded, beginning with a slash.
  public var path: String { endpoint.path }

  /// The query items as `name=value&…`, percent-encoded with `%20` for a space. Empty if there are
  /// no items.
  public var queryString: String {
    queryItems.map { item in
      PercentEncoding.encode(item.name) + "=" + PercentEncoding.encode(item.value)
    }.joined(separator: "&")
  }

  /// Equality ignores the deadline, the attempt timeout and the snapshot: two calls that request
  /// the same thing are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.endpoint == right.endpoint
      && left.queryItems == right.queryItems && left.headers == right.headers
      && left.body == right.body && left.callType == right.callType
      && left.rights == right.rights
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(endpoint)
    hasher.combine(queryItems)
    hasher.combine(headers)
    hasher.combine(body)
    hasher.combine(callType)
    hasher.combine(rights)
  }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the path. Headers, query and body are left out, as they may contain keys and
  /// tokens.
  public var description: String { endpoint.description }

  /// A mirror of the description.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["method": method, "path": endpoint.redactedPath, "bodyBytes": body.count])
  }
}

extension TransportRequest {
  /// Throws if the task is already cancelled or the deadline has passed.
  ///
  /// - Throws: `CancellationError`, or ``SearchError`` of code `timedOut`.
  package func checkNotCancelledOrExpired() throws {
    try Task.checkCancellation()
    if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
  }
}

/// The indices that a call concerns.
package enum AffectedIndices: Sendable, Hashable {
  /// The named indices, at least one.
  case named(Set<String>)
  /// Possibly any index: the call names none, or its body cannot be read.
  case unknown

  /// Reads the indices from the endpoint, or from the body if it names them.
  ///
  /// - Complexity: O(length of the body) for the calls that name indices in the body.
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

/// The rights of the caller for whom a service makes a call, beyond the call itself. A back end
/// behind a network has its own key, and does not see them.
package struct CallRights: Sendable, Hashable {
  /// Whether unretrievable attributes are returned.
  package var seesUnretrievableAttributes = false
  /// Whether searches find all records, with all attributes that are not unretrievable.
  package var seesAllRecords = true
  /// Whether responses may tell settings and synonyms.
  package var readsSettings = true
  /// Identifies a key and all secured keys derived from it, which share the data that the back end
  /// keeps for them.
  package var family = ""

  /// The rights of a search.
  package init() {}
}
