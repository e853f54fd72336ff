/// Owns the lock and the tasks of a cache; what happens is decided by its machine.
final class CacheStorage: Sendable {
  private let base: any SearchTransport
  private let clock: ErasedClock
  private let executor: (any TaskExecutor)?
  private let shouldKeep: @Sendable (TransportResponse) -> Bool
  private let machine: Lock<CacheMachine>
  /// An answer that is larger is not read to see whether it may be kept.
  private let maximumBytes: Int

  init(
    base: any SearchTransport, machine: CacheMachine, clock: ErasedClock,
    executor: (any TaskExecutor)?, shouldKeep: @escaping @Sendable (TransportResponse) -> Bool
  ) {
    self.base = base
    self.clock = clock
    self.executor = executor
    self.shouldKeep = shouldKeep
    maximumBytes = machine.maximumBytes
    self.machine = Lock(machine)
  }

  var statistics: CachingTransport.Statistics { machine.withLock { $0.statistics } }

  /// Answers a read from the cache, with a call under way, or with a new one.
  func answer(_ request: TransportRequest, _ key: CacheKey) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let seat: CacheMachine.Seat
    switch arrival(of: request, key, waiter) {
    case .answered(let response): return response
    case .joined(let joined): seat = joined
    case .began(let first):
      seat = first
      start(first.flight, request)
    }
    do {
      return try await waiter.value(until: request.deadline, executor: executor)
    } catch {
      // After a failure of the flight itself there is nothing left to leave.
      machine.withLock { $0.leave(seat) }?.cancel()
      throw error
    }
  }

  func invalidate(_ indices: NamedIndices) {
    change { machine, discarded in machine.invalidate(indices, discarded: &discarded) }
  }

  private func arrival(
    of request: TransportRequest, _ key: CacheKey, _ waiter: CacheMachine.Answer
  ) -> CacheMachine.Arrival {
    let now = clock.now()
    let arrival = change { machine, discarded in
      machine.arrive(key, waiter, now: now, discarded: &discarded)
    }
    if let arrival { return arrival }
    // Only now is it worth reading which indices the call names.
    let indices = NamedIndices(of: request)
    return change { machine, discarded in
      machine.begin(key, about: indices, waiter, now: now, discarded: &discarded)
    }
  }

  /// Makes the call of a flight, which belongs to no caller and so ends with no caller's deadline.
  private func start(_ id: UInt64, _ request: TransportRequest) {
    var request = request
    request.deadline = nil
    let task = Task(executorPreference: executor) { [request] in
      let outcome: Result<TransportResponse, any Error>
      do {
        outcome = .success(try await self.base.send(request))
      } catch {
        outcome = .failure(error)
      }
      let kept = self.kept(of: outcome)
      let now = self.clock.now()
      let waiters = self.change { machine, discarded in
        machine.land(id, keeping: kept, now: now, discarded: &discarded)
      }
      for waiter in waiters { waiter.settle(outcome) }
    }
    let isWanted = machine.withLock { $0.attach(task, to: id) }
    if !isWanted { task.cancel() }
  }

  /// The answer that may be kept, if it is one.
  private func kept(of outcome: Result<TransportResponse, any Error>) -> TransportResponse? {
    guard case .success(let response) = outcome, response.body.count <= maximumBytes,
      response.isSuccess, shouldKeep(response)
    else { return nil }
    return response
  }

  /// Changes the machine, and releases what it gives back after the lock.
  private func change<Result: Sendable>(
    _ change: (inout CacheMachine, inout [TransportResponse]) -> Result
  ) -> Result {
    let (result, discarded) = machine.withLock { machine in
      var discarded: [TransportResponse] = []
      let result = change(&machine, &discarded)
      return (result, discarded)
    }
    withExtendedLifetime(discarded) {}
    return result
  }
}
