import InstantSearchJSON

/// The calls of the insights API.
enum InsightsCall {
  /// The number of bytes of a body that belong to no event.
  static let envelopeByteCount = #"{"events":[]}"#.utf8.count

  /// The call that sends events.
  static func events(_ records: [InsightsRecord]) -> EndpointCall {
    var writer = JSONWriter(
      capacity: records.reduce(envelopeByteCount) { $0 + $1.event.count + 1 })
    writer.beginObject()
    writer.key("events")
    writer.beginArray()
    for record in records { writer.raw(record.event) }
    writer.endArray()
    writer.endObject()
    return EndpointCall(.events, body: writer.bytes)
  }

  /// The call that deletes a user's events.
  private static func deletion(ofUserToken userToken: String) -> EndpointCall {
    EndpointCall(.deleteUser(userToken: userToken))
  }

  /// Sends events and returns the outcome. Its errors contain no user tokens of the events.
  static func send(
    _ records: [InsightsRecord], over transport: any SearchTransport, clock: any Clock<Duration>,
    executor: (any TaskExecutor)?, options: RequestOptions
  ) async -> InsightsQueue.Outcome {
    let call = events(records)
    do throws(SearchError) {
      let response = try await call.response(
        over: transport, clock: clock, executor: executor, options: options)
      guard let failure = try failure(in: response, to: call) else { return .accepted }
      let error = CallContext(call).error(
        from: failure, without: records.flatMap(\.userTokens))
      if isRefusal(failure) { return .refused(error) }
      return .failed(error, retryAfter: retryAfter(failure))
    } catch {
      return .failed(error.redacting(SecretFinder(records.flatMap(\.userTokens))), retryAfter: nil)
    }
  }

  /// Returns the response of a failed call, with its status; `nil` if the service took the call.
  ///
  /// A success has a JSON object without the status of an error, or no body. Neither the login page
  /// of a network nor an error whose status a proxy changed to 200 is a success.
  private static func failure(
    in response: TransportResponse, to call: EndpointCall
  ) throws(SearchError) -> TransportResponse? {
    guard (200..<300).contains(response.status) else { return response }
    if response.body.isEmpty { return nil }
    guard let root = (try? JSONDocument(response.body))?.root, root.kind == .object else {
      throw CallContext(call).error(
        .decoding, "The response is not a JSON object, so another server may have sent it.",
        status: response.status)
    }
    guard let status = root["status"]?.int, status >= 400 else { return nil }
    var response = response
    response.status = status
    return response
  }

  /// Deletes a user's events. Its errors do not contain the token.
  static func delete(
    userToken: String, over transport: any SearchTransport, clock: any Clock<Duration>,
    executor: (any TaskExecutor)?, options: RequestOptions
  ) async throws(SearchError) {
    let call = deletion(ofUserToken: userToken)
    do throws(SearchError) {
      let response = try await call.response(
        over: transport, clock: clock, executor: executor, options: options)
      guard let failure = try failure(in: response, to: call) else { return }
      throw CallContext(call).error(from: failure, without: [userToken])
    } catch {
      throw error.redacting(SecretFinder([userToken]))
    }
  }

  /// Whether a response rejects the events themselves.
  ///
  /// Other statuses concern the key, the address or the load, and drop no events.
  private static func isRefusal(_ response: TransportResponse) -> Bool {
    response.mayBeCausedByContent && ![403, 404].contains(response.status)
  }

  /// The delay that the server asks for, at most a day.
  private static func retryAfter(_ response: TransportResponse) -> Duration? {
    response.retryAfter.map { min(max($0, .zero), .seconds(24 * 3600)) }
  }
}

/// A failure after events were accepted.
///
/// An event that breaks a rule is rejected by `track(_:)` and not reported here.
public struct InsightsFailure: Sendable, Hashable {
  /// The kind of a failure.
  ///
  /// A struct and not an enum, so that new kinds do not break a `switch`.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case refused, expired, delayed, notAcknowledged
    }

    private let value: Value

    /// The service rejected this event. It is dropped.
    public static let refused = Kind(value: .refused)
    /// The event waited longer than the 30 days that the service allows. It is dropped.
    public static let expired = Kind(value: .expired)
    /// A call with events failed. The events wait and are sent again.
    public static let delayed = Kind(value: .delayed)
    /// The storage could not acknowledge events that were sent or dropped. This client does not
    /// send them again, and acknowledges them with the next events. If it ends before that, the
    /// next client sends them.
    public static let notAcknowledged = Kind(value: .notAcknowledged)

    /// The kind's name, such as `refused`.
    public var description: String { value.rawValue }
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The cause.
  public var error: SearchError
  /// The event, for ``Kind-swift.struct/refused`` and ``Kind-swift.struct/expired``.
  public var record: InsightsRecord?

  /// Creates a failure.
  public init(_ kind: Kind, _ error: SearchError, record: InsightsRecord? = nil) {
    self.kind = kind
    self.error = error
    self.record = record
  }

  /// The event's name.
  public var eventName: String? { record.flatMap { $0.text("eventName") } }
}

extension InsightsRecord {
  /// A string member of the event.
  func text(_ member: String) -> String? {
    (try? JSONDocument(event))?.root[member]?.string
  }
}

extension InsightsFailure: CustomStringConvertible {
  /// The kind, the event's name and the error. Safe to log.
  public var description: String {
    let name = eventName.map { " \($0.debugDescription)" } ?? ""
    return "\(kind)\(name): \(error)"
  }
}

/// The result of sending all waiting events.
public struct InsightsFlush: Sendable, Hashable {
  /// The number of events that the service accepted.
  public var sentCount: Int
  /// The number of dropped events: rejected by the service or expired, which
  /// ``InsightsClient/failures`` reports, or discarded while the flush waited.
  public var droppedCount: Int
  /// The number of events that remain and will be sent later.
  public var remainingCount: Int
  /// The reason why events remain: the error of the last call, `cancelled`, or `nil` if the client
  /// is disabled or no events remain.
  public var error: SearchError?

  /// Creates a result.
  public init(
    sentCount: Int = 0, droppedCount: Int = 0, remainingCount: Int = 0, error: SearchError? = nil
  ) {
    self.sentCount = sentCount
    self.droppedCount = droppedCount
    self.remainingCount = remainingCount
    self.error = error
  }
}

extension CallContext {
  /// Returns the error of a response without user tokens, because a service can quote them.
  fileprivate func error(
    from response: TransportResponse, without userTokens: [String]
  ) -> SearchError {
    var response = response
    let finder = SecretFinder(userTokens)
    // The message can be the beginning of the body, which could end within a token.
    if let json = try? JSON(parsing: response.body) {
      if json["message"]?.stringValue == nil {
        response.body = Array(finder.redacting(json, with: "…").text.utf8)
      }
    } else {
      let text = String(decoding: response.body, as: UTF8.self)
      response.body = Array(finder.redacting(text, with: "…").utf8)
    }
    return error(from: response).redacting(finder)
  }
}

extension SearchError {
  fileprivate func redacting(_ finder: SecretFinder) -> SearchError {
    mappingTexts { finder.redacting($0, with: "…") }
  }
}

extension InsightsRecord {
  /// The users the event is about.
  var userTokens: [String] {
    [text("userToken"), text("authenticatedUserToken")].compactMap(\.self)
  }
}
