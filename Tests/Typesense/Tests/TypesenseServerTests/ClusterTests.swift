import Foundation
import InstantSearchClient
import Synchronization
import Testing
import TypesenseTransport

/// Reads and writes on three nodes, which are killed and come back one after the other.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
final class ClusterTests: Sendable {
  private static let isFull = ProcessInfo.processInfo.environment["TYPESENSE_KILLS"] != nil
  private static let killCount = isFull ? 50 : 3
  private static let recordCount = 200
  private static let readDeadline = Duration.seconds(10)
  private static let writeDeadline = Duration.seconds(40)

  /// What the calls have seen.
  private struct State {
    /// The version of each record that was acknowledged last, and when.
    var acknowledged = [(version: Int, time: ContinuousClock.Instant)](
      repeating: (0, .now), count: ClusterTests.recordCount)
    /// The version of each record that was sent last.
    var sent = [Int](repeating: 0, count: ClusterTests.recordCount)
    var readCount = 0
    var writeCount = 0
    var failedReads: [String] = []
    var failedWrites: [String] = []
    var wrong: [String] = []
    var late: [String] = []
    var longestStaleness = Duration.zero
    var lastRead = ContinuousClock.now
    var lastWrite = ContinuousClock.now
    var longestReadGap = Duration.zero
    var longestWriteGap = Duration.zero
    var isOver = false
  }

  private let state = Mutex(State())

  private static func record(_ number: Int, version: Int) -> JSON {
    [
      "objectID": .string("r\(number)"), "version": .int(Int64(version)),
      "check": .int(Int64(number * 1_000_003 + version * 31)), "title": .string("word\(number)"),
    ]
  }

  @Test("Nothing is lost or wrong while nodes are killed and come back")
  func kills() async throws {
    let server = try Server(nodeCount: 3)
    let transport = TypesenseTransport(nodes: server.nodes, apiKey: Server.key)
    let client = SearchClient(transport: transport)
    _ = try await client.setSettings(
      IndexSettings(searchableAttributes: ["title"]), of: "records")
    _ = try await client.save(
      (0..<Self.recordCount).map { Self.record($0, version: 0) }, in: "records")
    try await Task.sleep(for: .seconds(2))
    state.withLock { state in
      state.lastRead = .now
      state.lastWrite = .now
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<8 { group.addTask { await self.read(transport, seed: UInt64(reader)) } }
      for writer in 0..<4 { group.addTask { await self.write(transport, writer) } }
      var dice = Dice(seed: 7)
      for kill in 0..<Self.killCount {
        // The leader every second time.
        let leader = try server.leader()
        let node = kill.isMultiple(of: 2) ? leader ?? 0 : Int.random(in: 0..<3, using: &dice)
        try server.command("kill \(node)")
        try await Task.sleep(for: .milliseconds(.random(in: 500...4000, using: &dice)))
        try server.command("start \(node)")
        // Two nodes that are away at once leave no majority, so no cluster.
        try await waitUntilReady(server.nodes[node])
        // A node writes one by itself each hour, and only if all others are well then. Without it,
        // each restart would make all writes of the test again.
        try server.command("snapshot")
        try await Task.sleep(for: .milliseconds(.random(in: 1000...5000, using: &dice)))
      }
      state.withLock { $0.isOver = true }
      try await group.waitForAll()
    }
    try await checkEverything(on: server)
    state.withLock { state in
      print(
        "\(state.readCount) reads, \(state.writeCount) writes, \(Self.killCount) kills; longest time"
          + " without a read \(state.longestReadGap), without a write \(state.longestWriteGap);"
          + " oldest read \(state.longestStaleness) behind; failed: \(state.failedReads.count) reads,"
          + " \(state.failedWrites.count) writes")
      #expect(state.wrong.isEmpty, "\(state.wrong.prefix(5))")
      #expect(state.late.isEmpty, "\(state.late.prefix(5))")
      #expect(state.failedReads.isEmpty, "\(state.failedReads.prefix(5))")
      #expect(state.failedWrites.isEmpty, "\(state.failedWrites.prefix(5))")
      if Self.isFull {
        #expect(state.readCount >= 100_000)
        #expect(state.writeCount >= 10_000)
      }
    }
  }

