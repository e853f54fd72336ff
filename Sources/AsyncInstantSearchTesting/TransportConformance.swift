// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI

/// The requirements on every transport, as named cases that you can run against yours.
///
///     let suite = TransportConformance(indexName: "films", scratchIndexName: "scratch")
///     #expect(await suite.findings(for: transport).isEmpty)
///
/// Calls in flight are checked with a back end that the suite can hold:
///
///     let findings = await suite.findings(inFlight: { gate in
///       MyTransport(backEnd: { request in
///         await gate.pass()
///         return response(to: request)
///       })
///     })
///     #expect(findings.isEmpty)
///
/// Exclude a case that a transport cannot satisfy by its name, with the reason:
///
///     let suite = TransportConformance(
///       indexName: "films", excluding: [.snapshots: "the service has no snapshots"])
///
/// The checks return findings and import no test library.
public struct TransportConformance: Sendable {
  /// A case of the suite.
  public enum Case: String, Sendable, Hashable, CaseIterable {
    /// A search returns hits.
    case searches
    /// A request with a snapshot has the same response.
    case snapshots
    /// An error of the API is returned as a status.
    case errors
    /// A search whose task was cancelled beforehand ends with a cancellation.
    case cancelledSearch
    /// A search whose deadline has passed ends with `timedOut`.
    case lateSearch
    /// Concurrent calls receive their own responses.
    case concurrentSearches
    /// A search in flight whose task is cancelled ends with a cancellation.
    case cancelledSearchInFlight
    /// A search in flight whose deadline passes ends with `timedOut`.
    case lateSearchInFlight
    /// A write returns a response, and is visible once its task is published.
    case writes
    /// A rejected write returns a status and has no effect.
    case refusedWrites
    /// A write whose task was cancelled beforehand ends with a cancellation and has no effect.
    case cancelledWrite
    /// A write whose deadline has passed ends with `timedOut` and has no effect.
    case lateWrite
    /// Concurrent writes are all stored.
    case concurrentWrites
    /// A write in flight whose task is cancelled ends with a cancellation, or takes effect.
    case cancelledWriteInFlight
    /// A write in flight whose deadline passes ends with `timedOut`, or takes effect.
    case lateWriteInFlight

    /// Whether the case writes to the scratch index.
    public var isWrite: Bool {
      switch self {
      case .writes, .refusedWrites, .cancelledWrite, .lateWrite, .concurrentWrites,
        .cancelledWriteInFlight, .lateWriteInFlight:
        true
      default: false
      }
    }

    fileprivate var isInFlight: Bool {
      switch self {
      case .cancelledSearchInFlight, .lateSearchInFlight, .cancelledWriteInFlight,
        .lateWriteInFlight:
        true
      default: false
      }
    }
  }

  /// A requirement that a transport does not meet.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The case that found it.
    public var name: Case
    /// The requirement.
    public var requirement: String
    /// The observed behavior.
    public var observation: String

