/// Who sends a request: the caller with its key, and where the request comes from.
struct Sender: Sendable {
  let caller: Caller
  let credentials: Credentials
  /// The address of the client.
  let address: String?
  let referer: String?

  init(
    _ caller: Caller, _ credentials: Credentials, _ address: String?, _ headers: [HTTPHeader]
  ) {
    self.caller = caller
    self.credentials = credentials
    self.address = address
    referer = headers.firstValue(named: "Referer")
  }

  /// Identifies the client, which has its own part of the memory and its own turn.
  var name: String { address.map(IPNetwork.subscriber) ?? caller.limits?.value ?? "" }
}

/// Makes calls of a service as a sender would make them over HTTP: with the same checks, limits and
/// counts.
///
/// The memory of its responses counts until it is released.
final class SenderTransport: SearchTransport {
  private let service: SearchService
  private let sender: Sender
  private let deadline: Deadline?
  private let responses = Lock<[ServiceResponse]>([])

  init(_ service: SearchService, for sender: Sender, until deadline: Deadline?) {
    self.service = service
    self.sender = sender
    self.deadline = deadline
  }

  /// The service ends each call at its deadline.
  var isPrompt: Bool { true }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    do {
      try service.check(sender, request.endpoint)
      let reservation = try service.takeMemory(request.body.count, for: sender)
      let call = TransportRequest(
        request.endpoint, queryItems: request.queryItems, body: request.body, deadline: deadline)
      let response = try await service.perform(call, from: sender, reservation)
      responses.withLock { $0.append(response) }
      return TransportResponse(status: response.status, body: response.bytes)
    } catch let error as ServiceError {
      return TransportResponse(
        status: error.status,
        body: TransportResponse.errorBody(error.message.onOneLine, status: error.status))
    }
  }
}
