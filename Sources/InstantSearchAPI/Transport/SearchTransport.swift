package import InstantSearchJSON

/// The boundary between the client and the service that answers it.
///
/// `AlgoliaTransport` uses HTTPS, `LocalSearch` answers in process, and decorators wrap either. A
/// custom transport implements this one method:
///
/// - It **returns** every response, including responses with an error status. The client turns
///   statuses into ``SearchError`` values.
/// - It **throws** if there was no response: a ``SearchError``, which reaches the caller
///   unchanged; `CancellationError` if the surrounding task was cancelled; or any other error,
///   which reaches the caller as ``SearchError/Code-swift.struct/transport`` with that error in
///   ``SearchError/underlying``.
/// - It returns promptly once the surrounding task is cancelled, and once the request's deadline
///   has passed, regardless of its back end. The client does not depend on it: its calls end in
///   time with any transport, and it drops what a transport returns later. But a transport that
///   continues keeps the resources of the call, such as a connection.
/// - It can be called any number of times concurrently.
/// - It can give a response a ``TransportResponse/snapshot``, if it can answer from the same data
///   after other data has been written.
public protocol SearchTransport: Sendable {
  /// Answers one call.
  func send(_ request: TransportRequest) async throws -> TransportResponse

  /// Whether every call ends at its deadline and when its task is cancelled, regardless of the back
  /// end. Defaults to `false`.
  ///
  /// A client awaits such a transport directly, and receives its error, which has more details of
  /// the call. It runs each call of any other transport in a task, and stops waiting for it in
  /// time. A transport that wraps another transport and only awaits it returns the wrapped
  /// transport's value.
  var isPrompt: Bool { get }
}

extension SearchTransport {
  /// Calls may continue after their deadline.
  public var isPrompt: Bool { false }
}

/// One call of the search API, ready to be sent over any transport.
package struct EndpointCall: Sendable {
  package var endpoint: Endpoint
  package var body: [UInt8]
  /// The indices that the call names, for error messages.
  package var indexNames: [String]
  /// The snapshot of an earlier response to answer from.
  package var snapshot: (any Sendable)?
  /// The rights of the caller for whom a service makes the call.
  package var rights = CallRights()
  /// The client for whom a service makes the call.
  package var client: CallClient?
  /// The deadline of a call that began earlier. Without it, the time of the options begins now.
  package var deadline: Deadline?

  /// Creates a call.
  ///
  /// - Parameter indexNames: The indices in the body. Defaults to the index in the path.
  package init(
    _ endpoint: Endpoint, body: [UInt8] = [], indexNames: [String]? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.endpoint = endpoint
    self.body = body
    self.indexNames = indexNames ?? endpoint.indexName.map { [$0] } ?? []
    self.snapshot = snapshot
  }

  /// Sends the call and returns the response, regardless of its status.
  ///
  /// It ends at the deadline or when the task is cancelled, regardless of the transport.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures ``RequestOptions/timeout``.
  ///   - executor: The executor of the task for a transport that may not end in time.
  /// - Throws: The transport's ``SearchError`` with the context of the call, or one of code
  ///   `cancelled`, `timedOut` or `transport`.
  @concurrent
  package func response(
    over transport: any SearchTransport, clock: any Clock<Duration>,
    executor: (any TaskExecutor)?, options: RequestOptions
  ) async throws(SearchError) -> TransportResponse {
    if Task.isCancelled { throw cancelled }
    var request = TransportRequest(
      endpoint,
      queryItems: options.queryItems,
      headers: options.headers,
      body: body,
      deadline: deadline ?? options.timeout.map { Deadline(after: $0, clock: clock) },
      attemptTimeout: options.attemptTimeout,
      snapshot: snapshot)
    request.rights = rights
    request.client = client
    let response: TransportResponse
    do {
      response =
        transport.isPrompt
        ? try await transport.send(request)
        : try await Self.response(to: request, over: transport, executor: executor)
    } catch let error as SearchError where error.code != .cancelled {
      throw CallContext(self).adding(to: error)
    } catch {
      // Other libraries have their own cancellation errors. Without a cancelled task, such an error
      // is a failure of the transport.
      if Task.isCancelled { throw cancelled }
      let isCancellation = error is CancellationError || error is SearchError
      throw CallContext(self).error(
        .transport,
        isCancellation
          ? "The transport threw a cancellation, but the call was not cancelled."
          : "The transport threw an error.", underlying: "\(type(of: error))")
    }
    // A transport that ignores cancellation may still return a response.
    if Task.isCancelled { throw cancelled }
    return response
  }

  /// Waits for the response of a transport, at most until the deadline or cancellation. The
  /// transport is then cancelled, and its response is dropped.
  private static func response(
    to request: TransportRequest, over transport: any SearchTransport,
    executor: (any TaskExecutor)?
  ) async throws -> TransportResponse {
    try await Waiter.value(until: request.deadline, executor: executor) {
      // A call that ended before it was sent is not sent.
      try request.checkNotCancelledOrExpired()
      return try await transport.send(request)
    }
  }

  private var cancelled: SearchError {
    CallContext(self).error(.cancelled, "The call was cancelled.")
  }
}