    /// `name: requirement: observation`
    public var description: String { "\(name.rawValue): \(requirement): \(observation)" }
  }

  /// An index of the transport with at least one record.
  public let indexName: String
  /// An index that the suite can write and delete. With `nil` the cases for writes are skipped.
  public let scratchIndexName: String?
  /// The number of concurrent calls.
  public let concurrentCalls: Int
  /// The maximum time of a case.
  public let timeLimit: Duration
  /// The excluded cases, with the reasons.
  public let exclusions: [Case: String]

  let clock: any Clock<Duration>

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - indexName: An index with at least one record. It is only read.
  ///   - scratchIndexName: An index for the cases for writes, which the suite creates and deletes.
  ///     Defaults to none, which skips these cases.
  ///   - concurrentCalls: The number of concurrent calls. Defaults to 32.
  ///   - timeLimit: The maximum time to wait for a case. Defaults to ten minutes, because a test
  ///     machine can be busy.
  ///   - clock: The clock of the time limit and of the waits for tasks of writes. Defaults to the
  ///     system's.
  ///   - exclusions: The cases to exclude, each with the reason.
  public init(
    indexName: String, scratchIndexName: String? = nil, concurrentCalls: Int = 32,
    timeLimit: Duration = .seconds(600), clock: any Clock<Duration> = ContinuousClock(),
    excluding exclusions: [Case: String] = [:]
  ) {
    self.indexName = indexName
    self.scratchIndexName = scratchIndexName
    self.concurrentCalls = concurrentCalls
    self.timeLimit = timeLimit
    self.clock = clock
    self.exclusions = exclusions
  }

  /// Runs the cases that do not need to hold the back end. Without findings the transport meets all
  /// requirements.
  ///
  /// A case that takes longer than ``timeLimit`` or is cancelled is a finding.
  public func findings(for transport: some SearchTransport) async -> [Finding] {
    var findings: [Finding] = []
    for name in Case.allCases where isWanted(name) {
      findings += await limited(name) { await self.findings(name, for: transport) }
    }
    return findings
  }

  /// Runs a case, at most until the time limit or until the task is cancelled, regardless of the
  /// transport.
  private func limited(
    _ name: Case, _ findings: @escaping @concurrent @Sendable () async -> [Finding]
  ) async -> [Finding] {
    @Sendable func finding(_ observation: String) -> [Finding] {
      [Finding(name: name, requirement: "every call ends", observation: observation)]
    }
    let timer = Deadline(after: timeLimit, clock: clock)
    return await Race.first(
      of: [
        findings,
        {
          await timer.waitUntilPassed()
            ? finding("a call did not end within \(timeLimit)") : nil
        },
      ], onCancel: finding("the task of the suite was cancelled"))
  }

  /// Runs the cases of calls in flight: a call that is cancelled, and one whose deadline passes.
  ///
  /// Such a call must not return a response, even if the back end responds afterwards. Whether it
  /// ends before the back end responds is not checked. A write can return a response, because it
  /// may have taken effect before. Then it must be visible.
  ///
  /// - Parameter makeTransport: Creates a transport whose back end waits at the gate before it
  ///   responds. Called once for each case. With writes, all of these transports must share their
  ///   indices.
  public func findings<Transport: SearchTransport>(
    inFlight makeTransport: (CallGate) -> Transport
  ) async -> [Finding] {
    var findings: [Finding] = []
    for name in Case.allCases where isWanted(name) {
      guard name.isInFlight else { continue }
      let gate = CallGate()
      let transport = makeTransport(gate)
      findings += await limited(name) { await self.findings(name, for: transport, at: gate) }
      gate.open()
    }
    return findings
  }

  private func isWanted(_ name: Case) -> Bool {
    exclusions[name] == nil && (scratchIndexName != nil || !name.isWrite)
  }

  private func findings(
    _ name: Case, for transport: some SearchTransport, at gate: CallGate
  ) async -> [Finding] {
    switch name {
    case .cancelledSearchInFlight: await endsWhenCancelled(transport, at: gate)
    case .lateSearchInFlight: await endsAtTheDeadline(transport, at: gate)
    default:
      await writeInFlightEnds(
        transport, at: gate, isCancelled: name == .cancelledWriteInFlight)
    }
  }

  private func findings(_ name: Case, for transport: some SearchTransport) async -> [Finding] {
    switch name {
    case .searches: await answersSearches(transport)
    case .snapshots: await answersAlikeFromItsSnapshot(transport)
    case .errors: await answersErrorsWithStatuses(transport)
    case .cancelledSearch: await endsWhenCancelledBeforehand(transport)
    case .lateSearch: await endsWhenTheDeadlineHasPassed(transport)
    case .concurrentSearches: await answersConcurrentCalls(transport)
    case .writes: await writesAreSeen(transport)
    case .refusedWrites: await refusedWritesLeaveNothing(transport)
    case .cancelledWrite: await endedWriteLeavesNothing(transport, isCancelled: true)
    case .lateWrite: await endedWriteLeavesNothing(transport, isCancelled: false)
    case .concurrentWrites: await concurrentWritesAreKept(transport)
    case .cancelledSearchInFlight, .lateSearchInFlight, .cancelledWriteInFlight,
      .lateWriteInFlight:
      []
    }
  }

  /// The request of a search.
  func search(body: String, indexName: String? = nil) -> TransportRequest {
    TransportRequest(
      .search(index: indexName ?? self.indexName), body: Array(body.utf8))
  }
}

/// The checks of cancellation and deadlines.
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
      .cancelledSearchInFlight, "a call in flight whose task is cancelled ends with a cancellation",
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
      .lateSearchInFlight, "a call in flight whose deadline passes ends with timedOut",
      await call.result, isTimeout)
  }

  /// Starts a call. If it ends without arriving at the gate, it opens the gate, so that no task
  /// waits.
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
    _ name: Case, _ requirement: String, _ result: Result<TransportResponse, any Error>,
    _ isExpected: (any Error) -> Bool
  ) -> [Finding] {
    switch result {
    case .success(let response):
      [
        Finding(
          name: name, requirement: requirement, observation: "it returned status \(response.status)"
        )
      ]
    case .failure(let error):
      isExpected(error)
        ? [] : [Finding(name: name, requirement: requirement, observation: "it threw \(error)")]
    }
  }
}
