/// Owns the lock and the tasks of a batching transport; what goes together is decided by its
/// machine.
final class BatchStorage: Sendable {
  typealias Member = BatchMachine.Member

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
  func answer(_ call: BatchableCall) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let kind = BatchKind(of: call.request)
    let (seat, actions) = machine.withLock { $0.arrive(call, kind, waiter) }
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

  /// Gives calls of a batch their answers: all of them with one request, or what that is refused
  /// with in smaller parts.
  ///
  /// - Parameter isKeyGood: Whether the key is known to be good, so that a status of 403 is about
  ///   calls.
  @concurrent
  private func deliver(_ members: [Member], of id: UInt64, isKeyGood: Bool = false) async {
    if members.count == 1 {
      for member in members { await deliverAlone(member, of: id) }
      return
    }
    let calls = members.map(\.call)
    guard let request = BatchableCall.request(joining: calls) else { return }
    do {
      let response = try await base.send(request)
      if (200..<300).contains(response.status) {
        let responses = try BatchableCall.responses(to: calls, in: response)
        end(members, of: id, with: responses.map { .success($0) })
      } else if response.status == 403, !isKeyGood {
        await deliver(members, of: id, forbiddenBy: response)
      } else if response.isPerhapsOfContent {
        await deliverByHalves(members, of: id, isKeyGood: isKeyGood)
      } else {
        end(members, of: id, with: members.map { _ in .success(response) })
      }
    } catch {
      end(members, of: id, with: members.map { _ in .failure(error) })
    }
  }

  func deliverByHalves(_ members: [Member], of id: UInt64, isKeyGood: Bool) async {
    let waiting = waiting(members, of: id)
    let half = waiting.count / 2
    await withTaskGroup { group in
      for part in [waiting[..<half], waiting[half...]] where !part.isEmpty {
        group.addTask { await self.deliver(Array(part), of: id, isKeyGood: isKeyGood) }
      }
    }
  }

  /// Gives a call its answer with a request of its own, and returns that answer if there is one.
  @discardableResult
  func deliverAlone(_ member: Member, of id: UInt64) async -> TransportResponse? {
    do {
      let response = try await base.send(member.call.alone)
      end([member], of: id, with: [.success(response)])
      return response
    } catch {
      end([member], of: id, with: [.failure(error)])
      return nil
    }
  }

  /// Those of some calls whose callers have not left; the others need no answer.
  func waiting(_ members: [Member], of id: UInt64) -> [Member] {
    machine.withLock { $0.waiting(members, of: id) }
  }

  func end(
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
