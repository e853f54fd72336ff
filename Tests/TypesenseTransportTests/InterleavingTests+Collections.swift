import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

// What belongs to an index and is kept beside its description.
extension InterleavingTests {
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
      _ = try? await send(
        .synonyms(index: "one", .save(objectID: "s2")), synonym("s2"), with: ending)
      #expect(await server.synonymIDs.contains(DocumentID.text(of: "s1")))
      try await send(.synonyms(index: "one", .save(objectID: "s3")), synonym("s3"), with: other)
      await expectEqual(server.synonymIDs, Set(["s1", "s3"].map(DocumentID.text)))
    }
  }

  @Test("Synonyms can be saved although a collection that was being filled is gone")
  func synonymsWithoutNext() async throws {
    let (ending, _) = transport(endingAfter: #"\"next\""#)
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      let before = await server.names
      _ = try? await send(.setSettings(index: "one"), Self.facets, with: ending)
      for name in await server.names.subtracting(before) { try await delete(name) }
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

  @Test("An index whose collection is gone says so, and can be cleared")
  func goneCollection() async throws {
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      for name in await server.names where name.contains("~") { try await delete(name) }
      for endpoint in [Endpoint.search(index: "one"), .browse(index: "one")] {
        let text = try await send(endpoint, "{}", with: other, status: 503)
        #expect(text.contains("is gone from the cluster"))
      }
      try await send(.clear(index: "one"), with: other)
      try await fill("one", ["b"], with: other)
      try await expectEqual(ids("one", with: other), ["b"])
    }
  }

  private func delete(_ collection: String) async throws {
    _ = try await server.answer(
      HTTPExchangeRequest(
        method: .delete, url: "https://node.example/collections/\(collection)", headers: [],
        body: [], timeout: .seconds(1)))
  }
}
