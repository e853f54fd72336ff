import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

/// Two programs, one of which works in the midst of a call of the other.
struct InterleavingTests {
  private let clock = ManualClock()
  private let server = FakeServer()

  private func transport(_ exchange: HTTPExchange? = nil) -> TypesenseTransport {
    let server = server
    return TypesenseTransport(
      nodes: [SearchHost("node.example")], apiKey: "key",
      configuration: .patient(
        clock, propagation: .seconds(1), exchange: exchange ?? { try await server.answer($0) }))
  }

  /// Places that programs have reached.
  private final class Places: Sendable {
    private let reached = Lock<Set<String>>([])

    func contains(_ place: String) -> Bool { reached.withLock { $0.contains(place) } }

    /// Returns whether the place is reached for the first time.
    @discardableResult
    func reach(_ place: String) -> Bool { reached.withLock { $0.insert(place).inserted } }

    func wait(for places: String...) async throws {
      while !reached.withLock({ !$0.isDisjoint(with: places) }) {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @discardableResult
  private func send(
    _ endpoint: Endpoint, _ body: String = "", with transport: TypesenseTransport,
    status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let response = try await transport.send(TransportRequest(endpoint, body: Array(body.utf8)))
    let text = Self.text(response.body)
    expectEqual(response.status, status, "\(text)", sourceLocation: sourceLocation)
    return text
  }

  private func fill(_ index: String, _ ids: [String], with transport: TypesenseTransport)
    async throws
  {
    let requests = ids.map {
      #"{"action":"addObject","body":{"objectID":"\#($0)","color":"\#($0)"}}"#
    }
    try await send(
      .batch(index: index), #"{"requests":[\#(requests.joined(separator: ","))]}"#, with: transport)
  }

  private func ids(_ index: String, with transport: TypesenseTransport) async throws -> [String] {
    let text = try await send(.browse(index: index), "{}", with: transport)
    let hits = try JSON(parsing: Array(text.utf8))["hits"]?.arrayValue ?? []
    return hits.compactMap { $0["objectID"]?.stringValue }.sorted()
  }

  private static let facets = #"{"attributesForFaceting":["color"]}"#
  private static let moreFacets = #"{"attributesForFaceting":["color","size"]}"#

  // MARK: Deletions by a filter

  @Test("Records that a filter deletes during a change of settings stay deleted")
  func deletionDuringRebuild() async throws {
    let (server, places, other) = (server, Places(), transport())
    let rebuilding = transport { request in
      let response = try await server.answer(request)
      if request.url.contains("/import") {
        places.reach("copied")
        try await places.wait(for: "deleted")
      }
      return response
    }
    let deleting = transport { request in
      if request.method == .delete, places.reach("found") {
        try await places.wait(for: "copied", "failed")
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      try await fill("one", ["a", "b"], with: other)
      async let change: Void = {
        try await places.wait(for: "found")
        defer { places.reach("failed") }
        try await send(.setSettings(index: "one"), Self.moreFacets, with: rebuilding)
      }()
      try await send(.deleteBy(index: "one"), #"{"filters":"color:a"}"#, with: deleting)
      places.reach("deleted")
      try await change
      try await expectEqual(ids("one", with: other), ["b"])
      #expect(await server.markCount == 0)
    }
  }

  @Test("A filter deletes by the settings that the index has now")
  func deletionBySettings() async throws {
    let (deleting, other) = (transport(), transport())
    try await clock.advancing {
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      try await fill("one", ["a", "b"], with: other)
      // The collection stays the same.
      try await send(.setSettings(index: "one"), #"{"attributesForFaceting":[]}"#, with: other)
      _ = try await ids("one", with: deleting)
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      try await send(.deleteBy(index: "one"), #"{"filters":"color:a"}"#, with: deleting)
      try await expectEqual(ids("one", with: other), ["b"])
    }
  }

  // MARK: Moves

  /// A program that ends after it has said where the index one moves to.
  private func beginMove() async throws {
    let (server, places) = (server, Places())
    let ending = transport { request in
      if places.contains("begun") { throw SearchError(.invalidRequest, "The program has ended.") }
      if Self.text(request.body).contains("movingTo") { places.reach("begun") }
      return try await server.answer(request)
    }
    _ = try? await send(.operation(index: "one"), Self.move, with: ending)
    #expect(places.contains("begun"))
  }

  private static let move = #"{"operation":"move","destination":"other"}"#

  @Test("A program that has seen an index on its way to another name can write it anew")
  func writeAfterMove() async throws {
    let (writing, other) = (transport(), transport())
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await beginMove()
      try await send(.settings(index: "one"), with: writing)
      try await send(.operation(index: "one"), Self.move, with: other)
      try await fill("one", ["c"], with: writing)
      try await expectEqual(ids("one", with: other), ["c"])
      try await expectEqual(ids("other", with: other), ["a"])
    }
  }

  @Test("An index whose move has become impossible can be written")
  func writeWithoutMove() async throws {
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await fill("other", ["b"], with: other)
      try await beginMove()
      try await send(.setSettings(index: "primary"), #"{"replicas":["other"]}"#, with: other)
      try await fill("one", ["c"], with: other)
      try await expectEqual(ids("one", with: other), ["a", "c"])
    }
  }

  @Test("A program that knows an index only before its move writes nothing into the destination")
  func staleWriter() async throws {
    let (deleting, writing, updating, other) = (
      transport(), transport(), transport(), transport()
    )
    try await clock.advancing {
      try await fill("one", ["a", "b"], with: other)
      for transport in [deleting, writing, updating] { _ = try await ids("one", with: transport) }
      try await send(.operation(index: "one"), Self.move, with: other)
      try await send(.deleteObject(index: "one", objectID: "a"), with: deleting)
      try await send(
        .partialUpdate(index: "one", objectID: "b"), #"{"size":1}"#,
        with: updating)
      try await fill("one", ["c"], with: writing)
      try await expectEqual(ids("one", with: other), ["b", "c"])
      try await expectEqual(ids("other", with: other), ["a", "b"])
      let record = try await send(.getObject(index: "other", objectID: "b"), with: other)
      #expect(!record.contains("size"))
    }
  }

  @Test("Indices that move into each other at the same time stay usable")
  func oppositeMoves() async throws {
    let indices = ["one", "other", "third"]
    for count in 2...3 {
      for seed in 0..<Thoroughness.count(3, thorough: 30) {
        let server = FakeServer()
        let generator = Lock(SeededGenerator(seed: UInt64(seed)))
        // A program may end in between.
        let end = seed % 3 == 0 ? Int.max : seed % 40
        let transports = (0..<count).map { _ in
          let sent = Lock(0)
          return transport { request in
            let pause = generator.withLock { Int.random(in: 0..<30, using: &$0) }
            for _ in 0..<pause { await Task.yield() }
            let number = sent.withLock {
              $0 += 1
              return $0
            }
            if number > end { throw SearchError(.invalidRequest, "The program has ended.") }
            return try await server.answer(request)
          }
        }
        let other = transport { try await server.answer($0) }
        try await clock.advancing(step: .milliseconds(20)) {
          for index in indices { try await fill(index, [index], with: other) }
          let statuses = await withTaskGroup { group in
            for (number, transport) in transports.enumerated() {
              let body = #"{"operation":"move","destination":"\#(indices[(number + 1) % count])"}"#
              let request = TransportRequest(
                .operation(index: indices[number]), body: Array(body.utf8))
              group.addTask {
                let status = try? await transport.send(request).status
                // The index has just been moved away.
                return status == 409 ? try? await transport.send(request).status : status
              }
            }
            return await group.reduce(into: []) { $0.append($1) }
          }
          // One after the other, so the second moves what the first has moved.
          if end == .max { #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)") }
          // Each of them can be changed and written, if not at once, then with the next call.
          for index in indices {
            let request = TransportRequest(
              .setSettings(index: index), body: Array(#"{"hitsPerPage":7}"#.utf8))
            let status = try await other.send(request).status
            if status == 409 { expectEqual(try await other.send(request).status, 200) }
            try await fill(index, ["new"], with: other)
            try await #expect(ids(index, with: other).contains("new"), "\(count) \(seed) \(index)")
          }
          let names = await server.names.filter { $0.contains("~") }
          if end == .max { expectEqual(names.count, 3, "\(count) \(seed) \(names)") }
        }
      }
    }
  }

  // MARK: Locks

  @Test("Calls with early deadlines take an abandoned lock over too")
  func abandonedLock() async throws {
    let (server, places, other) = (server, Places(), transport())
    let ending = transport { request in
      if places.contains("locked") { throw SearchError(.invalidRequest, "The program has ended.") }
      let response = try await server.answer(request)
      if Self.text(request.body).contains("-lock") { places.reach("locked") }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      var request = TransportRequest(
        .setSettings(index: "one"), body: Array(#"{"hitsPerPage":7}"#.utf8))
      _ = try? await ending.send(request)
      var isChanged = false
      for _ in 0..<12 where !isChanged {
        request.deadline = Deadline(after: .seconds(10), clock: clock)
        isChanged = (try? await other.send(request)) != nil
      }
      #expect(isChanged)
    }
  }

  @Test(
    "A change outlasts an outage that is longer than a lock holds", arguments: ["lock", "change"])
  func outage(place: String) async throws {
    let (server, clock, other) = (server, clock, transport())
    let begin = Lock<ManualClock.Instant?>(nil)
    let changing = transport { request in
      let text = Self.text(request.body)
      let isHere = place == "lock" ? text.contains("-lock") : text.contains("hitsPerPage")
      if isHere, request.url.contains("action=") {
        begin.withLock { $0 = $0 ?? clock.now }
      }
      if let begin = begin.withLock({ $0 }), begin.duration(to: clock.now) < .seconds(40) {
        return HTTPExchangeResponse(status: 503, body: Array(#"{"message":"Not ready"}"#.utf8))
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), #"{"hitsPerPage":7}"#, with: changing)
    }
  }

  @Test("A cancelled deletion leaves no collection")
  func cancelledDeletion() async throws {
    let (server, clock, other) = (server, clock, transport())
    let task = Lock<Task<TransportResponse, any Error>?>(nil)
    let cancelled = transport { request in
      let response = try await server.answer(request)
      if request.method == .delete { task.withLock { $0?.cancel() } }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let deletion = Task { try await cancelled.send(TransportRequest(.deleteIndex(index: "one"))) }
      task.withLock { $0 = deletion }
      _ = await deletion.result
      try await clock.sleep(for: .seconds(100))
      await expectEqual(server.names.filter { $0.contains("~") }, [])
    }
  }

  @Test("A description that is too large is refused before anything is written")
  func largeDescription() async throws {
    let other = transport()
    let text = String(repeating: "x", count: 190_000)
    func rule(_ id: String) -> String {
      #"{"objectID":"\#(id)","description":"\#(text)","conditions":[{"pattern":"q","anchoring":"is"}],"#
        + #""consequence":{"promote":[{"objectID":"a","position":0}]}}"#
    }
    let rules = (0..<22).map { rule(String($0)) }
    let synonym = #"{"objectID":"s","type":"synonym","synonyms":["\#(text.prefix(50_000))","b"]}"#
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(
        .rules(index: "one", .batch), "[\(rules.joined(separator: ","))]", with: other)
      try await send(
        .rules(index: "one", .save(objectID: "more")), rule("more"), with: other, status: 400)
      #expect(await !server.documentIDs.contains { $0.hasSuffix("-lock") })
      try await send(
        .synonyms(index: "one", .save(objectID: "s")), synonym, with: other, status: 400)
      #expect(await server.synonymIDs.isEmpty)
    }
  }

  @Test("A change that a node makes late does not replace another one")
  func lateChange() async throws {
    let (server, places, other) = (server, Places(), transport())
    let late = Lock<HTTPExchangeRequest?>(nil)
    @Sendable func isChange(_ request: HTTPExchangeRequest) -> Bool {
      request.url.contains("action=upsert") && Self.text(request.body).contains("hitsPerPage")
    }
    let slow = transport { request in
      if isChange(request), places.reach("sent") {
        late.withLock { $0 = request }
        throw HTTPExchangeError.timedOut
      }
      return try await server.answer(request)
    }
    let waiting = transport { request in
      let response = try await server.answer(request)
      if request.url.contains("action=create"), response.status == 409 { places.reach("waits") }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), #"{"hitsPerPage":7}"#, with: slow)
      async let change: Void = {
        defer { places.reach("waits") }
        try await send(.setSettings(index: "one"), #"{"maxValuesPerFacet":9}"#, with: waiting)
      }()
      try await places.wait(for: "waits")
      if let request = late.withLock({ $0 }) { _ = try await server.answer(request) }
      try await change
      let settings = try await send(.settings(index: "one"), with: other)
      #expect(settings.contains(#""hitsPerPage":7"#) && settings.contains(#""maxValuesPerFacet":9"#))
    }
  }

  @Test("A leader that does not show the last writes yet decides no change")
  func lateLeader() async throws {
    let (server, other) = (server, transport())
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let (old, places) = (await FakeServer(copying: server), Places())
      try await send(.setSettings(index: "one"), #"{"hitsPerPage":7}"#, with: other)
      let changing = transport { request in
        guard request.url.contains("/multi_search"), !places.contains("shown") else {
          return try await server.answer(request)
        }
        if Self.text(request.body).contains("-lock") { places.reach("shown") }
        return try await old.answer(request)
      }
      try await send(.setSettings(index: "one"), #"{"maxValuesPerFacet":9}"#, with: changing)
      let settings = try await send(.settings(index: "one"), with: other)
      #expect(settings.contains(#""hitsPerPage":7"#) && settings.contains(#""maxValuesPerFacet":9"#))
    }
  }

  @Test("A partial update keeps what a leader does not show yet")
  func lateRecord() async throws {
    let (server, other) = (server, transport())
    let update = Endpoint.partialUpdate(index: "one", objectID: "a")
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let (old, places) = (await FakeServer(copying: server), Places())
      try await send(update, #"{"size":1}"#, with: other)
      let updating = transport { request in
        // It makes the writes before it answers another one.
        if request.method == .delete { places.reach("written") }
        let isRead = request.url.contains("/multi_search")
        return try await (isRead && !places.contains("written") ? old : server).answer(request)
      }
      try await send(update, #"{"weight":2}"#, with: updating)
      let record = try await send(.getObject(index: "one", objectID: "a"), with: other)
      #expect(record.contains(#""size":1"#) && record.contains(#""weight":2"#))
    }
  }

  @Test("A new collection is used when every node shows what was copied")
  func waitsForCopy() async throws {
    let (server, clock, other) = (server, clock, transport())
    let times = Lock<[String: ManualClock.Instant]>([:])
    let rebuilding = transport { request in
      let response = try await server.answer(request)
      times.withLock {
        if request.url.contains("/import") {
          $0["copied"] = clock.now
        } else if $0["copied"] != nil, $0["used"] == nil, request.url.contains("action=upsert") {
          $0["used"] = clock.now
        }
      }
      return response
    }
    // Every exchange takes a step.
    try await clock.advancing(step: .milliseconds(5)) {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), Self.facets, with: rebuilding)
      let (copied, used) = times.withLock { ($0["copied"], $0["used"]) }
      try #expect(#require(copied).duration(to: #require(used)) >= .seconds(1))
    }
  }

  // MARK: Synonyms

  @Test("A program that ends within a change of synonyms takes no others away")
  func synonymsAtOnce() async throws {
    let (server, places, other) = (server, Places(), transport())
    @Sendable func synonym(_ id: String) -> String {
      #"{"objectID":"\#(id)","type":"synonym","synonyms":["a\#(id)","b\#(id)"]}"#
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let ending = transport { request in
        if places.contains("sent") { throw SearchError(.invalidRequest, "The program has ended.") }
        if request.url.contains("/synonyms"), places.reach("begun") {
          try await send(
            .synonyms(index: "one", .save(objectID: "s1")), synonym("s1"), with: other)
        }
        if request.url.contains("action=create") { places.reach("sent") }
        return try await server.answer(request)
      }
      _ = try? await send(.synonyms(index: "one", .save(objectID: "s2")), synonym("s2"), with: ending)
      #expect(await server.synonymIDs.contains(DocumentID.text(of: "s1")))
      try await send(.synonyms(index: "one", .save(objectID: "s3")), synonym("s3"), with: other)
      await expectEqual(server.synonymIDs, Set(["s1", "s3"].map(DocumentID.text)))
    }
  }

  @Test("Synonyms can be saved although a collection that was being filled is gone")
  func synonymsWithoutNext() async throws {
    let (server, places, other) = (server, Places(), transport())
    let ending = transport { request in
      if places.contains("begun") { throw SearchError(.invalidRequest, "The program has ended.") }
      if Self.text(request.body).contains(#"\"next\""#) { places.reach("begun") }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let before = await server.names
      _ = try? await send(.setSettings(index: "one"), Self.facets, with: ending)
      for name in await server.names.subtracting(before) {
        _ = try await server.answer(
          HTTPExchangeRequest(
            method: .delete, url: "https://node.example/collections/\(name)", headers: [],
            body: [], timeout: .seconds(1)))
      }
      try await send(
        .synonyms(index: "one", .save(objectID: "s")),
        #"{"objectID":"s","type":"synonym","synonyms":["a","b"]}"#, with: other)
    }
  }

  // MARK: Collections

  @Test("The old collection goes also if the index goes before")
  func oldCollection() async throws {
    let (server, places, other) = (server, Places(), transport())
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let rebuilding = transport { request in
        let response = try await server.answer(request)
        if Self.text(request.body).contains("hasMarks") { places.reach("used") }
        return response
      }
      async let deletion: Void = {
        try await places.wait(for: "used", "failed")
        try await send(.deleteIndex(index: "one"), with: other)
      }()
      do {
        defer { places.reach("failed") }
        try await send(.setSettings(index: "one"), Self.facets, with: rebuilding)
      }
      try await deletion
      #expect(places.contains("used"))
      await expectEqual(server.names.filter { $0.contains("~") }, [])
    }
  }
}
