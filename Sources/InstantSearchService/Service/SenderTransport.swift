/// Makes calls of a service as a sender would make them over HTTP: with the same checks, limits and
/// counts.
struct SenderTransport: SearchTransport {
  let service: SearchService
  let sender: Sender
  let deadline: Deadline?

  /// The service ends each call at its deadline.
  var isPrompt: Bool { true }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    do {
      try service.check(sender, request.endpoint)
      let reservation = try service.takeMemory(request.body.count, for: sender)
      var call = TransportRequest(
        request.endpoint, queryItems: request.queryItems, body: request.body, deadline: deadline,
        snapshot: request.snapshot)
      call.attemptTimeout = request.attemptTimeout
      let response = try await service.perform(call, from: sender, reservation)
      return TransportResponse(status: response.status, body: response.bytes)
    } catch let error as ServiceError {
      return TransportResponse(
        status: error.status,
        body: TransportResponse.errorBody(error.message.onOneLine, status: error.status))
    }
  }
}
