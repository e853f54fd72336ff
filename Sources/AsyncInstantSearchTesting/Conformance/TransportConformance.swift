public import AsyncInstantSearch

/// What every transport must do, as checks that anybody can run against theirs.
///
///     let findings = await TransportConformance(indexName: "films").findings(for: transport)
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

  /// Runs every check; an empty list means that the transport keeps every promise.
  public func findings(for transport: some SearchTransport) async -> [Finding] {
    var findings: [Finding] = []
    findings += await answersSearches(transport)
    findings += await answersErrorsWithStatuses(transport)
    findings += await endsWhenCancelled(transport)
    findings += await endsAtTheDeadline(transport)
    findings += await answersConcurrentCalls(transport)
    return findings
  }

  private func answersSearches(_ transport: some SearchTransport) async -> [Finding] {
    let promise = "a search is answered with status 200 and hits"
    do {
      let client = SearchClient(transport: transport)
      let page = try await client.search(indexName, of: JSON.self)
      return page.hits.isEmpty ? [Finding(promise: promise, observation: "no hits")] : []
    } catch {
      return [Finding(promise: promise, observation: "\(error)")]
    }
  }

  private func answersErrorsWithStatuses(_ transport: some SearchTransport) async -> [Finding] {
    let promise = "an error of the API is returned as a status, not thrown"
    let cases: [(request: TransportRequest, status: ClosedRange<Int>)] = [
      (search(body: "{"), 400...499),
      (search(body: #"{"page":-1}"#), 400...499),
      (search(body: "{}", indexName: "no such index \(indexName)"), 404...404),
    ]
    var findings: [Finding] = []
    for (request, expected) in cases {
      do {
        let status = try await transport.send(request).status
        if !expected.contains(status) {
          findings.append(Finding(promise: promise, observation: "status \(status)"))
        }
      } catch {
        findings.append(Finding(promise: promise, observation: "it threw \(error)"))
      }
    }
    return findings
  }

  private func endsWhenCancelled(_ transport: some SearchTransport) async -> [Finding] {
    let promise = "a call whose task is cancelled ends with a cancellation"
    let request = search(body: "{}")
    let call = Task {
      await untilCancelled()
      return try await transport.send(request)
    }
    call.cancel()
    switch await call.result {
    case .success:
      return [Finding(promise: promise, observation: "it answered")]
    case .failure(let error):
      let isCancellation =
        error is CancellationError || (error as? SearchError)?.code == .cancelled
      return isCancellation ? [] : [Finding(promise: promise, observation: "it threw \(error)")]
    }
  }

  private func endsAtTheDeadline(_ transport: some SearchTransport) async -> [Finding] {
    let promise = "a call whose deadline has passed ends with timedOut"
    var request = search(body: "{}")
    request.deadline = Deadline(after: .seconds(-1), clock: ManualClock())
    do {
      let response = try await transport.send(request)
      return [Finding(promise: promise, observation: "it answered with \(response.status)")]
    } catch {
      let isTimeout = (error as? SearchError)?.code == .timedOut
      return isTimeout ? [] : [Finding(promise: promise, observation: "it threw \(error)")]
    }
  }

  private func answersConcurrentCalls(_ transport: some SearchTransport) async -> [Finding] {
    let promise = "calls made at the same time get the answers of calls made one by one"
    let client = SearchClient(transport: transport)
    let queries = (0..<concurrentCalls).map { number in
      SearchQuery().setting(\.hitsPerPage, to: 1 + number % 20)
    }
    do {
      var expected: [[JSON]] = []
      for query in queries {
        expected.append(try await client.search(indexName, query, of: JSON.self).hits)
      }
      let received = try await withThrowingTaskGroup(of: (Int, [JSON]).self) { group in
        for (number, query) in queries.enumerated() {
          group.addTask {
            (number, try await client.search(indexName, query, of: JSON.self).hits)
          }
        }
        return try await group.reduce(into: [Int: [JSON]]()) { $0[$1.0] = $1.1 }
      }
      let differing = expected.indices.filter { received[$0] != expected[$0] }
      return differing.isEmpty
        ? [] : [Finding(promise: promise, observation: "\(differing.count) answers differ")]
    } catch {
      return [Finding(promise: promise, observation: "\(error)")]
    }
  }

  private func search(body: String, indexName: String? = nil) -> TransportRequest {
    TransportRequest(
      method: .post,
      pathComponents: ["1", "indexes", indexName ?? self.indexName, "query"],
      body: Array(body.utf8),
      callType: .read)
  }
}
