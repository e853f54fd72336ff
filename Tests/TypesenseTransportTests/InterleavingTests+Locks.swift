import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

// Changes of descriptions by two programs.
extension InterleavingTests {
  @Test("Calls with early deadlines take an abandoned lock over too")
  func abandonedLock() async throws {
    let (ending, _) = transport(endingAfter: "-lock")
    let other = transport()
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
      #expect(settings.contains(#""hitsPerPage":7"#))
      #expect(settings.contains(#""maxValuesPerFacet":9"#))
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
      #expect(settings.contains(#""hitsPerPage":7"#))
      #expect(settings.contains(#""maxValuesPerFacet":9"#))
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

  @Test("A collection stays if a node may make its index late", arguments: [false, true])
  func lateCollection(isRepeated: Bool) async throws {
    let (server, clock, places, other) = (server, clock, Places(), transport())
    let late = Lock<HTTPExchangeRequest?>(nil)
    let clearing = transport { request in
      let isChange =
        request.url.contains("action=upsert") && Self.text(request.body).contains("one~")
      // The cluster is away for longer than the lock holds.
      if isChange, !places.contains("over") {
        late.withLock { $0 = request }
        try await clock.sleep(for: .seconds(40))
        places.reach("over")
        throw HTTPExchangeError.timedOut
      }
      if places.contains("over"), let request = late.withLock({ $0.take() }) {
        _ = try await server.answer(request)
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      var request = TransportRequest(.clear(index: "one"))
      if !isRepeated { request.deadline = Deadline(after: .seconds(35), clock: clock) }
      _ = try? await clearing.send(request)
      places.reach("over")
      if let request = late.withLock({ $0.take() }) { _ = try await server.answer(request) }
      try await clock.sleep(for: .seconds(200))
      try await expectEqual(ids("one", with: other), [])
      try await fill("one", ["b"], with: other)
    }
  }

  @Test("A copy is read from a node that shows all writes, also if another one leads meanwhile")
  func leaderDuringCopy() async throws {
    let (server, places) = (server, Places())
    let other = transport()
    try await clock.advancing {
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      // More than a page of records.
      try await fill("one", (100..<400).map(String.init), with: other)
      let behind = await FakeServer(copying: server)
      for id in 100..<140 {
        try await send(.deleteObject(index: "one", objectID: String(id)), with: other)
      }
      let copying = transport(["one.example", "two.example"]) { request in
        let isFirst = request.url.contains("one.example")
        if isFirst, places.contains("ended") { throw HTTPExchangeError.network("ended") }
        if request.url.contains("/debug") {
          let state = isFirst || places.contains("ended") ? 1 : 4
          return HTTPExchangeResponse(
            status: 200, body: Array(#"{"state":\#(state),"version":"0.24.1"}"#.utf8))
        }
        // The new leader makes the last writes before it answers one.
        if request.method == .delete, places.contains("ended") { places.reach("shown") }
        let isRead = request.url.contains("/multi_search")
        if !isFirst, isRead, !places.contains("shown") { return try await behind.answer(request) }
        let response = try await server.answer(request)
        if isFirst, request.url.contains("/import") { places.reach("ended") }
        return response
      }
      try await send(.setSettings(index: "one"), Self.moreFacets, with: copying)
      #expect(places.contains("shown"))
      try await expectEqual(ids("one", with: other).count, 260)
    }
  }

  @Test("Locks of several indices are taken over together")
  func abandonedLocks() async throws {
    let (clock, other) = (clock, transport())
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await fill("other", ["b"], with: other)
      try await beginMove()
      let begin = clock.now
      try await fill("one", ["c"], with: other)
      #expect(begin.duration(to: clock.now) < .seconds(80))
    }
  }

  @Test("A call that waits for a lock until its deadline says so")
  func lockedIndex() async throws {
    let (ending, _) = transport(endingAfter: "-lock")
    let (clock, other) = (clock, transport())
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      var request = TransportRequest(
        .setSettings(index: "one"), body: Array(#"{"hitsPerPage":7}"#.utf8))
      _ = try? await ending.send(request)
      request.deadline = Deadline(after: .seconds(10), clock: clock)
      let error = await #expect(throws: SearchError.self) { try await other.send(request) }
      expectEqual(error?.code, .timedOut)
      #expect(error?.message.contains("changing the index one") == true, "\(error?.message ?? "")")
    }
  }
}
