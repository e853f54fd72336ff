import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

/// Two programs, one of which works in the midst of a call of the other.
struct InterleavingTests {
  let clock = ManualClock()
  let server = FakeServer()

  func transport(_ exchange: HTTPExchange? = nil) -> TypesenseTransport {
    let server = server
    return TypesenseTransport(
      nodes: [SearchHost("node.example")], apiKey: "key",
      configuration: .patient(
        clock, propagation: .seconds(1), exchange: exchange ?? { try await server.answer($0) }))
  }

  /// Places that programs have reached.
  final class Places: Sendable {
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

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @discardableResult
  func send(
    _ endpoint: Endpoint, _ body: String = "", with transport: TypesenseTransport,
    status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let response = try await transport.send(TransportRequest(endpoint, body: Array(body.utf8)))
    let text = Self.text(response.body)
    expectEqual(response.status, status, "\(text)", sourceLocation: sourceLocation)
    return text
  }

  func fill(_ index: String, _ ids: [String], with transport: TypesenseTransport)
    async throws
  {
    let requests = ids.map {
      #"{"action":"addObject","body":{"objectID":"\#($0)","color":"\#($0)"}}"#
    }
    try await send(
      .batch(index: index), #"{"requests":[\#(requests.joined(separator: ","))]}"#, with: transport)
  }

  func ids(_ index: String, with transport: TypesenseTransport) async throws -> [String] {
    let text = try await send(.browse(index: index), "{}", with: transport)
    let hits = try JSON(parsing: Array(text.utf8))["hits"]?.arrayValue ?? []
    return hits.compactMap { $0["objectID"]?.stringValue }.sorted()
  }

  static let facets = #"{"attributesForFaceting":["color"]}"#
  static let moreFacets = #"{"attributesForFaceting":["color","size"]}"#

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
      await expectEqual(server.markCount, 0)
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
  func beginMove() async throws {
    let (server, places) = (server, Places())
    let ending = transport { request in
      if places.contains("begun") { throw SearchError(.invalidRequest, "The program has ended.") }
      if Self.text(request.body).contains("movingTo") { places.reach("begun") }
      return try await server.answer(request)
    }
    _ = try? await send(.operation(index: "one"), Self.move, with: ending)
    #expect(places.contains("begun"))
  }

  static let move = #"{"operation":"move","destination":"other"}"#

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
}
