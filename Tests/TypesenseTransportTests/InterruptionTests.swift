import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

/// Changes of indices that end half way, and several at the same time.
struct InterruptionTests {
  private static let one: Set<String> = ["a1", "a2", "a3"]
  private static let other: Set<String> = ["b1", "b2"]

  /// What the indices one and other have; `nil` for an index that does not exist.
  private struct Contents: Hashable {
    var one: Set<String>?
    var other: Set<String>?
  }

  /// A change, what it makes, and what a program may leave that ends within it.
  private struct Change: Sendable, CustomStringConvertible {
    let description: String
    let request: TransportRequest
    let result: Contents
    var between: [Contents] = []
  }

  private static let start = Contents(one: one, other: other)

  private static let changes: [Change] = [
    Change(
      description: "move", request: operation("move"), result: Contents(one: nil, other: one),
      between: [Contents(one: one, other: one)]),
    Change(
      description: "copy", request: operation("copy"), result: Contents(one: one, other: one)),
    Change(description: "settings", request: settings("one", "color"), result: start),
    Change(
      description: "clear", request: TransportRequest(.clear(index: "one")),
      result: Contents(one: [], other: other)),
    Change(
      description: "delete", request: TransportRequest(.deleteIndex(index: "one")),
      result: Contents(one: nil, other: other)),
    Change(
      description: "delete the destination",
      request: TransportRequest(.deleteIndex(index: "other")),
      result: Contents(one: one, other: nil)),
  ]

  /// The number of exchanges between two places at which a change ends.
  private static let stride = Thoroughness.isThorough ? 1 : 4