  private func read(_ transport: TypesenseTransport, seed: UInt64) async {
    var dice = Dice(seed: seed)
    while !state.withLock({ $0.isOver }) {
      let number = Int.random(in: 0..<Self.recordCount, using: &dice)
      let before = state.withLock { $0.acknowledged[number] }
      let start = ContinuousClock.now
      let body: JSON = [
        "query": .string("word\(number)"), "typoTolerance": false, "queryType": "prefixNone",
      ]
      do {
        let response = try await transport.send(
          TransportRequest(
            .search(index: "records"), body: Array(body.text.utf8),
            deadline: Deadline(after: Self.readDeadline)))
        check(try JSON(parsing: response.body), number, before, start)
      } catch {
        state.withLock { $0.failedReads.append("\(error)") }
      }
      let duration = ContinuousClock.now - start
      if duration > Self.readDeadline + .seconds(1) {
        state.withLock { $0.late.append("a read took \(duration)") }
      }
      // The nodes share the cores with the readers, and need them to come back.
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Checks an answer, which may be older than what was acknowledged when the read began.
  private func check(
    _ answer: JSON, _ number: Int, _ before: (version: Int, time: ContinuousClock.Instant),
    _ start: ContinuousClock.Instant
  ) {
    let hits = answer["hits"]?.arrayValue ?? []
    state.withLock { state in
      let now = ContinuousClock.now
      state.readCount += 1
      state.longestReadGap = max(state.longestReadGap, now - state.lastRead)
      state.lastRead = now
      guard hits.count == 1, let version = hits[0]["version"]?.intValue,
        hits[0]["check"]?.intValue == number * 1_000_003 + version * 31,
        version <= state.sent[number]
      else {
        state.wrong.append("record \(number): \(answer.text.prefix(300))")
        return
      }
      if version < before.version {
        state.longestStaleness = max(state.longestStaleness, start - before.time)
      }
    }
  }

  private func write(_ transport: TypesenseTransport, _ writer: Int) async {
    var number = writer
    while !state.withLock({ $0.isOver }) {
      let version = state.withLock { state in
        state.sent[number] += 1
        return state.sent[number]
      }
      let start = ContinuousClock.now
      do {
        let record = Self.record(number, version: version)
        let response = try await transport.send(
          TransportRequest(
            .replaceObject(index: "records", objectID: "r\(number)"),
            body: Array(record.text.utf8), deadline: Deadline(after: Self.writeDeadline)))
        guard response.status == 200 else {
          throw SearchError(.server, String(decoding: response.body, as: UTF8.self))
        }
        state.withLock { state in
          let now = ContinuousClock.now
          state.acknowledged[number] = (version, now)
          state.writeCount += 1
          state.longestWriteGap = max(state.longestWriteGap, now - state.lastWrite)
          state.lastWrite = now
        }
      } catch {
        state.withLock { $0.failedWrites.append("\(error)") }
      }
      let duration = ContinuousClock.now - start
      if duration > Self.writeDeadline + .seconds(1) {
        state.withLock { $0.late.append("a write took \(duration)") }
      }
      // Each writer has records of its own.
      number = (number + 4) % Self.recordCount
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until a node answers a search: one that has just come back refuses calls until it has
  /// the writes of the others.
  @discardableResult
  private func waitUntilReady(_ node: SearchHost) async throws -> TypesenseTransport {
    let transport = TypesenseTransport(
      nodes: [node], apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(serverVersion: 0))
    let limit = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < limit {
      let search = TransportRequest(.search(index: "records"), body: Array("{}".utf8))
      if (try? await transport.send(search)) != nil { return transport }
      try await Task.sleep(for: .milliseconds(200))
    }
    Issue.record("\(node) did not come back within a minute")
    return transport
  }

  /// Checks every record on every node.
  private func checkEverything(on server: Server) async throws {
    for node in server.nodes {
      let transport = try await waitUntilReady(node)
      try await Task.sleep(for: .seconds(5))
      for number in 0..<Self.recordCount {
        let response = try await transport.send(
          TransportRequest(.getObject(index: "records", objectID: "r\(number)")))
        let version = try JSON(parsing: response.body)["version"]?.intValue ?? -1
        state.withLock { state in
          if version < state.acknowledged[number].version {
            state.wrong.append(
              "node \(node): record \(number) has version \(version), acknowledged was"
                + " \(state.acknowledged[number].version)")
          }
        }
      }
    }
  }
}
