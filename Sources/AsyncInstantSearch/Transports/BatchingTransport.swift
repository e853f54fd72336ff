/// Makes one request of searches that are made at about the same time.
///
/// ```swift
/// let transport = BatchingTransport(wrapping: network)
/// ```
///
/// A server that answers many callers makes far fewer requests with it; each search waits for at
/// most the window.
///
/// ## Behavior
///
/// - Searches of one index, and multi-queries that are to be answered in full, are collected until
///   the window has passed since the first of them, or until there are as many queries as a request
///   may have. A multi-query is never divided; one with more queries than that goes alone.
/// - Collected together are calls with equal headers, query items and
///   `TransportRequest.attemptTimeout`, which the request has as well. Headers of traces do not
///   count; the request has those of its first call.
/// - Everything else is passed on as it is, at once: other calls, those with a
///   `TransportRequest.snapshot`, those to which the caller gave an ID of its own, and those
///   whose body is not what the contract says.
/// - Each caller receives the answer to its own call, in the form of that call, with the headers,
///   the snapshot and the origin of the common answer. A call that stays alone is sent as it came.
/// - Each caller has its own cancellation and its own deadline, and goes at once. One that goes
///   before the batch is sent is not in it; a batch that all have left is not sent, or is
///   cancelled. The common request itself has no deadline.
/// - A server refuses the whole of a request in which one query is wrong. So what is refused with a
///   status of 4xx is sent again by halves, down to single calls, which are sent as they came: one
///   wrong query among 50 takes some 12 requests, and the others have their answers. A key that may not search costs two requests for each call.
///   Statuses 401, 402, 405, 407, 408, 425, 429 and 5xx and thrown errors concern all calls, so
///   every caller receives them.
/// - When a common answer has not one result for each query, every caller receives an error of code
///   `decoding`, as it would for such an answer of its own.
///
/// No value is decoded to be encoded again: bodies are joined, and answers divided, as bytes.
public final class BatchingTransport: SearchTransport {
  /// How many queries the service takes in one request.
  public static let serviceLimit = 50

  private let base: any SearchTransport
  private let maximumBatch: Int
  private let driver: BatchDriver

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: Answers the requests.
  ///   - window: How long a search waits for others; 2 milliseconds by default.
  ///   - maximumBatch: How many queries one request has at most, from 1 to the ``serviceLimit``,
  ///     which is the default.
  ///   - clock: Measures the window; a continuous clock by default.
  ///   - executor: Sends the batches; the global one by default.
  public init(
    wrapping base: some SearchTransport,
    window: Duration = .milliseconds(2),
    maximumBatch: Int = BatchingTransport.serviceLimit,
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil
  ) {
    self.base = base
    self.maximumBatch = min(max(1, maximumBatch), Self.serviceLimit)
    driver = BatchDriver(
      base: base, machine: BatchStateMachine(maximumBatch: self.maximumBatch),
      window: Deadline.bounded(window), clock: AnyClock(clock), executor: executor)
  }

  /// Whether nothing is being collected or under way.
  package var isIdle: Bool { driver.isIdle }

  /// Answers a call; see ``BatchingTransport``.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled; `SearchError` of code
  ///   `timedOut` at once when the deadline passes; what the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    guard let call = BatchableCall(request), call.queries.count <= maximumBatch else {
      return try await base.send(request)
    }
    return try await driver.answer(call)
  }
}

extension BatchingTransport: CustomStringConvertible, CustomReflectable {
  /// The name and the limit of a request.
  public var description: String { "BatchingTransport(at most \(maximumBatch) queries)" }

  /// A mirror of what the description shows; calls and their keys are not in it.
  public var customMirror: Mirror { Mirror(self, children: ["maximumBatch": maximumBatch]) }
}

/// Owns the lock and the tasks of a batching transport; what goes together is decided by its
/// machine.
final class BatchDriver: Sendable {
  typealias Member = BatchStateMachine.Member

  private let base: any SearchTransport
  private let window: Duration
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  private let machine: Lock<BatchStateMachine>
  private let tasks: TaskBag<Work>

  /// What a task does for a batch.
  private enum Work: Sendable, Hashable {
    case timer(UInt64)
    case sending(UInt64)
  }

  init(
    base: any SearchTransport, machine: BatchStateMachine, window: Duration, clock: AnyClock,
    executor: (any TaskExecutor)?
  ) {
    self.base = base
    self.window = window
    self.clock = clock
    self.executor = executor
    self.machine = Lock(machine)
    tasks = TaskBag(executor: executor)
  }

