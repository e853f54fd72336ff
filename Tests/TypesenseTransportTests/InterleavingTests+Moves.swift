import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

// Moves, and what other programs do meanwhile.
extension InterleavingTests {
  /// A program that ends after it has said where the index one moves to.
  func beginMove() async throws {
    let (ending, places) = transport(endingAfter: "movingTo")
    _ = try? await send(.operation(index: "one"), Self.move, with: ending)
    #expect(places.contains("movingTo"))
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
        let end = seed % 3 == 0 ? Int.max : seed * 19 % 70
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

  /// Moves the index one, and runs a closure after its records are copied.
  ///
  /// - Parameter ending: Whether the program ends after it has removed the index.
  private func moving(
    ending: Bool, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let (server, places) = (server, Places())
    let moving = transport { request in
      if ending, places.contains("removed") {
        throw SearchError(.invalidRequest, "The program has ended.")
      }
      let response = try await server.answer(request)
      if request.url.contains("/import"), places.reach("copied") { try await body() }
      if request.method == .delete, request.url.contains("version"), places.contains("copied"),
        !request.url.contains("kind")
      {
        places.reach("removed")
      }
      return response
    }
    let response = try? await moving.send(
      TransportRequest(.operation(index: "one"), body: Array(Self.move.utf8)))
    #expect(ending || response?.status == 200)
    #expect(places.contains("removed"))
  }

  @Test("A program that wrote during a move writes nothing into the destination afterwards")
  func staleWriterDuringMove() async throws {
    let (writing, deleting, other) = (transport(), transport(), transport())
    try await clock.advancing {
      try await fill("one", ["a", "b"], with: other)
      try await moving(ending: true) {
        try await fill("one", ["w"], with: writing)
        try await fill("one", ["d"], with: deleting)
      }
      try await expectEqual(ids("other", with: other), ["a", "b", "d", "w"])
      // The old collection of the source is still there.
      try await send(.deleteObject(index: "one", objectID: "a"), with: deleting)
      try await fill("one", ["c"], with: writing)
      try await expectEqual(ids("other", with: other), ["a", "b", "d", "w"])
      try await expectEqual(ids("one", with: other), ["c"])
      // The next change of the destination deletes that.
      try await send(.setSettings(index: "other"), #"{"hitsPerPage":7}"#, with: other)
      await expectEqual(server.names.count { $0.contains("~") }, 2)
    }
  }

  @Test("A deletion that comes too late for a move leaves the moved records")
  func deletionDuringMove() async throws {
    let (server, places, other) = (server, Places(), transport())
    let deleting = transport { request in
      // It has read the index, and waits for its lock until that is gone.
      if request.url.contains("action=create"), places.reach("read") {
        try await places.wait(for: "moved")
      }
      return try await server.answer(request)
    }
    try await clock.advancing {
      try await fill("one", ["a", "b"], with: other)
      async let deletion: Void = {
        try await places.wait(for: "copied")
        try await send(.deleteIndex(index: "one"), with: deleting)
      }()
      try await moving(ending: false) {
        places.reach("copied")
        try await places.wait(for: "read")
      }
      places.reach("moved")
      try await deletion
      try await expectEqual(ids("other", with: other), ["a", "b"])
    }
  }

  @Test("A write that was going on during a move makes no new index")
  func writeDuringMove() async throws {
    let (server, places, other) = (server, Places(), transport())
    let writing = transport { request in
      let response = try await server.answer(request)
      if request.url.contains("/import"), places.reach("written") {
        try await send(.operation(index: "one"), Self.move, with: other)
      }
      return response
    }
    try await clock.advancing {
      try await fill("one", ["a"], with: other)
      try await send(
        .batch(index: "one"), #"{"requests":[{"action":"addObject","body":{"objectID":"w"}}]}"#,
        with: writing, status: 409)
      try await expectEqual(ids("other", with: other), ["a", "w"])
      try await send(.settings(index: "one"), with: other, status: 404)
    }
  }

  @Test("A write whose later part finds the index moved away makes no new index")
  func longWriteDuringMove() async throws {
    let (server, places, other) = (server, Places(), transport())
    let writing = transport { request in
      let isWritten = places.contains("written")
      let response = try await server.answer(request)
      if request.url.contains("/import"), places.reach("written") { try await beginMove() }
      // It has seen that the index moves.
      if isWritten, request.method == .delete, request.url.contains("kind"),
        !places.reach("takes the lock"), places.reach("seen")
      {
        try await send(.operation(index: "one"), Self.move, with: other)
      }
      return response
    }
    try await clock.advancing {
      try await send(.setSettings(index: "one"), #"{"customRanking":["desc(rank)"]}"#, with: other)
      try await fill("one", ["a"], with: other)
      let requests = [
        #"{"action":"addObject","body":{"objectID":"w"}}"#,
        #"{"action":"deleteObject","body":{"objectID":"x"}}"#,
        #"{"action":"addObject","body":{"objectID":"v","rank":"text"}}"#,
      ]
      try await send(
        .batch(index: "one"), #"{"requests":[\#(requests.joined(separator: ","))]}"#,
        with: writing, status: 409)
      #expect(places.contains("seen"))
      try await send(.settings(index: "one"), with: other, status: 404)
    }
  }
}
