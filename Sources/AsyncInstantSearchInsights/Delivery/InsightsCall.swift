import AsyncInstantSearch
import InstantSearchJSON

/// The calls of the insights API.
enum InsightsCall {
  /// How many bytes of a body belong to no event.
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

  /// The call that makes the service forget a user.
  private static func deletion(ofUserToken userToken: String) -> EndpointCall {
    EndpointCall(.deleteUser(userToken: userToken))
  }

  /// Sends events and tells what came of it; no error names a user of theirs.
  static func send(
    _ records: [InsightsRecord], over transport: any SearchTransport, clock: any Clock<Duration>,
    options: RequestOptions
  ) async -> InsightsQueue.Outcome {
    let call = events(records)
    func masked(_ error: SearchError) -> SearchError {
      UserTokenMask(records.flatMap(\.userTokens)).masked(error)
    }
    do throws(SearchError) {
      let response = try await call.response(over: transport, clock: clock, options: options)
      if (200..<300).contains(response.status) { return .accepted }
      let error = masked(CallContext(call).error(from: response))
      if isRefusal(response) { return .refused(error) }
      return .failed(error, retryAfter: retryAfter(response))
    } catch {
      return .failed(masked(error), retryAfter: nil)
    }
  }

  /// Makes the service forget a user; no error names her.
  static func delete(
    userToken: String, over transport: any SearchTransport, clock: any Clock<Duration>,
    options: RequestOptions
  ) async throws(SearchError) {
    let call = deletion(ofUserToken: userToken)
    do throws(SearchError) {
      let response = try await call.response(over: transport, clock: clock, options: options)
      guard !(200..<300).contains(response.status) else { return }
      throw CallContext(call).error(from: response)
    } catch {
      throw UserTokenMask([userToken]).masked(error)
    }
  }

  /// Whether a status says that something is wrong with the events.
  ///
  /// Others are about the key, the address or the moment: no event is dropped for those.
  private static func isRefusal(_ response: TransportResponse) -> Bool {
    response.isPerhapsOfContent && ![403, 404].contains(response.status)
  }

  /// How long the server asks to be left alone, at most a day.
  private static func retryAfter(_ response: TransportResponse) -> Duration? {
    response.retryAfter.map { min(max($0, .zero), .seconds(24 * 3600)) }
  }
}
