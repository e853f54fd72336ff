import InstantSearchJSON

/// The checks of writes: writes are visible, and writes that end early have no effect.
extension TransportConformance {
  /// The maximum number of requests for the status of a task.
  private static let maximumTaskCalls = 100

  func writesAreSeen(_ transport: some SearchTransport) async -> [Finding] {
    await onScratch(transport, .writes, "an awaited write is visible to the next search") { index in
      try await write(transport, index, [.add("1"), .add("2"), .add("3")])
      try await expect(transport, index, ["1", "2", "3"])
      try await write(transport, index, [.delete("2"), .add("4")])
      try await expect(transport, index, ["1", "3", "4"])
      try await write(transport, index, [.clear])
      try await expect(transport, index, [])
    }
  }

  func refusedWritesLeaveNothing(_ transport: some SearchTransport) async -> [Finding] {
    await onScratch(
      transport, .refusedWrites, "a refused write returns a status and has no effect"
    ) { index in
      try await write(transport, index, [.add("1")])
      let wrong =
        #"{"requests":[{"action":"addObject","body":{"objectID":"2"}},{"action":"no such"}]}"#
      for body in [wrong, "{"] {
        let status = try await transport.send(batch(body, of: index)).status
        guard (400...499).contains(status) else { throw Broken(observation: "status \(status)") }
      }
      try await expect(transport, index, ["1"])
    }
  }

  /// A write whose task is cancelled, or whose deadline passes, before it is sent.
  func endedWriteLeavesNothing(
    _ transport: some SearchTransport, isCancelled: Bool
  ) async -> [Finding] {
    let requirement =
      isCancelled
      ? "a write whose task is cancelled ends with a cancellation and has no effect"
      : "a write whose deadline has passed ends with timedOut and has no effect"
    return await onScratch(
      transport, isCancelled ? .cancelledWrite : .lateWrite, requirement
    ) { index in
      try await write(transport, index, [.add("1")])
      var request = batch([.add("2"), .delete("1")], of: index)
      if !isCancelled {
        request.deadline = Deadline(after: .seconds(-1), clock: ManualClock())
      }
      let call = Task { [request] in
        if isCancelled { await untilCancelled() }
        return try await transport.send(request)
      }
      if isCancelled { call.cancel() }
      try check(await call.result, isCancelled: isCancelled)
      try await expect(transport, index, ["1"])
    }
  }

