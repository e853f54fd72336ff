@_exported public import InstantSearchAPI

/// What every transport must do, as named cases that anybody can run against theirs.
///
///     let suite = TransportConformance(indexName: "films", scratchIndexName: "scratch")
///     #expect(await suite.findings(for: transport).isEmpty)
///
/// Calls that are under way are checked with a back end that the suite can hold:
///
///     let findings = await suite.findings(inFlight: { gate in
///       MyTransport(backEnd: { request in
///         await gate.pass()
///         return answer(to: request)
///       })
///     })
///     #expect(findings.isEmpty)
///
/// A case that a transport cannot keep is excluded by its name, with the reason:
///
///     let suite = TransportConformance(
///       indexName: "films", excluding: [.snapshots: "the service has no snapshots"])
///
/// The checks report what they found and import no test library.
public struct TransportConformance: Sendable {
  /// A case of the suite.
  public enum Case: String, Sendable, Hashable, CaseIterable {
    /// A search is answered.
    case searches
    /// A request with a snapshot has the same answer.
    case snapshots
    /// An error of the API is a status.
    case errors
    /// A search whose task is cancelled beforehand ends with a cancellation.
    case cancelledSearch
    /// A search whose deadline has passed ends with `timedOut`.
    case lateSearch
    /// Calls made at the same time do not mix up their answers.
    case concurrentSearches
    /// A search under way whose task is cancelled ends with a cancellation.
    case cancelledSearchUnderWay
    /// A search under way whose deadline passes ends with `timedOut`.
    case lateSearchUnderWay
    /// A write is answered, and seen once its task is published.
    case writes
    /// A write that is refused is a status, and nothing of it is written.
    case refusedWrites
    /// A write whose task is cancelled beforehand ends with a cancellation and writes nothing.
    case cancelledWrite
    /// A write whose deadline has passed ends with `timedOut` and writes nothing.
    case lateWrite
    /// Writes made at the same time are all kept.
    case concurrentWrites
    /// A write under way whose task is cancelled ends with a cancellation, or was done and is seen.
    case cancelledWriteUnderWay
    /// A write under way whose deadline passes ends with `timedOut`, or was done and is seen.
    case lateWriteUnderWay

    /// Whether the case writes to the scratch index.
    public var isWrite: Bool {
      switch self {
      case .writes, .refusedWrites, .cancelledWrite, .lateWrite, .concurrentWrites,
        .cancelledWriteUnderWay, .lateWriteUnderWay:
        true
      default: false
      }
    }
  }

  /// A promise that the transport broke.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The case that found it.
    public var name: Case
    /// The promise.
    public var promise: String
    /// What happened instead.
    public var observation: String

    /// `name: promise: observation`
    public var description: String { "\(name.rawValue): \(promise): \(observation)" }
  }

  /// An index that the transport answers, with at least one record.
  public let indexName: String
  /// An index that the suite may write and delete; `nil` leaves the cases of writes out.
  public let scratchIndexName: String?
  /// How many calls are made at once.
  public let concurrentCalls: Int
  /// The cases that are left out, with the reasons.
  public let exclusions: [Case: String]

  /// Creates the suite.
  ///
  /// - Parameters:
  ///   - indexName: An index with at least one record, which is only read.
  ///   - scratchIndexName: An index for the cases of writes, which the suite makes and deletes;
  ///     without one they are left out.
  ///   - concurrentCalls: How many calls are made at once; 32 by default.
  ///   - exclusions: The cases to leave out, each with the reason.
  public init(
    indexName: String, scratchIndexName: String? = nil, concurrentCalls: Int = 32,
    excluding exclusions: [Case: String] = [:]
  ) {
    self.indexName = indexName
    self.scratchIndexName = scratchIndexName
    self.concurrentCalls = concurrentCalls
    self.exclusions = exclusions
  }

  /// Runs every case that needs no hold on the back end; without a finding, all promises are kept.
  public func findings(for transport: some SearchTransport) async -> [Finding] {
    var findings: [Finding] = []
    for name in Case.allCases where isWanted(name) {
      findings += await self.findings(name, for: transport)
    }
    return findings
  }

  /// Runs the cases of calls that are under way: a call that is cancelled then, and one whose
  /// deadline passes then.
  ///
  /// What broke off must not turn into an answer, even when the back end gives one afterwards. That
  /// the call ends before the back end does is not checked. A write may be answered, for it may
  /// have been done before; then it must be seen.
  ///
  /// - Parameter makeTransport: Makes a transport whose back end waits at the gate before it
  ///   answers; called once for every case. With writes, all of these transports have the same
  ///   indices.
  public func findings<Transport: SearchTransport>(
    inFlight makeTransport: (CallGate) -> Transport
  ) async -> [Finding] {
    var findings: [Finding] = []
    for name in Case.allCases where isWanted(name) {
      let gate = CallGate()
      switch name {
      case .cancelledSearchUnderWay:
        findings += await endsWhenCancelled(makeTransport(gate), at: gate)
      case .lateSearchUnderWay: findings += await endsAtTheDeadline(makeTransport(gate), at: gate)
      case .cancelledWriteUnderWay, .lateWriteUnderWay:
        findings += await writeUnderWayEnds(
          makeTransport(gate), at: gate, isCancelled: name == .cancelledWriteUnderWay)
      default: break
      }
    }
    return findings
  }

  private func isWanted(_ name: Case) -> Bool {
    exclusions[name] == nil && (scratchIndexName != nil || !name.isWrite)
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
    case .cancelledSearchUnderWay, .lateSearchUnderWay, .cancelledWriteUnderWay,
      .lateWriteUnderWay:
      []
    }
  }

  /// A search, as it is sent.
  func search(body: String, indexName: String? = nil) -> TransportRequest {
    TransportRequest(
      .search(index: indexName ?? self.indexName), body: Array(body.utf8))
  }
}

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