  private static func operation(_ name: String) -> TransportRequest {
    TransportRequest(
      .operation(index: "one"),
      body: Array(#"{"operation":"\#(name)","destination":"other"}"#.utf8))
  }

  private static func settings(_ index: String, _ facet: String) -> TransportRequest {
    TransportRequest(
      .setSettings(index: index), body: Array(#"{"attributesForFaceting":["\#(facet)"]}"#.utf8))
  }

  private func transport(
    _ clock: ManualClock, _ exchange: @escaping HTTPExchange
  ) -> TypesenseTransport {
    TypesenseTransport(
      nodes: [SearchHost("node.example")], apiKey: "key",
      configuration: .patient(clock, propagation: .seconds(1), exchange: exchange))
  }

  private func fill(_ transport: TypesenseTransport) async throws {
    for (index, ids) in [("one", Self.one), ("other", Self.other)] {
      let requests = ids.sorted().map { #"{"action":"addObject","body":{"objectID":"\#($0)"}}"# }
      let response = try await transport.send(
        TransportRequest(
          .batch(index: index),
          body: Array(#"{"requests":[\#(requests.joined(separator: ","))]}"#.utf8)))
      expectEqual(response.status, 200)
    }
  }

  private func contents(_ transport: TypesenseTransport) async throws -> Contents {
    func ids(_ index: String) async throws -> Set<String>? {
      let response = try await transport.send(
        TransportRequest(.browse(index: index), body: Array("{}".utf8)))
      if response.status == 404 { return nil }
      expectEqual(response.status, 200, "\(String(decoding: response.body, as: UTF8.self))")
      let hits = try JSON(parsing: response.body)["hits"]?.arrayValue ?? []
      return Set(hits.compactMap { $0["objectID"]?.stringValue })
    }
    return Contents(one: try await ids("one"), other: try await ids("other"))
  }

  @Test(
    "A program that ends within a change loses nothing, whatever comes next",
    arguments: 0..<changes.count)
  func endings(number: Int) async throws {
    let change = Self.changes[number]
    // Both before and after the server does what was asked for.
    for isDone in [false, true] {
      var count = isDone ? Self.stride / 2 : 0
      while try await end(change, after: count, isDone: isDone) { count += Self.stride }
      #expect(count > 3, "\(change)")
    }
  }

  /// Ends a program after some exchanges of a change, goes on with other changes, and returns
  /// whether the change was interrupted.
  private func end(_ change: Change, after count: Int, isDone: Bool) async throws -> Bool {
    var generator = SeededGenerator(seed: UInt64(count))
    let wish = [nil, "one", "other"][Int.random(in: 0..<3, using: &generator)]
    let (clock, server, sent) = (ManualClock(), FakeServer(), Gate())
    let well = transport(clock) { try await server.answer($0) }
    return try await clock.advancing {
      try await fill(well)
      let ending = transport(clock) { request in
        let number = sent.next()
        if number < count { return try await server.answer(request) }
        if isDone, number == count { _ = try await server.answer(request) }
        throw SearchError(.invalidRequest, "The program has ended.")
      }
      let response = try? await ending.send(change.request)
      let allowed = [Self.start, change.result] + change.between
      let found = try await contents(well)
      // A change of the settings of an index that is gone would create it.
      let follower = wish == "one" && found.one == nil || found.other == nil ? nil : wish
      let place = "\(change) after \(count), \(isDone), then \(follower ?? "nothing")"
      #expect(allowed.contains(found), "\(place)")
      if let follower {
        let next = try await well.send(Self.settings(follower, "size"))
        #expect([200, 409].contains(next.status), "\(place)")
        try await #expect(allowed.contains(contents(well)), "\(place)")
      }
      let isOver = try await contents(well).one == nil && change.description == "move"
      let again = try await well.send(change.request)
      expectEqual(again.status, isOver ? 404 : 200, "\(place)")
      try await expectEqual(contents(well), change.result, "\(place)")
      // Also with the next change of either index.
      for index in ["one", "other"] {
        _ = try await well.send(Self.settings(index, "weight"))
      }
      let last = try await contents(well)
      expectEqual(last.one ?? [], change.result.one ?? [], "\(place)")
      expectEqual(last.other ?? [], change.result.other ?? [], "\(place)")
      return response == nil
    }
  }

  @Test(
    "A call ends by its deadline and when it is cancelled, although the node hangs",
    arguments: 0..<changes.count)
  func hanging(number: Int) async throws {
    let change = Self.changes[number]
    for isCancelled in [false, true] {
      var count = isCancelled ? Self.stride / 2 : 0
      while try await hang(change, after: count, isCancelled: isCancelled) { count += Self.stride }
      #expect(count > 3, "\(change)")
    }
  }

  /// Makes a change with a node that does not answer after some exchanges, and returns whether
  /// there were as many.
  private func hang(_ change: Change, after count: Int, isCancelled: Bool) async throws -> Bool {
    let (clock, server) = (ManualClock(), FakeServer())
    let (sent, never) = (Gate(), ManualClock())
    let task = Lock<Task<TransportResponse, any Error>?>(nil)
    return try await clock.advancing(step: .milliseconds(20)) {
      try await fill(transport(clock) { try await server.answer($0) })
      let start = clock.now
      let hanging = transport(clock) { request in
        if sent.next() < count { return try await server.answer(request) }
        if isCancelled { task.withLock { $0?.cancel() } }
        try await never.sleep(for: .seconds(1))
        return HTTPExchangeResponse(status: 500)
      }
      var request = change.request
      if !isCancelled { request.deadline = Deadline(after: .seconds(5), clock: clock) }
      let sending = Task { try await hanging.send(request) }
      task.withLock { $0 = sending }
      // It may have begun before.
      if isCancelled, sent.count > count { sending.cancel() }
      let result = await sending.result
      if !isCancelled {
        #expect(start.duration(to: clock.now) < .seconds(15), "\(change) \(count)")
      }
      return (try? result.get()) == nil
    }
  }

  /// Counts exchanges.
  private final class Gate: Sendable {
    private let number = Lock(0)

    var count: Int { number.withLock { $0 } }

    func next() -> Int {
      number.withLock {
        $0 += 1
        return $0 - 1
      }
    }
  }

  @Test("Changes of settings at the same time are all made, also after an abandoned lock")
  func settingsAtOnce() async throws {
    for seed in 0..<Thoroughness.count(2, thorough: 20) {
      let isAbandoned = seed % 4 == 0
      let (clock, server) = (ManualClock(), FakeServer())
      let generator = Lock(SeededGenerator(seed: UInt64(seed)))
      let transports = (0..<5).map { _ in
        transport(clock) { request in
          let count = generator.withLock { Int.random(in: 0..<30, using: &$0) }
          for _ in 0..<count { await Task.yield() }
          try Task.checkCancellation()
          return try await server.answer(request)
        }
      }
      try await clock.advancing(step: .milliseconds(20)) {
        try await fill(transports[0])
        if isAbandoned { try await lock("one", server) }
        let members = [
          #""hitsPerPage":7"#, #""maxValuesPerFacet":9"#, #""paginationLimitedTo":50"#,
          #""attributesForFaceting":["color"]"#, #""customRanking":["desc(size)"]"#,
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (transport, member) in zip(transports, members) {
            group.addTask {
              let response = try await transport.send(
                TransportRequest(.setSettings(index: "one"), body: Array("{\(member)}".utf8)))
              expectEqual(response.status, 200, "\(String(decoding: response.body, as: UTF8.self))")
            }
          }
          try await group.waitForAll()
        }
        let settings = try await transports[0].send(TransportRequest(.settings(index: "one")))
        let text = String(decoding: settings.body, as: UTF8.self)
        for member in members { #expect(text.contains(member), "\(seed) \(member) \(text)") }
        try await expectEqual(contents(transports[0]), Self.start)
      }
    }
  }

  /// A lock whose program has ended.
  private func lock(_ index: String, _ server: FakeServer) async throws {
    let directory = await server.names.first { !$0.contains("~") } ?? ""
    let lock: JSON = [
      "id": .string(IndexDescription.id(of: index) + "-lock"), "kind": "lock", "version": "0",
    ]
    _ = try await server.answer(
      HTTPExchangeRequest(
        method: .post, url: "https://node.example/collections/\(directory)/documents?action=create",
        headers: [], body: Array(lock.text.utf8), timeout: .seconds(1)))
  }
}
