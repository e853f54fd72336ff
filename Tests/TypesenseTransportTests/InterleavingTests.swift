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

  func transport(
    _ nodes: [String] = ["node.example"], _ exchange: HTTPExchange? = nil
  ) -> TypesenseTransport {
    let server = server
    return TypesenseTransport(
      nodes: nodes.map { SearchHost($0) }, apiKey: "key",
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

  /// A program that ends after a request whose body has a text. Its places have that text then.
  func transport(endingAfter text: String) -> (TypesenseTransport, Places) {
    let (server, places) = (server, Places())
    let ending = transport { request in
      if places.contains(text) { throw SearchError(.invalidRequest, "The program has ended.") }
      if Self.text(request.body).contains(text) { places.reach(text) }
      return try await server.answer(request)
    }
    return (ending, places)
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

  /// Deletes a record of the index one by a filter. It gets another collection when the record is
  /// found, and uses that when the record is deleted.
  ///
  /// - Parameter onMark: Done before the first mark of a deleted record is in that collection.
  private func deleteDuringRebuild(
    _ ids: [String], with other: TypesenseTransport,
    onMark: @escaping @Sendable () async throws -> Void = {}
  ) async throws {
    let (server, places) = (server, Places())
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
      if request.url.contains("/import"), places.reach("marks") { try await onMark() }
      return try await server.answer(request)
    }
    try await send(.setSettings(index: "one"), Self.facets, with: other)
    try await fill("one", ids, with: other)
    async let change: Void = {
      try await places.wait(for: "found")
      defer { places.reach("failed") }
      try await send(.setSettings(index: "one"), Self.moreFacets, with: rebuilding)
    }()
    try await send(.deleteBy(index: "one"), #"{"filters":"color:a"}"#, with: deleting)
    places.reach("deleted")
    try await change
    #expect(places.contains("marks"))
  }

  @Test("Records that a filter deletes during a change of settings stay deleted")
  func deletionDuringRebuild() async throws {
    let (server, other) = (server, transport())
    try await clock.advancing {
      try await deleteDuringRebuild(["a", "b"], with: other)
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

  @Test("What is saved while a filter deletes again stays")
  func saveDuringDeletion() async throws {
    let (saving, other) = (transport(), transport())
    try await clock.advancing {
      try await deleteDuringRebuild(["a", "c"], with: other) {
        let body = #"{"action":"addObject","body":{"objectID":"a","color":"b"}}"#
        try await send(.batch(index: "one"), #"{"requests":[\#(body)]}"#, with: saving)
      }
      try await expectEqual(ids("one", with: other), ["a", "c"])
    }
  }

  // MARK: Writes

  @Test("A record that is written while a new leader does not show the settings yet is copied")
  func writeWithOldLeader() async throws {
    let (server, places, other) = (server, Places(), transport())
    try await clock.advancing {
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      try await fill("one", ["a"], with: other)
      let behind = await FakeServer(copying: server)
      // It makes earlier writes of a collection before it answers another one.
      let writing = transport { request in
        let isRead = request.url.contains("/multi_search")
        return try await (isRead && !places.contains("shown") ? behind : server).answer(request)
      }
      _ = try await ids("one", with: writing)
      let rebuilding = transport { request in
        if request.method == .delete, request.url.contains("filter_by=id%3A%3D0"),
          request.url.contains("instantsearch_indices")
        {
          places.reach("shown")
        }
        let response = try await server.answer(request)
        if request.url.contains("/import"), places.reach("copied") {
          try await fill("one", ["w"], with: writing)
        }
        return response
      }
      try await send(.setSettings(index: "one"), Self.moreFacets, with: rebuilding)
      #expect(places.contains("copied"))
      try await expectEqual(ids("one", with: other), ["a", "w"])
    }
  }
}
