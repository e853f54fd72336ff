/// Owns the lock and the tasks of a batching transport; what goes together is decided by its machine.
final class BatchStorage: Sendable {
  private typealias Member = BatchMachine.Member

  private let base: any SearchTransport
  private let window: Duration
  private let clock: ErasedClock
  private let executor: (any TaskExecutor)?
  private let machine: Lock<BatchMachine>

  init(
    base: any SearchTransport, machine: BatchMachine, window: Duration, clock: ErasedClock,
    executor: (any TaskExecutor)?
  ) {
    self.base = base
    self.window = window
    self.clock = clock
    self.executor = executor
    self.machine = Lock(machine)
  }

  /// Whether nothing is being collected or under way.
  var isIdle: Bool { machine.withLock { $0.isIdle } }

  /// Answers a call as one of a batch.
  func answer(_ call: BatchableCall, _ fields: CallFields) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let (seat, actions) = machine.withLock { $0.arrive(call, fields, waiter) }
    for action in actions {
      switch action {
      case .send(let id): send(id)
      case .startTimer(let id): startTimer(id)
      }
    }
    do {
      return try await waiter.value(until: call.request.deadline, executor: executor)
    } catch {
      for task in machine.withLock({ $0.leave(seat) }) { task.cancel() }
      throw error
    }
  }

  private func startTimer(_ id: UInt64) {
    let end = clock.now() + window
    let timer = Task(executorPreference: executor) {
      do {
        try await self.clock.sleepUntil(end)
      } catch {
        return
      }
      if self.machine.withLock({ $0.timeIsUp(for: id) }) { self.send(id) }
    }
    let isNeeded = machine.withLock { $0.attachTimer(timer, to: id) }
    if !isNeeded { timer.cancel() }
  }

  /// Sends a batch that is complete. Its task belongs to no caller, and is cancelled with the last.
  private func send(_ id: UInt64) {
    machine.withLock { $0.takeTimer(of: id) }?.cancel()
    let sending = Task(executorPreference: executor) {
      await self.deliver(self.machine.withLock { $0.members(of: id) }, of: id)
    }
    let isNeeded = machine.withLock { $0.attachSending(sending, to: id) }
    if !isNeeded { sending.cancel() }
  }

  // MARK: - Answers

  /// Gives calls of a batch their answers: all of them with one request, or what that is refused with
  /// by halves.
  @concurrent
  private func deliver(_ members: [Member], of id: UInt64) async {
    let calls = members.map(\.call)
    guard let request = calls.count > 1 ? BatchableCall.request(joining: calls) : calls.first?.alone
    else { return }
    do {
      let response = try await base.send(request)
      if calls.count == 1 {
        end(members, of: id, with: [.success(response)])
      } else if (200..<300).contains(response.status) {
        let responses = try BatchableCall.responses(to: calls, in: response)
        end(members, of: id, with: responses.map { .success($0) })
      } else if Self.isOfOneCall(status: response.status) {
        await deliverByHalves(members, of: id)
      } else {
        end(members, of: id, with: members.map { _ in .success(response) })
      }
    } catch {
      end(members, of: id, with: members.map { _ in .failure(error) })
    }
  }

  /// Whether an error may be that of one call only: not that of a key that nobody may use, nor that of
  /// too many calls, to which more calls are no answer.
  private static func isOfOneCall(status: Int) -> Bool {
    (400..<500).contains(status) && status != 401 && status != 429
  }

  private func deliverByHalves(_ members: [Member], of id: UInt64) async {
    // Who has left meanwhile needs no answer.
    let waiting = machine.withLock { $0.waiting(members, of: id) }
    let half = waiting.count / 2
    await withTaskGroup { group in
      for part in [waiting[..<half], waiting[half...]] where !part.isEmpty {
        group.addTask { await self.deliver(Array(part), of: id) }
      }
    }
  }

  private func end(
    _ members: [Member], of id: UInt64, with outcomes: [Result<TransportResponse, any Error>]
  ) {
    machine.withLock { $0.end(members, of: id) }
    for (member, outcome) in zip(members, outcomes) { member.waiter.settle(outcome) }
  }
}

extension BatchableCall {
  /// The call as it came, but for the deadline of its caller, who keeps it.
  fileprivate var alone: TransportRequest {
    var request = request
    request.deadline = nil
    return request
  }
}
