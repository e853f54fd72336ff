public import AsyncInstantSearch

/// What every transport must do, as checks that anybody can run against theirs.
///
///     let suite = TransportConformance(indexName: "films")
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
/// The checks report what they found and import no test library.
public struct TransportConformance: Sendable {
  /// A promise that the transport broke.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The promise.
    public var promise: String
    /// What happened instead.
    public var observation: String

    /// `promise: observation`
    public var description: String { "\(promise): \(observation)" }
  }

  /// An index that the transport answers, with at least one record.
  public let indexName: String
  /// How many calls are made at once.
  public let concurrentCalls: Int

  /// Creates the suite.
  public init(indexName: String, concurrentCalls: Int = 32) {
    self.indexName = indexName
    self.concurrentCalls = concurrentCalls
  }

  /// Runs every check that needs no hold on the back end; without a finding, all promises are kept.
  public func findings(for transport: some SearchTransport) async -> [Finding] {
    var findings: [Finding] = []
    findings += await answersSearches(transport)
    findings += await answersAlikeFromItsSnapshot(transport)
    findings += await answersErrorsWithStatuses(transport)
    findings += await endsWhenCancelledBeforehand(transport)
    findings += await endsWhenTheDeadlineHasPassed(transport)
    findings += await answersConcurrentCalls(transport)
    return findings
  }

  /// Runs the checks of calls that are under way: a call that is cancelled then, and one whose
  /// deadline passes then.
  ///
  /// What broke off must not turn into an answer, even when the back end gives one afterwards. That
  /// the call ends before the back end does is not checked.
  ///
  /// - Parameter makeTransport: Makes a transport whose back end waits at the gate before it answers;
  ///   called once for every check.
  public func findings<Transport: SearchTransport>(
    inFlight makeTransport: (CallGate) -> Transport
  ) async -> [Finding] {
    var findings: [Finding] = []
    var gate = CallGate()
    findings += await endsWhenCancelled(makeTransport(gate), at: gate)
    gate = CallGate()
    findings += await endsAtTheDeadline(makeTransport(gate), at: gate)
    return findings
  }

  /// A search, as it is sent.
  func search(body: String, indexName: String? = nil) -> TransportRequest {
    TransportRequest(
      method: .post,
      pathComponents: ["1", "indexes", indexName ?? self.indexName, "query"],
      body: Array(body.utf8),
      callType: .read)
  }
}
