@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchJSON
@testable import LocalSearch
import TestSupport

/// A random engine with several indices, and what it answers.
struct EngineFileFixture {
  let engine: LocalSearch
  private let queries: [JSON]

  static func configuration(_ disk: SimulatedDisk) -> LocalSearch.Configuration {
    var configuration = LocalSearch.Configuration()
    configuration.disk = disk
    configuration.makeJournalNumber = { 7 }
    return configuration
  }

  init(seed: UInt64, configuration: LocalSearch.Configuration) async throws {
    var random = RandomRecords(seed: seed)
    var world = OracleWorld(seed: seed)
    engine = LocalSearch(configuration: configuration)
    var settings = RandomRecords.settings
    settings.customRanking = ["desc(size)", "asc(color)"]
    settings.ranking.insert("asc(label)", at: 0)
    settings.attributeForDistinct = "color"
    settings.userData = ["a": [1, nil, "é"]]
    settings.replicas = ["copy"]
    try await engine.setSettings(settings, of: "items")
    for _ in 0..<world.int(1..<5) {
      let records = (0..<world.int(1..<40)).map { _ -> JSON in
        let number = world.int(0..<80)
        var record = random.record(number)
        for member in (try? JSON(parsing: world.record(number).json))?.objectValue ?? [:] {
          record[member.key] = member.value
        }
        return record
      }
      try await engine.save(records, in: "items")
      try await engine.delete(objectIDs: ["\(world.int(0..<80))"], from: "items")
    }
    try await engine.save([["objectID": "1"] as JSON], in: "other")
    let synonym: JSON = ["objectID": "s", "type": "synonym", "synonyms": ["a", "b"]]
    _ = try await engine.send(
      TransportRequest(
        method: .put, pathComponents: ["1", "indexes", "items", "synonyms", "s"],
        body: Array(synonym.text.utf8), callType: .write))
    queries = (0..<6).map { number in
      [
        "query": number == 0 ? "" : .string(world.text(1..<4)), "facets": ["*"],
        "getRankingInfo": true, "distinct": .bool(world.chance(20)), "hitsPerPage": 100,
        "aroundLatLng": "10,10", "aroundRadius": "all",
      ]
    }
  }

  /// The settings, entries and answers of an engine.
  func state(of engine: LocalSearch) async throws -> [String] {
    try await Self.state(of: engine, queries)
  }

  /// The settings, entries and answers to some queries of an engine, as texts.
  static func state(of engine: LocalSearch, _ queries: [JSON]) async throws -> [String] {
    var state: [String] = []
    func add(_ request: TransportRequest) async throws {
      state.append(String(decoding: try await engine.send(request).body, as: UTF8.self))
    }
    for name in engine.indexNames {
      state.append(name)
      for path in [["settings"], ["synonyms", "s"]] {
        try await add(
          TransportRequest(
            method: .get, pathComponents: ["1", "indexes", name] + path, callType: .read))
      }
      for query in queries {
        try await add(TransportRequest(.search(index: name), body: Array(query.text.utf8)))
      }
      try await add(
        TransportRequest(
          .facetValues(index: name, facet: "label"), body: Array(#"{"facetQuery":"r"}"#.utf8)))
    }
    try await add(
      TransportRequest(method: .get, pathComponents: ["1", "indexes"], callType: .read))
    return state
  }
}
