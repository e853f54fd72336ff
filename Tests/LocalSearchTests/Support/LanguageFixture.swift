import InstantSearchAPI
import LocalSearch

/// An engine with texts and synonyms, and the hits of its searches.
struct LanguageFixture {
  let fixture: EngineFixture

  /// Makes an index with one record for each text, whose IDs are their numbers.
  init(
    _ texts: [String], synonyms: [Synonym] = [],
    _ change: (inout IndexSettings) -> Void = { _ in }
  ) async throws {
    let records = texts.enumerated().map { number, text -> JSON in
      ["objectID": .string("\(number)"), "name": .string(text)]
    }
    try await self.init(records: records, synonyms: synonyms, change)
  }

  init(
    records: [JSON], synonyms: [Synonym] = [],
    _ change: (inout IndexSettings) -> Void = { _ in }
  ) async throws {
    fixture = try await EngineFixture(records, settings: IndexSettings(change))
    try await save(synonyms)
  }

  /// Takes the index of another engine.
  init(engine: LocalSearch) { fixture = EngineFixture(engine: engine) }

  /// Clothes, as in a shop.
  static func clothes(_ synonyms: [Synonym] = []) async throws -> LanguageFixture {
    func record(_ id: String, _ name: String, _ brand: String, _ color: String, _ price: Int64)
      -> JSON
    {
      [
        "objectID": .string(id), "name": .string(name), "brand": .string(brand),
        "color": .string(color), "price": .int(price),
      ]
    }
    return try await LanguageFixture(
      records: [
        record("p1", "Red shirt", "Acme", "red", 20),
        record("p2", "Blue shirt", "Acme", "blue", 15),
        record("p3", "Red trousers", "Bolt", "red", 40),
        record("p4", "Pants blue", "Bolt", "blue", 35),
        record("p5", "Shirts for children", "Acme", "green", 10),
      ], synonyms: synonyms
    ) {
      $0.searchableAttributes = ["unordered(name)", "brand"]
      $0.attributesForFaceting = ["brand", "color"]
      $0.customRanking = ["asc(price)"]
    }
  }

  /// Saves synonyms with their numbers as IDs.
  func save(_ synonyms: [Synonym]) async throws {
    guard !synonyms.isEmpty else { return }
    let body = try JSON.array(synonyms.map { try JSON(encoding: $0) })
    let answer = try await fixture.call(.post, [EngineFixture.index, "synonyms", "batch"], body)
    guard answer.status == 200 else { throw Refusal(answer.body) }
  }

  /// Returns the IDs of the hits, in order, separated by spaces.
  func ids(_ query: String, _ parameters: JSON = [:]) async throws -> String {
    var parameters = parameters
    parameters["query"] = .string(query)
    return try await fixture.ids(parameters).joined(separator: " ")
  }

  /// Returns the highlighted names of the hits, in order.
  func names(_ query: String, _ parameters: JSON = [:]) async throws -> [String] {
    try await hits(query, parameters).compactMap {
      $0["_highlightResult"]?["name"]?["value"]?.stringValue
    }
  }

  /// Returns a number of the ranking information of each hit, in order.
  func numbers(_ name: String, _ query: String, _ parameters: JSON = [:]) async throws -> [Int] {
    var parameters = parameters
    parameters["getRankingInfo"] = true
    return try await hits(query, parameters).compactMap {
      $0["_rankingInfo"]?[name]?.intValue.map { Int($0) }
    }
  }

  private func hits(_ query: String, _ parameters: JSON) async throws -> [JSON] {
    var parameters = parameters
    parameters["query"] = .string(query)
    let answer = try await fixture.search(parameters)
    guard let hits = answer["hits"]?.arrayValue else { throw Refusal(answer) }
    return hits
  }
}