  /// Whether nothing is being collected or under way.
  var isIdle: Bool { machine.withLock { $0.isIdle } }

  /// Answers a call as one of a batch.
  func answer(_ call: BatchableCall) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let key = BatchKey(of: call.request)
    let memberID = change { $0.add(call, key, waiter) }
    do {
      return try await waiter.value(until: call.request.deadline, executor: executor)
    } catch {
      change { ((), $0.leave(memberID)) }
      throw error
    }
  }

  /// Changes the state machine, and performs its actions after the lock.
  @discardableResult
  private func change<Value: Sendable>(
    _ event: (inout BatchStateMachine) -> (Value, [BatchStateMachine.Action])
  ) -> Value {
    let (value, actions) = machine.withLock { machine in
      let (value, actions) = event(&machine)
      for action in actions {
        switch action {
        case .send(let id): tasks.reserve(.sending(id))
        case .startTimer(let id): tasks.reserve(.timer(id))
        case .cancel: break
        }
      }
      return (value, actions)
    }
    for action in actions {
      switch action {
      case .send(let id): send(id)
      case .startTimer(let id): startTimer(id)
      case .cancel(let id):
        tasks.cancel(.timer(id))
        tasks.cancel(.sending(id))
      }
    }
    return value
  }

  private func startTimer(_ id: UInt64) {
    let end = clock.now() + window
    tasks.start(.timer(id)) {
      do {
        try await self.clock.sleepUntil(end)
      } catch {
        return
      }
      self.change { ((), $0.windowElapsed(for: id)) }
    }
  }

  /// Sends a batch that is complete. Its task belongs to no caller, and is cancelled with the last.
  private func send(_ id: UInt64) {
    tasks.cancel(.timer(id))
    tasks.start(.sending(id)) {
      await self.deliver(self.machine.withLock { $0.members(of: id) }, of: id)
    }
  }

  // MARK: - Answers

  /// Gives calls of a batch their answers: all of them with one request, or what that is refused
  /// with in smaller parts.
  @concurrent
  private func deliver(_ members: [Member], of id: UInt64) async {
    if members.count == 1 {
      for member in members { await sendIndividually(member, of: id) }
      return
    }
    let calls = members.map(\.call)
    guard let request = BatchableCall.request(joining: calls) else { return }
    do {
      let response = try await base.send(request)
      if (200..<300).contains(response.status) {
        let responses = try BatchableCall.responses(to: calls, in: response)
        end(members, of: id, with: responses.map { .success($0) })
      } else if response.mayBeCausedByContent {
        await sendBisected(members, of: id)
      } else {
        end(members, of: id, with: members.map { _ in .success(response) })
      }
    } catch {
      end(members, of: id, with: members.map { _ in .failure(error) })
    }
  }

  private func sendBisected(_ members: [Member], of id: UInt64) async {
    let waiting = waiting(members, of: id)
    let half = waiting.count / 2
    await withTaskGroup { group in
      for part in [waiting[..<half], waiting[half...]] where !part.isEmpty {
        group.addTask { await self.deliver(Array(part), of: id) }
      }
    }
  }

  /// Sends a call as it came, which gives it its own answer.
  private func sendIndividually(_ member: Member, of id: UInt64) async {
    do {
      let response = try await base.send(member.call.alone)
      end([member], of: id, with: [.success(response)])
    } catch {
      end([member], of: id, with: [.failure(error)])
    }
  }

  /// Those of some calls whose callers have not left; the others need no answer.
  private func waiting(_ members: [Member], of id: UInt64) -> [Member] {
    machine.withLock { $0.waiting(members, of: id) }
  }

  private func end(
    _ members: [Member], of id: UInt64, with outcomes: [Result<TransportResponse, any Error>]
  ) {
    machine.withLock { $0.end(members, of: id) }
    for (member, outcome) in zip(members, outcomes) { member.waiter.fulfill(with: outcome) }
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

/// What calls must have in common to go together in one request.
struct BatchKey: Sendable, Hashable {
  /// Their headers and query items, but for those of traces.
  let fields: RequestFields
  /// How long one host may take to answer them.
  let attemptTimeout: Duration?

  init(of request: TransportRequest) {
    fields = RequestFields(of: request, leavingOut: RequestFields.traceNames)
    attemptTimeout = request.attemptTimeout
  }
}