  func concurrentWritesAreKept(_ transport: some SearchTransport) async -> [Finding] {
    await onScratch(
      transport, .concurrentWrites, "concurrent writes are all stored"
    ) { index in
      let names = (0..<concurrentCalls).map { "\($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask { try await write(transport, index, [.add(name)]) }
        }
        try await group.waitForAll()
      }
      try await expect(transport, index, Set(names))
    }
  }

  /// A write whose task is cancelled, or whose deadline passes, after it arrived at the gate.
  func writeInFlightEnds(
    _ transport: some SearchTransport, at gate: CallGate, isCancelled: Bool
  ) async -> [Finding] {
    let requirement =
      isCancelled
      ? "a write in flight whose task is cancelled ends with a cancellation, or takes effect"
      : "a write in flight whose deadline passes ends with timedOut, or takes effect"
    guard let scratchIndexName else { return [] }
    let clock = ManualClock()
    var request = batch([.add("1")], of: scratchIndexName)
    if !isCancelled { request.deadline = Deadline(after: .seconds(1), clock: clock) }
    let call = begin(request, on: transport, at: gate)
    await gate.waitForCalls()
    if isCancelled { call.cancel() } else { clock.advance(by: .seconds(1)) }
    gate.open()
    let result = await call.result
    let name: Case = isCancelled ? .cancelledWriteInFlight : .lateWriteInFlight
    var findings: [Finding] = []
    do {
      if case .success(let response) = result {
        try await waitForTask(of: response, transport, scratchIndexName)
        try await expect(transport, scratchIndexName, ["1"])
      } else {
        try check(result, isCancelled: isCancelled)
      }
    } catch {
      findings = [Finding(name: name, requirement: requirement, observation: "\(error)")]
    }
    _ = try? await transport.send(deletion(of: scratchIndexName))
    return findings
  }

  // MARK: Writing

  /// The observation of a check that failed.
  private struct Broken: Error, CustomStringConvertible {
    let observation: String
    var description: String { observation }
  }

  /// A step of a batch.
  private enum Step {
    case add(String)
    case delete(String)
    case clear

    var text: String {
      switch self {
      case .add(let id): #"{"action":"addObject","body":{"objectID":"\#(id)","name":"word\#(id)"}}"#
      case .delete(let id): #"{"action":"deleteObject","body":{"objectID":"\#(id)"}}"#
      case .clear: #"{"action":"clear"}"#
      }
    }
  }

  /// Runs a check on an empty scratch index, and deletes the index afterwards.
  private func onScratch(
    _ transport: some SearchTransport, _ name: Case, _ requirement: String,
    _ body: (String) async throws -> Void
  ) async -> [Finding] {
    guard let scratchIndexName else { return [] }
    var findings: [Finding] = []
    do {
      try await write(transport, scratchIndexName, [.add("0"), .clear])
      try await body(scratchIndexName)
    } catch {
      findings = [Finding(name: name, requirement: requirement, observation: "\(error)")]
    }
    _ = try? await transport.send(deletion(of: scratchIndexName))
    return findings
  }

  private func batch(_ body: String, of index: String) -> TransportRequest {
    TransportRequest(.batch(index: index), body: Array(body.utf8))
  }

  private func batch(_ steps: [Step], of index: String) -> TransportRequest {
    batch(#"{"requests":[\#(steps.map(\.text).joined(separator: ","))]}"#, of: index)
  }

  private func deletion(of index: String) -> TransportRequest {
    TransportRequest(.deleteIndex(index: index))
  }

  /// Writes and waits until the task is published.
  private func write(
    _ transport: some SearchTransport, _ index: String, _ steps: [Step]
  ) async throws {
    let response = try await transport.send(batch(steps, of: index))
    try await waitForTask(of: response, transport, index)
  }

  private func waitForTask(
    of response: TransportResponse, _ transport: some SearchTransport, _ index: String
  ) async throws {
    guard (200...299).contains(response.status) else {
      throw Broken(observation: "status \(response.status)")
    }
    guard let task = try JSON(parsing: response.body)["taskID"]?.intValue else {
      throw Broken(observation: "a response without taskID")
    }
    for number in 0..<Self.maximumTaskCalls {
      // The first request is enough if writes are published before their response.
      if number > 0 { try await clock.sleep(for: .milliseconds(min(50 * number, 1000))) }
      let answer = try await transport.send(
        TransportRequest(.task(index: index, taskID: "\(task)")))
      if try JSON(parsing: answer.body)["status"]?.stringValue == "published" { return }
    }
    throw Broken(observation: "task \(task) is not published")
  }

  /// Checks which records the index contains.
  private func expect(
    _ transport: some SearchTransport, _ index: String, _ ids: Set<String>
  ) async throws {
    let response = try await transport.send(
      search(body: #"{"query":"","hitsPerPage":1000}"#, indexName: index))
    let hits = try JSON(parsing: response.body)["hits"]?.arrayValue ?? []
    let found = Set(hits.compactMap { $0["objectID"]?.stringValue })
    guard found == ids else {
      throw Broken(observation: "records \(found.sorted()) instead of \(ids.sorted())")
    }
  }

  private func check(
    _ result: Result<TransportResponse, any Error>, isCancelled: Bool
  ) throws {
    switch result {
    case .success(let response): throw Broken(observation: "it returned status \(response.status)")
    case .failure(let error):
      guard isCancelled ? isCancellation(error) : isTimeout(error) else {
        throw Broken(observation: "it threw \(error)")
      }
    }
  }
}
