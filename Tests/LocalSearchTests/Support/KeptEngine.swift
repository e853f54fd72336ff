@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// An engine that is kept in a file of a simulated disk, and the steps that a test makes with it.
struct KeptEngine {
  static let path = "a.search"

  /// A call that writes, or a checkpoint.
  enum Step: Int, CaseIterable, Sendable {
    case settings, save, partialUpdate, deleteBy, load, checkpoint, batch, synonym, copy, replica
    case saveMore, deleteIndex, move, clear, saveAgain

    var isWrite: Bool { self != .checkpoint }

    func perform(on engine: LocalSearch) async throws {
      switch self {
      case .settings:
        try await engine.setSettings(
          IndexSettings(
            attributesForFaceting: ["color", "size"], customRanking: ["desc(size)"]), of: "items")
      case .save: try await engine.save(Self.records(0..<8), in: "items")
      case .partialUpdate:
        try await engine.partialUpdate(
          [["objectID": "2", "size": ["_operation": "Increment", "value": 5]] as JSON], in: "items")
      case .deleteBy:
        try await engine.delete(
          matching: SearchQuery("").setting(\.filters, to: "size < 2"), from: "items")
      case .load:
        let lines = Self.records(5..<12).map(\.text).joined(separator: "\n")
        try await engine.load(Array(lines.utf8), into: "items")
      case .checkpoint: try await engine.checkpoint()
      case .batch:
        let requests: [JSON] = [
          [
            "action": "addObject", "indexName": "items", "body": ["objectID": "b", "color": "red"],
          ],
          [
            "action": "addObject", "indexName": "other",
            "body": ["objectID": "c", "color": "blue"],
          ],
          ["action": "deleteObject", "indexName": "items", "body": ["objectID": "3"]],
        ]
        try await Self.send(["1", "indexes", "*", "batch"], ["requests": .array(requests)], engine)
      case .synonym:
        try await Self.send(
          ["1", "indexes", "items", "synonyms", "s"],
          ["objectID": "s", "type": "synonym", "synonyms": ["a", "b"]], engine, .put)
      case .copy:
        try await Self.send(
          ["1", "indexes", "items", "operation"], ["operation": "copy", "destination": "copied"],
          engine)
      case .replica:
        try await Self.send(
          ["1", "indexes", "items", "settings"], ["replicas": ["sorted"]], engine,
          .put)
      case .saveMore: try await engine.save(Self.records(7..<14), in: "items")
      case .deleteIndex: try await engine.deleteIndex("other")
      case .move:
        try await Self.send(
          ["1", "indexes", "copied", "operation"], ["operation": "move", "destination": "moved"],
          engine)
      case .clear: try await engine.clear("moved")
      case .saveAgain: try await engine.save(Self.records(1..<3), in: "moved")
      }
    }

    private static func records(_ numbers: Range<Int>) -> [JSON] {
      numbers.map { number in
        [
          "objectID": .string("\(number)"), "color": .string(["red", "green"][number % 2]),
          "size": .int(Int64(number)),
        ]
      }
    }

    private static func send(
      _ path: [String], _ body: JSON, _ engine: LocalSearch,
      _ method: Endpoint.Method = .post
    ) async throws {
      let response = try await engine.send(
        TransportRequest(
          method: method, pathComponents: path, body: Array(body.text.utf8), callType: .write))
      expectEqual(response.status, 200, "\(String(decoding: response.body, as: UTF8.self))")
    }
  }

  static func configuration(
    _ disk: SimulatedDisk, minimumJournalSize: Int = 600
  ) -> LocalSearch.Configuration {
    var configuration = EngineFileFixture.configuration(disk)
    configuration.minimumJournalSize = minimumJournalSize
    return configuration
  }

  /// Opens the engine.
  ///
  /// - Parameter minimumJournalSize: The size of a journal at which a checkpoint begins by itself.
  static func open(
    _ disk: SimulatedDisk, minimumJournalSize: Int = 600
  ) async throws(SearchError) -> LocalSearch {
    try await LocalSearch(
      file: path, configuration: configuration(disk, minimumJournalSize: minimumJournalSize))
  }

  /// A condition that a disk can look up.
  final class Switch: Sendable { let isOn = Lock(false) }

  /// Opens an engine whose checkpoints fail while a switch is on. None begins by itself.
  static func open(
    _ disk: SimulatedDisk, failingCheckpoints fails: Switch
  ) async throws(SearchError) -> LocalSearch {
    var configuration = configuration(disk, minimumJournalSize: .max)
    configuration.disk = InterceptedDisk { call in
      if call == .rename(to: path), fails.isOn.withLock({ $0 }) {
        throw DiskError(.full, path: path)
      }
      return disk
    }
    return try await LocalSearch(file: path, configuration: configuration)
  }

  /// Opens the engine, and returns what it has.
  static func state(reopening disk: SimulatedDisk) async throws -> [String] {
    try await state(of: open(disk))
  }

  /// Everything that an engine has, as texts.
  static func state(of engine: LocalSearch) async throws -> [String] {
    try await EngineFileFixture.state(
      of: engine, [["query": "", "facets": ["*"], "hitsPerPage": 1000]])
  }

  /// What an engine in memory has after some steps.
  static func state(after steps: some Sequence<Step>) async throws -> [String] {
    let engine = LocalSearch()
    for step in steps { try await step.perform(on: engine) }
    return try await state(of: engine)
  }
}
