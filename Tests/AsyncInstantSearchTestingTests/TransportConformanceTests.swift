import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct TransportConformanceTests {
  private struct Word: Codable, Sendable {
    let text: String
  }

  private let suite = TransportConformance(indexName: "words", scratchIndexName: "scratch")
  private let readingSuite = TransportConformance(indexName: "words")

  private func engine(records: Int = 50) async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.save((0..<records).map { Word(text: "word \($0)") }, in: "words")
    return engine
  }

  /// Runs the suite on a clock that passes over the waits for tasks of writes.
  private func findingsWithoutWaiting(
    _ check: (TransportConformance) async -> [TransportConformance.Finding]
  ) async -> [TransportConformance.Finding] {
    let clock = ManualClock()
    let suite = TransportConformance(
      indexName: "words", scratchIndexName: "scratch", clock: clock)
    let advancing = Task {
      while !Task.isCancelled {
        // The time limit of the case, and a wait.
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
      }
    }
    defer { advancing.cancel() }
    return await check(suite)
  }

  @Test func embeddedEnginePassesEveryCase() async throws {
    let engine = try await engine()
    await expectEqual(suite.findings(for: engine), [])
    let inFlight = await suite.findings(inFlight: { gate in
      ScriptedTransport { request, _ in
        await gate.pass()
        return try await engine.send(request)
      }
    })
    expectEqual(inFlight, [])
  }

  @Test func excludedCaseHasAReason() async throws {
    let transport = LocalSearch()
    try await transport.save((0..<50).map { Word(text: "word \($0)") }, in: "films")
    // snippet.suite
    let suite = TransportConformance(
      indexName: "films", scratchIndexName: "films_scratch",
      excluding: [.snapshots: "the service has no snapshots"])
    #expect(await suite.findings(for: transport) == [])
    // snippet.end
  }

  @Test func faultyTransportWithoutFaultsPassesEveryCase() async throws {
    let engine = try await engine()
    let faultless = FaultyTransport(wrapping: engine) { _, _ in nil }
    await expectEqual(suite.findings(for: faultless), [])
    let inFlight = await suite.findings(inFlight: { gate in
      let held = ScriptedTransport { request, _ in
        await gate.pass()
        return try await engine.send(request)
      }
      return FaultyTransport(wrapping: held) { _, _ in nil }
    })
    expectEqual(inFlight, [])
  }

  @Test func delayPassesTheInFlightCases() async throws {
    let engine = try await engine()
    let inFlight = await suite.findings(inFlight: { gate in
      let held = ScriptedTransport { request, _ in
        await gate.pass()
        return try await engine.send(request)
      }
      return FaultyTransport(wrapping: held) { _, _ in .delay(.zero) }
    })
    expectEqual(inFlight, [])
  }

  /// The suite ends even if a transport neither responds nor ends when it is cancelled.
  @Test func transportThatNeverEndsIsFound() async {
    let clock = ManualClock()
    let gate = CallGate()
    let deaf = ScriptedTransport { _, _ in
      await gate.pass()
      return TransportResponse(status: 200, body: [])
    }
    let suite = TransportConformance(indexName: "words", timeLimit: .seconds(5), clock: clock)
    let check = Task {
      await suite.findings(for: deaf) + suite.findings(inFlight: { _ in deaf })
    }
    let advancing = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
      }
    }
    let findings = await check.value
    advancing.cancel()
    gate.open()
    let cases = TransportConformance.Case.allCases.filter { !$0.isWrite }
    expectEqual(findings.map(\.name), cases)
    expectEqual(Set(findings.map(\.observation)), ["a call did not end within 5.0 seconds"])
  }

  @Test func cancelledSuiteEnds() async {
    let gate = CallGate()
    let deaf = ScriptedTransport { _, _ in
      await gate.pass()
      return TransportResponse(status: 200, body: [])
    }
    let check = Task { await readingSuite.findings(for: deaf) }
    await gate.waitForCalls()
    check.cancel()
    #expect(await check.value.map(\.observation).contains("the task of the suite was cancelled"))
    gate.open()
  }

  @Test func transportThatIgnoresCancellationIsFound() async throws {
    let engine = try await engine()
    let deaf = ScriptedTransport { request, _ in
      var request = request
      request.deadline = nil
      let alone = Task.detached { [request] in try await engine.send(request) }
      return try await alone.value
    }
    let findings = await suite.findings(for: deaf)
    expectEqual(
      findings.map(\.requirement),
      [
        "a call whose task is cancelled ends with a cancellation",
        "a call whose deadline has passed ends with timedOut",
        "a write whose task is cancelled ends with a cancellation and has no effect",
        "a write whose deadline has passed ends with timedOut and has no effect",
      ])
  }

  /// Responds to writes before making them, or without making them.
  @Test func aTransportThatLosesWritesIsFound() async throws {
    let engine = try await engine()
    let losing = ScriptedTransport { request, _ in
      if request.pathComponents.last == "batch" {
        return TransportResponse(status: 200, body: Array(#"{"taskID":1,"objectIDs":[]}"#.utf8))
      }
      return try await engine.send(request)
    }
    let findings = await findingsWithoutWaiting { await $0.findings(for: losing) }
    expectEqual(
      findings.map(\.name),
      [
        .writes, .refusedWrites, .cancelledWrite, .lateWrite, .concurrentWrites,
      ])
  }

  /// Rejects a batch after writing a part of it.
  @Test func transportWithPartialWritesIsFound() async throws {
    let engine = try await engine()
    let halving = ScriptedTransport { request, _ in
      let response = try await engine.send(request)
      if request.pathComponents.last == "batch", response.status == 400 {
        var part = request
        part.body = Array(
          #"{"requests":[{"action":"addObject","body":{"objectID":"2"}}]}"#.utf8)
        _ = try await engine.send(part)
      }
      return response
    }
    let findings = await suite.findings(for: halving)
    expectEqual(findings.map(\.name), [.refusedWrites])
  }

  /// Reports an interrupted write as done, although it was not.
  @Test func transportThatReportsUnmadeWritesIsFound() async throws {
    let engine = try await engine()
    let findings = await findingsWithoutWaiting { suite in
      await suite.findings(inFlight: { gate in
        ScriptedTransport { request, _ in
          await gate.pass()
          guard request.pathComponents.last == "batch" else {
            return try await engine.send(request)
          }
          return TransportResponse(status: 200, body: Array(#"{"taskID":1}"#.utf8))
        }
      })
    }
    expectEqual(findings.map(\.name), [.cancelledWriteInFlight, .lateWriteInFlight])
  }

  @Test func caseCanBeExcludedByName() async throws {
    let engine = try await engine()
    let throwing = ScriptedTransport { request, _ in
      let response = try await engine.send(request)
      if response.status >= 400 { throw SearchError(.invalidRequest, "status \(response.status)") }
      return response
    }
    let suite = TransportConformance(
      indexName: "words", scratchIndexName: "scratch",
      excluding: [.errors: "statuses are thrown", .refusedWrites: "statuses are thrown"])
    await expectEqual(suite.findings(for: throwing), [])
    expectEqual(suite.exclusions.count, 2)
  }

  /// Without an index to write to, nothing is written.
  @Test func withoutAScratchIndexNothingIsWritten() async throws {
    let engine = try await engine()
    let reading = ScriptedTransport { request, _ in
      expectEqual(request.callType, .read)
      return try await engine.send(request)
    }
    await expectEqual(TransportConformance(indexName: "words").findings(for: reading), [])
    expectEqual(engine.indexNames, ["words"])
  }

  @Test func aTransportThatThrowsForStatusesIsFound() async throws {
    let engine = try await engine()
    let throwing = ScriptedTransport { request, _ in
      let response = try await engine.send(request)
      if response.status >= 400 { throw SearchError(.invalidRequest, "status \(response.status)") }
      return response
    }
    let findings = await suite.findings(for: throwing)
    expectEqual(findings.map(\.name), [.errors, .errors, .errors, .refusedWrites])
  }

  @Test func transportThatIgnoresLateCancellationIsFound() async throws {
    let engine = try await engine()
    let findings = await suite.findings(inFlight: { gate in
      ScriptedTransport { request, _ in
        try Task.checkCancellation()
        if request.deadline?.hasPassed == true { throw SearchError(.timedOut, "late") }
        await gate.pass()
        var request = request
        request.deadline = nil
        let alone = Task.detached { [request] in try await engine.send(request) }
        return try await alone.value
      }
    })
    expectEqual(
      findings.map(\.requirement),
      [
        "a call in flight whose task is cancelled ends with a cancellation",
        "a call in flight whose deadline passes ends with timedOut",
      ])
    // A write with a response was made and is visible.
    #expect(findings.allSatisfy { $0.observation == "it returned status 200" })
  }

  @Test func callThatNeverReachesTheGateIsFound() async {
    let findings = await suite.findings(inFlight: { _ in ScriptedTransport(json: "{}") })
    expectEqual(findings.count, 4)
  }

  /// Responds to a repeated search with the response of the search before, like a transport that
  /// mixes up its calls. Also for an index with a single record.
  @Test(arguments: [1, 50])
  func transportThatSwapsResponsesIsFound(records: Int) async throws {
    let engine = try await engine(records: records)
    let memory = Lock<(seen: Set<[UInt8]>, last: TransportResponse?)>(([], nil))
    let crossing = ScriptedTransport { request, _ in
      let own = try await engine.send(request)
      return memory.withLock { memory in
        if memory.seen.insert(request.body).inserted || own.status != 200 { return own }
        defer { memory.last = own }
        return memory.last ?? own
      }
    }
    let findings = await readingSuite.findings(for: crossing)
    expectEqual(
      findings.map(\.requirement),
      [
        "concurrent calls get the same responses as sequential calls"
      ])
    #expect(findings.first?.observation.hasSuffix(" responses differ") == true)
  }

  @Test func transportThatSwapsSnapshotsIsFound() async throws {
    let engine = try await engine()
    let other = try await self.engine(records: 3)
    for isOwn in [true, false] {
      let wrong = ScriptedTransport { request, _ in
        let isConfused = request.snapshot.map { ($0 is String) != isOwn } ?? false
        return try await (isConfused ? other : engine).send(request)
      }
      let findings = await suite.findings(for: wrong)
      expectEqual(findings.map(\.observation), ["the responses differ"])
    }
  }

  @Test func aTransportWithoutHitsIsFound() async throws {
    let engine = try await engine()
    let empty = ScriptedTransport { request, _ in
      var response = try await engine.send(request)
      if response.status == 200 { response.body = Array(#"{"hits":[]}"#.utf8) }
      return response
    }
    let findings = await readingSuite.findings(for: empty)
    expectEqual(findings.map(\.observation), ["no hits"])
  }
}
