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

  // MARK: Locks

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
      if request.url.contains("/import") {
        times.withLock { $0["copied"] = clock.now }
      } else if request.url.contains("action=upsert") {
        times.withLock { $0["used"] = clock.now }
      }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      // The program ends the call before it removes marks.
      let rest = TransportRequest(
        .setSettings(index: "one"), body: Array(Self.facets.utf8),
        deadline: Deadline(after: .seconds(60), clock: clock))
      expectEqual(try await rebuilding.send(rest).status, 200)
      let (copied, used) = times.withLock { ($0["copied"], $0["used"]) }
      #expect(copied.flatMap { copied in used.map { copied.duration(to: $0) } } ?? .zero > .seconds(1))
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
