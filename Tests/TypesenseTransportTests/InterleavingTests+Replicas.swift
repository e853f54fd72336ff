import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

// Replicas that change while other calls go on, or after a program has ended.
extension InterleavingTests {
  /// A program that ends after it has made an index of one replica. Its places have that then.
  private func releasing() -> (TypesenseTransport, Places) {
    let (server, places) = (server, Places())
    let ending = transport { request in
      if places.contains("released") {
        throw SearchError(.invalidRequest, "The program has ended.")
      }
      let response = try await server.answer(request)
      if request.url.contains("/documents?action=upsert"),
        Self.text(request.body).contains("r1~")
          || Self.text(request.body).contains("r2~")
      {
        places.reach("released")
      }
      return response
    }
    return (ending, places)
  }

  @Test("A replica that has become an index keeps its records, though its program has ended")
  func halfReleased() async throws {
    let (other, (ending, places)) = (transport(), releasing())
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

  @Test("New settings of a replica that has just become an index leave its records")
  func settingsOfReleased() async throws {
    let (server, places, other) = (server, Places(), transport())
    let (ending, endingPlaces) = releasing()
    let changing = transport { request in
      // It has seen a replica.
      if request.url.contains("/multi_search"), !places.reach("read"), places.reach("begun") {
        let body = Array(#"{"replicas":[]}"#.utf8)
        _ = try? await ending.send(TransportRequest(.setSettings(index: "one"), body: body))
        try await fill("r1", ["new"], with: other)
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), #"{"replicas":["r1"]}"#, with: other)
      try await send(.setSettings(index: "r1"), #"{"hitsPerPage":7}"#, with: changing)
      #expect(endingPlaces.contains("released"))
      try await #expect(ids("r1", with: other).contains("new"))
      let settings = try await send(.settings(index: "r1"), with: other)
      #expect(settings.contains(#""hitsPerPage":7"#))
    }
  }

  /// Gives an index another facet when another program has saved it, and not yet its replica.
  ///
  /// - Parameters:
  ///   - change: The index and the settings that the other program gives it.
  ///   - other: The program that gives the facet.
  private func changeSettings(
    during change: (index: String, settings: String), with other: TypesenseTransport
  ) async throws {
    let (server, places) = (server, Places())
    let changing = transport { request in
      if request.url.contains("action=create"), Self.text(request.body).contains("7265706c696361-"),
        places.reach("saved")
      {
        try await send(
          .setSettings(index: "one"), #"{"attributesForFaceting":["size"]}"#, with: other)
      }
      return try await server.answer(request)
    }
    try await send(.setSettings(index: change.index), change.settings, with: changing)
    #expect(places.contains("saved"))
    let text = try await send(.search(index: "replica"), #"{"filters":"color:a"}"#, with: other)
    #expect(text.contains(#""nbHits":1"#), "\(text)")
  }

  @Test("A change of settings during the making of a replica keeps what that needs")
  func settingsDuringReplica() async throws {
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "replica"), Self.facets, with: other)
      try await changeSettings(during: ("one", #"{"replicas":["replica"]}"#), with: other)
    }
  }

  @Test("The words of an index can be divided in another way, with the ones of its replicas")
  func otherWords() async throws {
    let other = transport()
    let words = #"{"customNormalization":{"default":{"ä":"ae"}}}"#
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), words, with: other)
      try await send(
        .setSettings(index: "one"), #"{"replicas":["replica"],"customNormalization":{}}"#,
        with: other)
      try await send(.setSettings(index: "one"), words, with: other, status: 400)
      let request = TransportRequest(
        .setSettings(index: "one"),
        queryItems: [QueryItem(name: "forwardToReplicas", value: "true")], body: Array(words.utf8))
      expectEqual(try await other.send(request).status, 200)
      let settings = try await send(.settings(index: "replica"), with: other)
      #expect(settings.contains("ae"))
    }
  }

  @Test("New settings of a replica last while its index gets another collection")
  func replicaDuringRebuild() async throws {
    let (server, places, other) = (server, Places(), transport())
    let looks = Lock(0)
    let changing = transport { request in
      let count = looks.withLock {
        $0 += 1
        return $0
      }
      // It waits for the other program.
      if count == 30 { places.reach("waits") }
      return try await server.answer(request)
    }
    let rebuilding = transport { request in
      let response = try await server.answer(request)
      if request.url.contains("/import"), places.reach("copied") {
        try await places.wait(for: "waits")
      }
      return response
    }
    try await clock.advancing {
      try await send(.setSettings(index: "one"), Self.facets, with: other)
      try await fill("one", ["a"], with: other)
      try await send(
        .setSettings(index: "one"), #"{"replicas":["replica"],"attributesForFaceting":["color"]}"#,
        with: other)
      try await send(.setSettings(index: "replica"), #"{"attributesForFaceting":[]}"#, with: other)
      async let change: Void = {
        try await places.wait(for: "copied")
        defer { places.reach("waits") }
        try await send(.setSettings(index: "replica"), Self.facets, with: changing)
      }()
      try await send(
        .setSettings(index: "one"), #"{"attributesForFaceting":["size"]}"#, with: rebuilding)
      try await change
      let text = try await send(
        .search(index: "replica"), #"{"filters":"color:a"}"#, with: other)
      #expect(text.contains(#""nbHits":1"#), "\(text)")
    }
  }

  @Test("A change of settings that has not seen new ones of a replica keeps what they need")
  func settingsDuringReplicaSettings() async throws {
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(.setSettings(index: "one"), #"{"replicas":["replica"]}"#, with: other)
      try await changeSettings(during: ("replica", Self.facets), with: other)
    }
  }
}
