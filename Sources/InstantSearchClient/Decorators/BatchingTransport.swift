/// Sends searches that are made at about the same time in one request.
///
/// For equal searches use ``CachingTransport``, which answers repeated ones without a request.
///
/// ```swift
/// let transport = BatchingTransport(wrapping: network)
/// ```
///
/// A server with many concurrent callers makes far fewer requests this way. Each search waits for
/// at most the window.
///
/// ## Behavior
///
/// - The transport collects searches of one index, and multi-queries that run every query, until
///   the window has passed since the first of them or until the batch has as many queries as a
///   request may have. It never splits a multi-query. A multi-query with more queries than that is
///   sent alone.
/// - A batch contains only calls with equal headers, query items and
///   `TransportRequest.attemptTimeout`. The common request has the same ones. Trace headers are not
///   compared; the request has the trace headers of its first call.
/// - Everything else is forwarded unchanged and at once: other calls, calls with a
///   `TransportRequest.snapshot`, calls to which the caller gave a request ID, and calls whose
///   body does not follow the contract.
/// - Each caller receives the response to its own call, in the form of that call, with the headers,
///   the snapshot and the origin of the common response. A call that stays alone in its batch is
///   sent unchanged.
/// - Each caller keeps its own cancellation and its own deadline, and leaves at once. A call that
///   leaves before the batch is sent is not part of it. A batch without remaining calls is not
///   sent, or is cancelled. The common request itself has no deadline.
/// - A server rejects a whole request if one query is invalid. The transport therefore bisects a
///   batch that is rejected with status 4xx, down to single calls, which are sent unchanged. One
///   invalid query among 50 costs about 12 requests, and the other queries get their results. A key
///   without permission to search costs two requests for each call. Statuses 401, 402, 405, 407,
///   408, 425, 429 and 5xx, and thrown errors, concern all calls, so every caller receives them.
/// - If a common response does not have one result per query, every caller receives an error of
///   code `decoding`, as it would for such a response to a single call.
///
/// No value is decoded and encoded again: request bodies are joined, and responses are split, as
/// bytes.
public final class BatchingTransport: SearchTransport {
  /// The maximum number of queries that the service accepts in one request.
  public static let serviceLimit = Endpoint.maximumQueryCount

  private let base: any SearchTransport
  /// Whether calls of the wrapped transport end in time.
  public var isPrompt: Bool { base.isPrompt }
  private let maximumBatch: Int
  private let driver: BatchDriver

  /// Creates a transport that batches the searches of another transport.
  ///
  /// - Parameters:
  ///   - base: The transport that sends the requests.
  ///   - window: The time that a search waits for others. Defaults to 2 ms.
  ///   - maximumBatch: The maximum number of queries in one request, from 1 to ``serviceLimit``.
  ///     Defaults to ``serviceLimit``.
  ///   - clock: The clock that measures the window. Defaults to `ContinuousClock`.
  ///   - executor: The executor that sends the batches. Defaults to the global one.
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

  /// Whether no batch is being collected or in flight.
  package var isIdle: Bool { driver.isIdle }

  /// Sends a call as part of a batch; see ``BatchingTransport``.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, `SearchError` of code
  ///   `timedOut` as soon as the deadline passes, or the error of the wrapped transport.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    guard let call = BatchableCall(request), call.queries.count <= maximumBatch else {
      return try await base.send(request)
    }
    return try await driver.answer(call)
  }
}

extension BatchingTransport: CustomStringConvertible, CustomReflectable {
  /// The type's name and the maximum size of a batch.
  public var description: String { "BatchingTransport(at most \(maximumBatch) queries)" }

  /// A mirror of the description, without calls and keys.
  public var customMirror: Mirror { Mirror(self, children: ["maximumBatch": maximumBatch]) }
}

/// Owns the lock and the tasks of a batching transport. The state machine decides which calls are
/// sent together.
final class BatchDriver: StateMachineDriver {
  typealias Member = BatchStateMachine.Member

  private let base: any SearchTransport
  private let window: Duration
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  let machine: SharedStateMachine<BatchStateMachine>

  init(
    base: any SearchTransport, machine: BatchStateMachine, window: Duration, clock: AnyClock,
    executor: (any TaskExecutor)?
  ) {
    self.base = base
    self.window = window
    self.clock = clock
    self.executor = executor
    self.machine = SharedStateMachine(machine, executor: executor)
  }

  /// Whether no batch is being collected or in flight.
  var isIdle: Bool { machine.read { $0.isIdle } }

  /// Answers a call as part of a batch.
  func answer(_ call: BatchableCall) async throws -> TransportResponse {
    let waiter = Waiter<TransportResponse>()
    let key = BatchKey(of: call.request)
    let memberID = send { $0.callArrived(call, key, waiter) }
    do {
      return try await waiter.value(until: call.request.deadline, executor: executor)
    } catch {
      send { $0.callerLeft(memberID) }
      throw error
    }
  }

  func perform(_ action: BatchStateMachine.Action) {
    switch action {
    case .send(let id): sendBatch(id)
    case .startTimer(let id): startTimer(id)
    case .cancel(let id):
      machine.tasks.cancel(.timer(id))
      machine.tasks.cancel(.sending(id))
    case .resume(let waiter, let outcome): waiter.fulfill(with: outcome)
    }
  }

  private func startTimer(_ id: UInt64) {
    let end = clock.now() + window
    machine.tasks.start(.timer(id)) {
      guard await self.clock.waitUntil(end) else { return }
      self.send { $0.windowElapsed(for: id) }
    }
  }

  /// Sends a complete batch. The task belongs to no caller and is cancelled with the last caller.
  private func sendBatch(_ id: UInt64) {
    machine.tasks.cancel(.timer(id))
    machine.tasks.start(.sending(id)) {
      await self.deliver(self.machine.read { $0.members(of: id) }, of: id)
    }
  }

  // MARK: - Responses

  /// Answers calls of a batch with one request, or bisects them if that request is rejected.
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
    let parts = machine.read { $0.waitingHalves(of: members, in: id) }
    await withTaskGroup { group in
      for part in parts {
        group.addTask { await self.deliver(part, of: id) }
      }
    }
  }

  /// Sends one call unchanged, so that it gets its own response.
  private func sendIndividually(_ member: Member, of id: UInt64) async {
    do {
      let response = try await base.send(member.call.alone)
      end([member], of: id, with: [.success(response)])
    } catch {
      end([member], of: id, with: [.failure(error)])
    }
  }

  private func end(
    _ members: [Member], of id: UInt64, with outcomes: [Result<TransportResponse, any Error>]
  ) {
    send { $0.callsEnded(members, of: id, with: outcomes) }
  }
}

extension BatchableCall {
  /// The original call without its deadline, which the waiter enforces.
  fileprivate var alone: TransportRequest {
    var request = request
    request.deadline = nil
    return request
  }
}

/// The properties that calls must share to be sent in one request.
struct BatchKey: Sendable, Hashable {
  /// The headers and query items, except trace headers.
  let fields: RequestFields
  /// The time that one host has to answer the calls.
  let attemptTimeout: Duration?
  let rights: CallRights

  init(of request: TransportRequest) {
    fields = RequestFields(of: request, leavingOut: RequestFields.traceNames)
    attemptTimeout = request.attemptTimeout
    rights = request.rights
  }
}
