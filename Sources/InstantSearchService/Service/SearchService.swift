import InstantSearchJSON

/// The search API over HTTP, as a handler without sockets, in front of any transport.
///
/// ```swift
/// let keys = try ServiceKeys(adminKey: secret)
/// let service = SearchService(transport: LocalSearch(), keys: keys, configuration: configuration)
/// let response = await service.respond(to: request)  // from any HTTP library
/// ```
///
/// It checks keys and their rights, forces the restrictions of a key on each call, answers browsers
/// (CORS and its preflights), and sends other calls to the transport. Official clients, and
/// programs that were written for the hosted service, work unchanged. Every response, including
/// errors, has the contract's form.
///
/// A response ends when its task is cancelled, or after the timeout of the configuration. No
/// description or response of the service contains another caller's key.
public final class SearchService: Sendable {
  let transport: any SearchTransport
  let configuration: Configuration
  let authorization: Authorization
  private let bodyMemory: BodyMemory
  private let responseSizes = ResponseSizes()
  private let largeCalls = LargeCalls()
  private let clock: AnyClock

  /// Creates a service.
  public init(
    transport: some SearchTransport, keys: ServiceKeys, configuration: Configuration
  ) {
    self.transport = transport
    self.configuration = configuration
    clock = AnyClock(configuration.clock)
    bodyMemory = BodyMemory(maximum: configuration.maximumBodyTotal)
    authorization = Authorization(
      keys: keys, applicationID: configuration.applicationID,
      queriesPerAddress: configuration.maximumQueriesPerAddress, now: configuration.now)
  }

  /// The keys of the service.
  public var keys: ServiceKeys { authorization.keys }

  /// Answers one request, whose body was read.
  ///
  /// Use it for short bodies, such as search requests: reading a body during the call costs two
  /// thread switches.
  @concurrent
  public func respond(to request: ServiceRequest) async -> ServiceResponse {
    await respond(to: request, reading: nil)
  }

  /// Answers one request, and reads its body only for a caller whose key may make the call.
  ///
  /// - Parameters:
  ///   - request: The request without its body.
  ///   - body: The parts of the body. It is read in a separate task, which is cancelled after the
  ///     timeout of the call, up to the maximum size of a body. An error counts as the client's,
  ///     with status 400, or 408 for a ``/InstantSearchAPI/SearchError`` with code `timedOut`.
  ///   - willRead: Runs before the first part is read, such as to answer `Expect: 100-continue`.
  ///     Does nothing by default.
  @concurrent
  public func respond<Body: AsyncSequence & Sendable>(
    to request: ServiceRequest, body: Body,
    willRead: @escaping @Sendable () async throws -> Void = {}
  ) async -> ServiceResponse where Body.Element: Collection<UInt8> {
    await respond(to: request) { maximumSize, reservation in
      try await willRead()
      var bytes: [UInt8] = []
      for try await part in body {
        let count = bytes.count + part.count
        guard count <= maximumSize else { throw ServiceError.bodyTooLarge }
        try reservation.take(count)
        bytes += part
      }
      return bytes
    }
  }

  /// Reads a body of at most the given size, and reserves its memory.
  typealias BodyReader = @Sendable (Int, BodyReservation) async throws -> [UInt8]

  private func respond(
    to request: ServiceRequest, reading read: BodyReader?
  ) async -> ServiceResponse {
    let start = clock.now()
    var entry = AccessLogEntry(
      request, clientAddress: request.clientAddress(behind: configuration.trustedProxies),
      correlationID: correlationID(of: request))
    var response: ServiceResponse
    do {
      response =
        request.method == "OPTIONS"
        ? preflight(request) : try await answer(request, &entry, readingBody: read)
    } catch let error as ServiceError {
      response = ServiceResponse(error)
    } catch let error as SearchError {
      // The message of a disk error contains a path of the server.
      let message =
        error.code == .storage ? "The service could not store the change" : error.message
      if error.code == .storage {
        entry.message =
          [error.message, error.underlying].compactMap(\.self)
          .joined(separator: " ").onOneLine
      }
      response = ServiceResponse(ServiceError(error.httpStatus, message))
    } catch is CancellationError {
      response = ServiceResponse(ServiceError(499, "The client has gone"))
    } catch {
      // Errors of other libraries may quote secrets.
      entry.message = "The service failed with \(type(of: error))"
      response = ServiceResponse(ServiceError(500, "The service failed"))
    }
    return completed(response, request, entry, since: start)
  }