/// The context of one call in its errors: the request and the index.
package struct CallContext: Sendable {
  private let endpoint: Endpoint
  let indexNames: [String]

  /// Creates the context of a call.
  package init(_ call: EndpointCall) {
    endpoint = call.endpoint
    indexNames = call.indexNames
  }

  private init(endpoint: Endpoint, indexNames: [String]) {
    self.endpoint = endpoint
    self.indexNames = indexNames
  }

  package func error(
    _ code: SearchError.Code, _ message: String, status: Int? = nil, underlying: String? = nil
  ) -> SearchError {
    adding(to: SearchError(code, message, status: status, underlying: underlying))
  }

  /// Adds the call's context to an error that has none.
  package func adding(to error: SearchError) -> SearchError {
    var error = error
    error.request = error.request ?? endpoint.description
    error.indexName = error.indexName ?? indexName(in: error.message)
    return error
  }

  /// Returns the error for a response whose status is not 2xx.
  package func error(from response: TransportResponse) -> SearchError {
    let message = Self.message(of: response)
    var error = error(
      Self.code(status: response.status, message: message), message, status: response.status)
    error.correlationID = response.headers.firstValue(named: "Correlation-ID")
    return error
  }

  /// Returns the error in a result, in the contract's form of a message and a status, or `nil`.
  ///
  /// The status of the whole response is 200 in that case: it has the results of several queries,
  /// or a proxy changed the status.
  ///
  /// - Parameter member: A member that every valid result has. If it is missing, a message alone
  ///   makes an error. `nil` if a result can have any members.
  package func error(in result: JSONNode, lacking member: String?) -> SearchError? {
    guard Self.isError(result, lacking: member.map { [$0] } ?? []) else { return nil }
    let message = result["message"]?.string
    guard let status = result["status"]?.int, status >= 400 else {
      return error(.server, message ?? "The server responded with an error.")
    }
    let text = message ?? "The server responded with status \(status)."
    return error(Self.code(status: status, message: text), text, status: status)
  }

  /// Whether a result is an error in the contract's form: a message or a status of at least 400,
  /// without any of the members of a result. If a result can have any members, a status is
  /// required.
  package static func isError(_ result: JSONNode, lacking members: [String]) -> Bool {
    if members.contains(where: { result[$0] != nil }) { return false }
    if let status = result["status"]?.int, status >= 400 { return true }
    return !members.isEmpty && result["message"]?.string != nil
  }

  /// Returns the context for errors of one query of the call.
  package func ofQuery(at position: Int) -> CallContext {
    guard indexNames.count > 1, indexNames.indices.contains(position) else { return self }
    return CallContext(endpoint: endpoint, indexNames: [indexNames[position]])
  }

  /// Returns the only index of the call, or the one that the message names.
  private func indexName(in message: String) -> String? {
    if indexNames.count <= 1 { return indexNames.first }
    let named = Set(indexNames).filter { message.containsAsWord($0) }
    return named.count == 1 ? named.first : nil
  }

  private static func code(status: Int, message: String) -> SearchError.Code {
    switch status {
    case 401, 403: .unauthorized
    case 404: notFoundCode(message: message)
    case 408: .timedOut
    case 429: .rateLimited
    case 400..<500: .invalidRequest
    default: .server
    }
  }

  /// Returns the code for a 404, depending on which the message mentions first: an index or a
  /// record.
  ///
  /// A message that mentions neither means that the path itself is unknown: a wrong host, or a
  /// proxy's page.
  private static func notFoundCode(message: String) -> SearchError.Code {
    for word in message.split(whereSeparator: \.isWhitespace) where !word.contains("/") {
      switch word.filter(\.isLetter).lowercased() {
      case "index", "indexname": return .indexNotFound
      case "object", "objectid", "record": return .objectNotFound
      default: continue
      }
    }
    return .invalidRequest
  }

  /// The server's message. A body that is not JSON of the contract gives a message as well.
  private static func message(of response: TransportResponse) -> String {
    if let document = try? JSONDocument(response.body),
      let message = document.root["message"]?.string
    {
      return message
    }
    let text = String(decoding: response.body.prefix(200), as: UTF8.self)
    return text.isEmpty ? "The server responded with status \(response.status)." : text
  }
}

extension String {
  /// Whether a text occurs in this one without a letter, a digit, `_` or `-` next to it.
  fileprivate func containsAsWord(_ text: String) -> Bool {
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ?? false
    }
    return ranges(of: text).contains { range in
      !isPart(self[..<range.lowerBound].last) && !isPart(self[range.upperBound...].first)
    }
  }
}
