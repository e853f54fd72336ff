import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchJSON
import LocalSearch
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
    var state: [String] = []
    for name in engine.indexNames {
      state.append(name)
      for path in [["settings"], ["synonyms", "s"]] {
        let response = try await engine.send(
          TransportRequest(
            method: .get, pathComponents: ["1", "indexes", name] + path, callType: .read))
        state.append(String(decoding: response.body, as: UTF8.self))
      }
      for query in queries {
        let response = try await engine.send(
          TransportRequest(.search(index: name), body: Array(query.text.utf8)))
        state.append(String(decoding: response.body, as: UTF8.self))
      }
      let values = try await engine.send(
        TransportRequest(
          .facetValues(index: name, facet: "label"), body: Array(#"{"facetQuery":"r"}"#.utf8)))
      state.append(String(decoding: values.body, as: UTF8.self))
    }
    let list = try await engine.send(
      TransportRequest(method: .get, pathComponents: ["1", "indexes"], callType: .read))
    state.append(String(decoding: list.body, as: UTF8.self))
    return state
  }
}
