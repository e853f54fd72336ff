import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import LocalSearch

#if os(macOS) || os(Linux)
  /// Kills processes while they write to an engine in a file, and compares what the file has with
  /// what they acknowledged.
  enum KilledEngines {
    /// Runs and kills processes one after the other.
    ///
    /// - Throws: ``Mismatch`` if a write is lost or applied in part.
    static func report(count: Int, seed: UInt64, asJSON: Bool) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "a.search").path
      var random = SeededGenerator(seed: seed)
      var expected = KilledEngine.Expectation()
      var (unacknowledged, opening) = (0, [Double]())
      for round in 0..<count {
        let child = try RunningChild(["engine-child", path, String(expected.next)])
        guard child.nextLine() == "open" else {
          throw Mismatch(description: "round \(round): the file was not opened")
        }
        // It runs until it is killed.
        let (id, delay) = (child.id, Double(random.next() % 40_000) / 1_000_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { _ = kill(id, SIGKILL) }
        var acknowledged = expected.next - 1
        while let line = child.nextLine() { acknowledged = Int(line) ?? acknowledged }
        _ = child.end(within: 10)
        // Half of the time the next process gets the files as the killed one left them.
        let copy = folder.appending(path: "copy")
        try? FileManager.default.removeItem(at: copy)
        if round.isMultiple(of: 2) {
          try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
          for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
          where name.hasPrefix("a.search") {
            try FileManager.default.copyItem(
              at: folder.appending(path: name), to: copy.appending(path: name))
          }
        }
        let start = ContinuousClock.now
        let engine = try await LocalSearch(
          file: round.isMultiple(of: 2) ? copy.appending(path: "a.search").path : path)
        opening.append(start.duration(to: .now).microseconds / 1000)
        let found = try await KilledEngine.records(of: engine)
        await engine.close()
        while expected.next <= acknowledged { expected.write() }
        if found != expected.records {
          // The process ended before it acknowledged the last write.
          expected.write()
          unacknowledged += 1
          guard found == expected.records else {
            throw Mismatch(
              description: "round \(round): after \(acknowledged) the file has other records")
          }
        }
      }
      let figures = [
        ("processes", Double(count)), ("writes", Double(expected.next)),
        ("unacknowledged", Double(unacknowledged)), ("open_p50_ms", opening.percentile(50)),
      ].map { ($0.0, $0.1.rounded(toPlaces: 3)) }
      print(
        asJSON
          ? "{\"name\":\"engineKills\"" + figures.map { ",\"\($0)\":\($1)" }.joined() + "}"
          : "engineKills: " + figures.map { "\($0) \($1)" }.joined(separator: ", "))
    }
  }

  /// A process that writes to an engine in a file until it is killed.
  enum KilledEngine {
    /// What the records are after some writes.
    struct Expectation {
      private(set) var next = 0
      private(set) var records: [String: Int] = [:]

      /// Makes the next write.
      mutating func write() {
        for change in KilledEngine.changes(next) {
          switch change {
          case .put(let id): records[id] = next
          case .delete(let id): records[id] = nil
          }
        }
        next += 1
      }
    }

    enum Change {
      case put(String)
      case delete(String)
    }

    /// The changes of a write: ten records, or some deletions.
    static func changes(_ number: Int) -> [Change] {
      (0..<10).map { index in
        let id = String((number * 37 + index * 11) % 700)
        return number % 5 == 3 ? .delete(id) : .put(id)
      }
    }

    /// The records of the file by ID.
    static func records(of engine: LocalSearch) async throws -> [String: Int] {
      var records: [String: Int] = [:]
      guard engine.recordCount(of: "items") != nil else { return [:] }
      for try await hit in SearchClient(transport: engine).browse("items", of: Hit<JSON>.self) {
        records[hit.objectID] = hit.object["n"]?.intValue
      }
      return records
    }

    /// Writes from a number on, and prints the number of each write that was acknowledged.
    static func run(path: String, first: Int) async throws {
      let engine = try await LocalSearch(file: path)
      print("open")
      fflush(nil)
      var number = first
      while true {
        let requests = changes(number).map { change -> JSON in
          switch change {
          case .put(let id):
            [
              "action": "addObject",
              "body": [
                "objectID": .string(id), "n": .int(Int64(number)),
                "text": "write \(number) of many",
              ],
            ]
          case .delete(let id): ["action": "deleteObject", "body": ["objectID": .string(id)]]
          }
        }
        let body = ["requests": .array(requests)] as JSON
        let response = try await engine.send(
          TransportRequest(.batch(index: "items"), body: Array(body.text.utf8)))
        guard response.status == 200 else { throw Mismatch(description: "\(response.status)") }
        print(number)
        fflush(nil)
        number += 1
        // Earlier than the engine does it by itself, and beside the next writes.
        if number.isMultiple(of: 40) { Task { try await engine.checkpoint() } }
      }
    }
  }
#endif