  /// Returns a response with the common headers, and adds its entry to the access log.
  private func completed(
    _ response: ServiceResponse, _ request: ServiceRequest, _ entry: AccessLogEntry,
    since start: Duration
  ) -> ServiceResponse {
    var (response, entry) = (response, entry)
    entry.note(response)
    finish(&response, for: request, entry.correlationID)
    if case .bytes(let bytes) = response.body { entry.responseBytes = bytes.count }
    entry.duration = clock.now() - start
    configuration.onResponse(entry)
    return response
  }

  /// Answers a request that a listener rejects, with an entry in the access log.
  ///
  /// - Parameters:
  ///   - request: The request. If it could not be parsed, such as with a malformed head, its method
  ///     and its target are `-`.
  ///   - status: The status of the response.
  ///   - message: The reason for rejecting the request.
  public func refuse(
    _ request: ServiceRequest, status: Int, message: String
  ) -> ServiceResponse {
    let entry = AccessLogEntry(
      request, clientAddress: request.clientAddress(behind: configuration.trustedProxies),
      correlationID: correlationID(of: request))
    let response = ServiceResponse(status: status, message: message)
    return completed(response, request, entry, since: clock.now())
  }

  /// Answers a request whose credentials are not checked yet.
  private func answer(
    _ request: ServiceRequest, _ entry: inout AccessLogEntry,
    readingBody read: BodyReader?
  ) async throws -> ServiceResponse {
    let target = try RequestTarget(request.originForm)
    guard configuration.isReady() else {
      throw ServiceError(
        503, "The service is starting", headers: [HTTPHeader(name: "Retry-After", value: "1")])
    }
    if target.path == ["health"] || target.path == ["1", "isalive"] {
      entry.route = "/" + target.path.joined(separator: "/")
      return ServiceResponse(json: Array(#"{"status":"ok"}"#.utf8))
    }
    let credentials = Credentials(headers: request.headers, queryItems: target.queryItems)
    if let tools = configuration.tools, target.path == tools.pathComponents {
      return try await answer(
        request, with: credentials.orBearerToken(in: request.headers), to: tools, &entry,
        readingBody: read)
    }
    entry.note(credentials)
    let address = entry.clientAddress
    let caller = try authorization.caller(credentials, from: address)
    // Unknown callers do not learn which paths exist.
    let endpoint = try Self.endpoint(request.method, target.path)
    entry.note(endpoint)
    let sender = Sender(caller, credentials, address, request.headers)
    // The body is not read for an unknown caller, or for a key that may not make the call.
    try check(sender, endpoint)
    let deadline = Deadline(after: configuration.timeout, clock: configuration.clock)
    let maximumSize = try maximumBodySize(of: request, for: endpoint)
    let (body, reservation) = try await body(
      of: request, from: sender, maximumSize: maximumSize, until: deadline, &entry,
      readingBody: read)
    let call = TransportRequest(
      endpoint, queryItems: credentials.queryItems, body: body, deadline: deadline)
    return try await perform(call, from: sender, reservation)
  }

  /// Checks what can be checked without the body of a call.
  func check(_ sender: Sender, _ endpoint: Endpoint) throws(ServiceError) {
    try authorization.check(
      sender.caller, needs: endpoint.isBatch ? nil : endpoint.neededRight(body: nil),
      indices: endpoint.indexNames(places: configuration.placesIndexName),
      concernsAllIndices: endpoint.concernsAllIndices, referer: sender.referer,
      address: sender.address)
  }

  /// Returns the body of a request, decompressed, and the memory that it takes.
  func body(
    of request: ServiceRequest, from sender: Sender, maximumSize: Int, until deadline: Deadline?,
    _ entry: inout AccessLogEntry, readingBody read: BodyReader?
  ) async throws -> ([UInt8], BodyReservation) {
    let reservation = try bodyMemory.take(request.body.count, for: sender.name)
    var request = request
    if let read {
      request.body = try await receive(maximumSize, reservation, until: deadline, from: read)
    }
    entry.requestBytes = request.body.count
    let body = try body(of: request, maximumSize: maximumSize, reservation)
    reservation.set(body.count)
    return (body, reservation)
  }

  /// Takes memory for a call that the service makes for a sender.
  func takeMemory(_ count: Int, for sender: Sender) throws(ServiceError) -> BodyReservation {
    try bodyMemory.take(count, for: sender.name)
  }

  /// Performs a call that was checked without its body.
  func perform(
    _ call: TransportRequest, from sender: Sender, _ reservation: BodyReservation
  ) async throws -> ServiceResponse {
    var call = call
    let bodySize = call.body.count
    call.rights = sender.caller.rights(for: call.endpoint)
    call.client = CallClient(sender.name) { reservation.takes(bodySize + $0) }
    do {
      let response = try await answer(
        call, from: sender, reservation,
        on: sender.caller.limits != nil && bodySize > BodyMemory.smallSize ? largeCalls : nil)
      if response.status == 503, reservation.isExceeded { throw BodyMemory.isFull }
      return try reservation.kept(by: response)
    } catch {
      reservation.set(0)
      throw error
    }
  }

  /// Answers a call whose body was read.
  ///
  /// - Parameter actor: The actor that parses and changes the body; `nil` for any thread.
  private func answer(
    _ call: TransportRequest, from sender: Sender, _ reservation: BodyReservation,
    on actor: isolated LargeCalls?
  ) async throws -> ServiceResponse {
    let endpoint = call.endpoint
    if case .keys(let keyCall) = endpoint {
      return try await answer(
        keyCall, sender.caller, sender.credentials, Self.parsedBody(call, reservation),
        until: call.deadline)
    }
    // With the admin key, only the transport parses the body.
    guard let limits = sender.caller.limits else { return try await send(call) }
    let root = endpoint.isLimitedByBody ? try Self.parsedBody(call, reservation) : nil
    if let root {
      try endpoint.checkForm(of: root)
      try authorization.check(
        limits, needs: endpoint.isBatch ? endpoint.neededRight(body: root) : nil,
        indices: endpoint.indexNames(in: root))
    }
    if endpoint == .multiQuery, let count = root?["requests"]?.count, count > 1 {
      try authorization.count(count - 1, limits, address: sender.address)
    }
    let hits = root.map { ResponseSizes.hits(of: endpoint, $0) } ?? [:]
    try reservation.expect(responseSizes.expected(for: hits))
    let response = try await send(call, root, within: limits)
    if response.status == 200 {
      let queryCount = root?["requests"]?.count ?? 1
      responseSizes.note(response.bytes.count, of: hits, queryCount: queryCount)
    }
    return response
  }

  /// Returns the call of a method and a path.
  private static func endpoint(
    _ method: String, _ path: [String]
  ) throws(ServiceError) -> Endpoint {
    let methods = Endpoint.methods(at: path)
    // HEAD is GET without a body, which the listener leaves out.
    if let method = Endpoint.Method(rawValue: method == "HEAD" ? "GET" : method) {
      let endpoint = Endpoint(method, path)
      guard case .custom = endpoint else { return endpoint }
    }
    guard !methods.isEmpty else { throw ServiceError(404, "Unknown path") }
    throw ServiceError(
      405, "Method not allowed for this path",
      headers: [
        HTTPHeader(name: "Allow", value: methods.map(\.rawValue).joined(separator: ", "))
      ])
  }

  /// Parses the body of a call, and takes the memory of its values. An empty body counts as an
  /// empty object.
  private static func parsedBody(
    _ call: TransportRequest, _ reservation: BodyReservation
  ) throws -> JSONNode {
    // The body, a copy of it, and the usual size of its values.
    try reservation.take(3 * call.body.count)
    do {
      let bytes = call.body.isEmpty ? Array("{}".utf8) : call.body
      let root = try JSONDocument(bytes[...]) {
        try Task.checkCancellation()
        if let deadline = call.deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
      }.root
      // The values of a read are created again with the limits of its key.
      let valueSize = call.callType == .write ? 8 : 24
      try reservation.take(2 * call.body.count + valueSize * root.document.tapeCount)
      guard root.kind == .object else {
        throw ServiceError(400, "Malformed body: expected a JSON object")
      }
      return root
    } catch let error as JSONError {
      throw ServiceError(
        400, "Malformed JSON: \(error.message) at line \(error.line) column \(error.column)")
    }
  }
}

/// Parses and changes large bodies, one at a time, which leaves the other threads of the process to
/// small calls.
private actor LargeCalls {}
