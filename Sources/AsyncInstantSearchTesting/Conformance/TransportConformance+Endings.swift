import AsyncInstantSearch

/// The checks of what ends a call before its answer: cancellation and the deadline.
extension TransportConformance {
  func endsWhenCancelledBeforehand(_ transport: some SearchTransport) async -> [Finding] {
    let request = search(body: "{}")
    let call = Task {
      await untilCancelled()
      return try await transport.send(request)
    }
    call.cancel()
    return Self.findings(
      .cancelledSearch, "a call whose task is cancelled ends with a cancellation",
      await call.result, isCancellation)
  }

  func endsWhenTheDeadlineHasPassed(_ transport: some SearchTransport) async -> [Finding] {
    var request = search(body: "{}")
    request.deadline = Deadline(after: .seconds(-1), clock: ManualClock())
    let call = Task { [request] in try await transport.send(request) }
    return Self.findings(
      .lateSearch, "a call whose deadline has passed ends with timedOut", await call.result,
      isTimeout)
  }

  func endsWhenCancelled(
    _ transport: some SearchTransport, at gate: CallGate
  ) async -> [Finding] {
    let call = begin(search(body: "{}"), on: transport, at: gate)
    await gate.waitForCalls()
    call.cancel()
    gate.open()
    return Self.findings(
      .cancelledSearchUnderWay, "a call under way whose task is cancelled ends with a cancellation",
      await call.result, isCancellation)
  }

  func endsAtTheDeadline(
    _ transport: some SearchTransport, at gate: CallGate
  ) async -> [Finding] {
    let clock = ManualClock()
    var request = search(body: "{}")
    request.deadline = Deadline(after: .seconds(1), clock: clock)
    let call = begin(request, on: transport, at: gate)
    await gate.waitForCalls()
    clock.advance(by: .seconds(1))
    gate.open()
    return Self.findings(
      .lateSearchUnderWay, "a call under way whose deadline passes ends with timedOut",
      await call.result, isTimeout)
  }

  /// Makes a call; one that ends without having come to the gate opens it, so that nobody waits.
  func begin(
    _ request: TransportRequest, on transport: some SearchTransport, at gate: CallGate
  ) -> Task<TransportResponse, any Error> {
    Task {
      defer { gate.open() }
      return try await transport.send(request)
    }
  }

  func isCancellation(_ error: any Error) -> Bool {
    error is CancellationError || (error as? SearchError)?.code == .cancelled
  }

  func isTimeout(_ error: any Error) -> Bool {
    (error as? SearchError)?.code == .timedOut
  }

  private static func findings(
    _ name: Case, _ promise: String, _ result: Result<TransportResponse, any Error>,
    _ isExpected: (any Error) -> Bool
  ) -> [Finding] {
    switch result {
    case .success(let response):
      [Finding(name: name, promise: promise, observation: "it answered with \(response.status)")]
    case .failure(let error):
      isExpected(error)
        ? [] : [Finding(name: name, promise: promise, observation: "it threw \(error)")]
    }
  }
}
