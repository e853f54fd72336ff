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
        let found = try await KilledEngine.State(of: engine)
        await engine.close()
        while expected.next <= acknowledged { expected.write() }
        if found != expected.state {
          // The process ended before it acknowledged the last write.
          expected.write()
          unacknowledged += 1
          guard found == expected.state else {
            throw Mismatch(
              description: "round \(round): after \(acknowledged) the file has other contents")
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
      private(set) var state = State()

      /// Makes the next write.
      mutating func write() {
        switch KilledEngine.write(next) {
        case .synonym: state.synonym = KilledEngine.word(next)
        case .stopWord: state.stopWord = KilledEngine.word(next)
        case .records(let changes):
          for change in changes {
            switch change {
            case .put(let id): state.records[id] = next
            case .delete(let id): state.records[id] = nil
            }
          }
        }
        next += 1
      }
    }

    /// What the file has.
    struct State: Equatable {
      /// The number of the latest write of each record.
      var records: [String: Int] = [:]
      /// The words of the latest writes of a synonym and of a stop word.
      var synonym: String?
      var stopWord: String?

      init() {}

      /// Reads the contents of an engine.
      init(of engine: LocalSearch) async throws {
        let client = SearchClient(transport: engine)
        stopWord = try await client.searchDictionaryEntries(in: .stopwords).hits.first.flatMap {
          if case .stopWord(let word, _) = $0.kind { word } else { nil }
        }
        guard engine.recordCount(of: "items") != nil else { return }
        for try await hit in client.browse("items", of: Hit<JSON>.self) {
          records[hit.objectID] = hit.object["n"]?.intValue
        }
        synonym = try await client.searchSynonyms(in: "items").hits.first.flatMap {
          if case .equivalent(let words) = $0.kind { words.first } else { nil }
        }
      }
    }

    enum Write {
      case records([Change])
      case synonym
      case stopWord
    }

    enum Change {
      case put(String)
      case delete(String)
    }

    /// A write: ten records, some deletions, a synonym or a stop word.
    static func write(_ number: Int) -> Write {
      switch number % 5 {
      case 1: return .synonym
      case 4: return .stopWord
      default:
        return .records(
          (0..<10).map { index in
            let id = String((number * 37 + index * 11) % 700)
            return number % 5 == 3 ? .delete(id) : .put(id)
          })
      }
    }

    /// The word that a write adds.
    static func word(_ number: Int) -> String { "word\(number)" }

    /// Sends a write of records.
    private static func send(
      _ changes: [Change], _ number: Int, to engine: LocalSearch
    ) async throws {
      let requests = changes.map { change -> JSON in
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
    }

    /// Writes from a number on, and prints the number of each write that was acknowledged.
    static func run(path: String, first: Int) async throws {
      let engine = try await LocalSearch(file: path)
      let client = SearchClient(transport: engine)
      print("open")
      fflush(nil)
      var number = first
      while true {
        switch write(number) {
        case .records(let changes): try await send(changes, number, to: engine)
        case .synonym:
          try await client.saveSynonyms(
            [Synonym("s", .equivalent([word(number), "other"]))], in: "items")
        case .stopWord:
          try await client.saveDictionaryEntries(
            [DictionaryEntry("d", .stopWord(word(number)), .english)], in: .stopwords)
        }
        print(number)
        fflush(nil)
        number += 1
        // Earlier than the engine does it by itself, and beside the next writes.
        if number.isMultiple(of: 40) { Task { try await engine.checkpoint() } }
      }
    }
  }
#endif
