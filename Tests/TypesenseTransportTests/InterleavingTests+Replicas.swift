import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

// Replicas that change while other calls go on, or after a program has ended.
extension InterleavingTests {
  @Test("A replica that has become an index keeps its records, though its program has ended")
  func halfReleased() async throws {
    let (server, places, other) = (server, Places(), transport())
    let ending = transport { request in
      if places.contains("released") {
        throw SearchError(.invalidRequest, "The program has ended.")
      }
      let text = Self.text(request.body)
      let response = try await server.answer(request)
      if request.url.contains("/documents?action=upsert"),
        text.contains("r1~") || text.contains("r2~")
      {
        places.reach("released")
      }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), #"{"replicas":["r1","r2"]}"#, with: other)
      _ = try? await send(.setSettings(index: "one"), #"{"replicas":[]}"#, with: ending)
      #expect(places.contains("released"))
      var free: [String] = []
      for name in ["r1", "r2"] {
        let body = #"{"requests":[{"action":"addObject","body":{"objectID":"new"}}]}"#
        let response = try await other.send(
          TransportRequest(.batch(index: name), body: Array(body.utf8)))
        if response.status == 200 { free.append(name) }
      }
      expectEqual(free.count, 1)
      try await send(.setSettings(index: "one"), #"{"hitsPerPage":7}"#, with: other)
      try await expectEqual(ids(free[0], with: other), ["a", "new"])
      // The call can be made again.
      try await send(.setSettings(index: "one"), #"{"replicas":[]}"#, with: other)
      for name in ["r1", "r2"] { try await fill(name, ["more"], with: other) }
      try await expectEqual(ids(free[0], with: other), ["a", "more", "new"])
    }
  }

  @Test("A move gives a replica of its destination what new settings of that need")
  func replicaDuringMove() async throws {
    let (server, places, other) = (server, Places(), transport())
    let moving = transport { request in
      let response = try await server.answer(request)
      if request.url.contains("/import"), places.reach("copied") {
        try await send(.setSettings(index: "replica"), Self.facets, with: other)
      }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await fill("other", ["b"], with: other)
      try await send(.setSettings(index: "other"), #"{"replicas":["replica"]}"#, with: other)
      try await send(.operation(index: "one"), Self.move, with: moving)
      #expect(places.contains("copied"))
      let text = try await send(
        .search(index: "replica"), #"{"filters":"color:a"}"#, with: other)
      #expect(text.contains(#""objectID":"a""#))
    }
  }
}
