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

  @Test("A program that ends while it takes synonyms away takes no later ones")
  func renewalAtOnce() async throws {
    let (server, places, other) = (server, Places(), transport())
    func save(_ id: String, with transport: TypesenseTransport) async throws {
      try await send(
        .synonyms(index: "one", .save(objectID: id)),
        #"{"objectID":"\#(id)","type":"synonym","synonyms":["a\#(id)","b\#(id)"]}"#,
        with: transport)
    }
    let ending = transport { request in
      if places.contains("ended") { throw SearchError(.invalidRequest, "The program has ended.") }
      guard request.url.contains("/synonyms") else { return try await server.answer(request) }
      let isRenewal = request.method == .get && !places.reach("read")
      if isRenewal { try await places.wait(for: "put") }
      if request.method == .delete { try await places.wait(for: "saved", "waits") }
      let response = try await server.answer(request)
      if isRenewal { places.reach("known") }
      if request.method == .delete { places.reach("ended") }
      return response
    }
    let saving = transport { request in
      let response = try await server.answer(request)
      if request.method == .put {
        places.reach("put")
        try await places.wait(for: "known")
      }
      if request.url.contains("action=create"), response.status == 409 { places.reach("waits") }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      async let first: Void? = try? save("s1", with: ending)
      try await places.wait(for: "read")
      try await save("s2", with: saving)
      places.reach("saved")
      _ = await first
      #expect(places.contains("ended"))
      await expectEqual(server.synonymIDs, Set(["s1", "s2"].map(DocumentID.text)))
    }
  }

  @Test("A synonym is taken away before the call ends, though a node did not answer at first")
  func removedSynonym() async throws {
    let (server, clock, places, other) = (server, clock, Places(), transport())
    let removing = transport { request in
      if request.url.contains("action=upsert"), places.reach("sent") {
        throw HTTPExchangeError.timedOut
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(
        .synonyms(index: "one", .save(objectID: "s")),
        #"{"objectID":"s","type":"synonym","synonyms":["a","b"]}"#, with: other)
      var request = TransportRequest(.synonyms(index: "one", .delete(objectID: "s")))
      request.deadline = Deadline(after: .seconds(25), clock: clock)
      expectEqual(try await removing.send(request).status, 200)
      #expect(places.contains("sent"))
      await expectEqual(server.synonymIDs, [])
    }
  }

  @Test("More synonyms than a lock holds are taken away")
  func manySynonyms() async throws {
    let other = transport()
    let synonyms = (0..<300).map {
      #"{"objectID":"s\#($0)","type":"synonym","synonyms":["a\#($0)","b\#($0)"]}"#
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(
        .synonyms(index: "one", .batch), "[\(synonyms.joined(separator: ","))]", with: other)
      await expectEqual(server.synonymIDs.count, 300)
      try await send(.synonyms(index: "one", .clear), with: other)
      await expectEqual(server.synonymIDs, [])
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

  @Test("A copy of an index whose collection is gone names that index")
  func goneSource() async throws {
    let other = transport()
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      for name in await server.names where name.contains("~") { try await delete(name) }
      try await fill("other", ["b"], with: other)
      let text = try await send(
        .operation(index: "one"), #"{"operation":"copy","destination":"other"}"#, with: other,
        status: 503)
      #expect(text.contains("The collection of the index one is gone"))
      try await expectEqual(ids("other", with: other), ["b"])
      await expectEqual(server.names.count { $0.contains("~") }, 1)
    }
  }

  @Test(
    "A change whose answer is lost leaves no collection",
    arguments: [
      (Endpoint.deleteIndex(index: "one"), "", 0), (.clear(index: "one"), "", 1),
      (.setSettings(index: "one"), facets, 1),
    ])
  func lostAnswer(endpoint: Endpoint, body: String, count: Int) async throws {
    let (server, clock, places, other) = (server, clock, Places(), transport())
    let changing = transport { request in
      let response = try await server.answer(request)
      let text = Self.text(request.body)
      let isChange =
        text.contains("one~") && !text.contains(#"\"next\""#)
        && request.url.contains("action=upsert")
      let isDeletion =
        request.method == .delete && request.url.contains("version")
        && !request.url.contains("kind")
      guard isChange || isDeletion, !request.url.contains("/import"), places.reach("made") else {
        return response
      }
      // The lock does not hold as long.
      try await clock.sleep(for: .seconds(40))
      throw HTTPExchangeError.timedOut
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(endpoint, body, with: changing)
      #expect(places.contains("made"))
      try await clock.sleep(for: .seconds(200))
      await expectEqual(server.names.count { $0.contains("~") }, count)
    }
  }

  @Test("An index that goes between two pages of a list hides no other one")
  func listInPages() async throws {
    let ids = (100...350).map(String.init)
    let documents = Lock(
      try ids.map { id in
        let settings = IndexSettings()
        return try IndexDescription(
          name: id, settings: settings, collection: "\(id)~", time: 0
        ).document()
      })
    let listing = transport { request in
      guard request.url.contains("/multi_search") else {
        return HTTPExchangeResponse(status: 200, body: Array("[]".utf8))
      }
      let page = try JSON(parsing: request.body)["searches"]?[0]?["page"]?.intValue ?? 1
      let (found, hits) = documents.withLock { documents in
        // The first page had the first one.
        if page == 2, documents.count == ids.count { documents.removeFirst() }
        return (documents.count, documents.dropFirst((page - 1) * 250).prefix(250))
      }
      let result: JSON = [
        "found": .int(Int64(found)), "hits": .array(hits.map { ["document": $0] }),
      ]
      return HTTPExchangeResponse(
        status: 200, body: Array(JSON.object(["results": [result]]).text.utf8))
    }
    let text = try await send(.listIndices, with: listing)
    for id in ids.dropFirst() { #expect(text.contains(#""name":"\#(id)""#)) }
  }
}
