package import InstantSearchJSON

/// The seam between the client and whatever answers it.
///
/// `AlgoliaTransport` answers over HTTPS, `LocalSearch` in process; decorators wrap either. A type
/// of your own needs this one method:
///
/// - It **returns** every answer that was given, also one with an error status: the client turns
///   statuses into ``SearchError`` values.
/// - It **throws** when there was no answer: a ``SearchError`` (it reaches the caller as it is),
///   `CancellationError` when the surrounding task was cancelled, or any other error, which reaches
///   the caller as ``SearchError/Code-swift.struct/transport`` with that error beneath it.
/// - It returns promptly once the surrounding task is cancelled, and once the request's deadline
///   has passed, whatever its back end does.
/// - It may be called any number of times at once.
/// - It may give an answer a ``TransportResponse/snapshot``, if it can still answer from the same
///   data when others have been written.
public protocol SearchTransport: Sendable {
  /// Answers one call.
  func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// One call of the search API, ready to be sent over any transport.
package struct EndpointCall: Sendable {
  package var endpoint: Endpoint
  package var body: [UInt8]
  /// The indices that the call names, for the errors.
  package var indexNames: [String]
  /// The data to be answered from, of an earlier response.
  package var snapshot: (any Sendable)?

  /// Creates a call.
  ///
  /// - Parameter indexNames: The indices in the body; by default the one in the path.
  package init(
    _ endpoint: Endpoint, body: [UInt8] = [], indexNames: [String]? = nil,
    snapshot: (any Sendable)? = nil
  ) {
    self.endpoint = endpoint
    self.body = body
    self.indexNames = indexNames ?? endpoint.indexName.map { [$0] } ?? []
    self.snapshot = snapshot
  }

  /// Sends the call and returns the response, whatever its status.
  ///
  /// - Parameter clock: Measures ``RequestOptions/timeout``.
  /// - Throws: The transport's ``SearchError`` with the context of the call, or one of code
  ///   `cancelled` or `transport`.
  @concurrent
  package func response(
    over transport: any SearchTransport, clock: any Clock<Duration>, options: RequestOptions
  ) async throws(SearchError) -> TransportResponse {
    if Task.isCancelled { throw cancelled }
    let request = TransportRequest(
      endpoint,
      queryItems: options.queryItems,
      headers: options.headers,
      body: body,
      deadline: options.timeout.map { Deadline(after: $0, clock: clock) },
      attemptTimeout: options.attemptTimeout,
      snapshot: snapshot)
    let response: TransportResponse
    do {
      response = try await transport.send(request)
    } catch let error as SearchError {
      throw CallContext(self).adding(to: error)
    } catch {
      // Libraries have cancellation errors of their own.
      if error is CancellationError || Task.isCancelled { throw cancelled }
      throw CallContext(self).error(
        .transport, "The transport failed.", underlying: "\(type(of: error))")
    }
    // A transport that ignores cancellation may still return a response.
    if Task.isCancelled { throw cancelled }
    return response
  }

  private var cancelled: SearchError {
    CallContext(self).error(.cancelled, "The call was cancelled.")
  }
}

/// What every error of one call says: the call and the index.
package struct CallContext: Sendable {
  private let endpoint: Endpoint
  let indexNames: [String]

  /// Takes what is said from a call.
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

  /// The error with the call's context, where the error has none of its own.
  package func adding(to error: SearchError) -> SearchError {
    var error = error
    error.request = error.request ?? endpoint.description
    error.indexName = error.indexName ?? indexName(in: error.message)
    return error
  }

  /// The error that an answer with a status other than 2xx stands for.
  package func error(from response: TransportResponse) -> SearchError {
    let message = Self.message(of: response)
    var error = error(
      Self.code(status: response.status, message: message), message, status: response.status)
    error.correlationID = response.headers.firstValue(named: "Correlation-ID")
    return error
  }

  /// The error in a result, a message and a status as the contract writes them; `nil` when it is
  /// none.
  ///
  /// The status of the whole answer is 200 then: several queries were answered in one, or a proxy
  /// changed it.
  ///
  /// - Parameter member: What a result would have; without it, a message alone makes an error.
  ///   `nil` when a result may have any members.
  package func error(in result: JSONNode, lacking member: String?) -> SearchError? {
    guard Self.isError(result, lacking: member.map { [$0] } ?? []) else { return nil }
    let message = result["message"]?.string
    guard let status = result["status"]?.int, status >= 400 else {
      return error(.server, message ?? "The server answered with an error.")
    }
    let text = message ?? "The server answered with status \(status)."
    return error(Self.code(status: status, message: text), text, status: status)
  }

  /// Whether a result is an error as the contract writes it: a message or a status of 400 and more
  /// without any of the members of a result; a status alone when a result may have any members.
  package static func isError(_ result: JSONNode, lacking members: [String]) -> Bool {
    if members.contains(where: { result[$0] != nil }) { return false }
    if let status = result["status"]?.int, status >= 400 { return true }
    return !members.isEmpty && result["message"]?.string != nil
  }

  /// What errors of one query of the call say.
  package func ofQuery(at position: Int) -> CallContext {
    guard indexNames.count > 1, indexNames.indices.contains(position) else { return self }
    return CallContext(endpoint: endpoint, indexNames: [indexNames[position]])
  }

  /// The only index of the call, or the one that the message names.
  private func indexName(in message: String) -> String? {
    if indexNames.count <= 1 { return indexNames.first }
    let named = indexNames.filter { message.contains($0) }
    return Set(named).count == 1 ? named.first : nil
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

  /// What a 404 is about: the first of an index and a record that the message speaks of.
  ///
  /// A message that speaks of neither means the path itself: a wrong host, or a proxy's page.
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

  /// The server's own words; a body that is not the contract's JSON still gives a message.
  private static func message(of response: TransportResponse) -> String {
    if let document = try? JSONDocument(response.body),
      let message = document.root["message"]?.string
    {
      return message
    }
    let text = String(decoding: response.body.prefix(200), as: UTF8.self)
    return text.isEmpty ? "The server answered with status \(response.status)." : text
  }
}
