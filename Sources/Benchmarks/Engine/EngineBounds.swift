import AsyncInstantSearch
import InstantSearchJSON
import LocalSearch

/// How long the costliest calls of the embedded engine take, and how soon they notice a
/// cancellation.
enum EngineBounds {
  private static let index = "items"
  private static let settings = IndexSettings(
    searchableAttributes: ["name", "brand"],
    attributesForFaceting: ["searchable(brand)", "price"], customRanking: ["desc(price)"])

  /// Measures searches with many filters and the distance between two checks of a write.
  static func report(asJSON: Bool) async throws {
    let items = EngineItem.items(20_000, haveDetails: true)
    let engine = try await LocalSearch(indexName: index, records: items, settings: settings)
    for (name, query) in queries() {
      try await Measurement("bounds." + name, over: [query]) { query in
        let response = try await engine.send(
          request(["1", "indexes", index, "query"], query.text))
        guard response.status == 200 else {
          throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
        }
      }.print(asJSON: asJSON)
    }
    try await reportWrites(items, asJSON: asJSON)
  }

  private static func queries() -> [(name: String, query: JSON)] {
    func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }
    let numbers = 0..<10_000
    let circle = stride(from: 0, to: 10_000, by: 1).flatMap { step -> [JSON] in
      // A star, so that the edges are long.
      let angle = Double(step) / 10_000 * 8
      let radius = step.isMultiple(of: 2) ? 75.0 : 70
      let turned = angle - (angle / 4).rounded(.down) * 4
      let (x, y) =
        turned < 2 ? (1 - turned, 1 - abs(1 - turned)) : (turned - 3, abs(turned - 3) - 1)
      return [.double(radius * y), .double(radius * x)]
    }
    return [
      ("plain", ["query": "word1 word2"]),
      ("filter", ["filters": "brand:brand1 OR brand:brand2", "facets": ["price"]]),
      ("optionalFilters", ["optionalFilters": strings(numbers.map { "brand:brand\($0)" })]),
      (
        "optionalFilterGroups",
        [
          "optionalFilters": .array(
            numbers.prefix(5_000).map { strings(["brand:brand\($0)", "price:\($0)"]) })
        ]
      ),
      ("notEqual", ["numericFilters": strings(numbers.map { "price != \($0 + 20_000)" })]),
      ("ranges", ["numericFilters": [strings(numbers.map { "price > \($0)" })]]),
      ("facetFilters", ["facetFilters": [strings(numbers.map { "brand:-brand\($0)" })]]),
      ("polygon", ["insidePolygon": [.array(circle)]]),
    ]
  }

  private static func reportWrites(_ items: [EngineItem], asJSON: Bool) async throws {
    let records = try items.map {
      String(decoding: try JSONValueEncoder().encode($0), as: UTF8.self)
    }
    let batch =
      #"{"requests":["#
      + records.map { #"{"action":"addObject","body":\#($0)}"# }.joined(separator: ",") + "]}"
    let engine = try await LocalSearch(indexName: index, records: items, settings: settings)
    let writes: [(String, TransportRequest)] = [
      ("batch", request(["1", "indexes", "new", "batch"], batch)),
      ("batchOverOld", request(["1", "indexes", index, "batch"], batch)),
      (
        "settings",
        request(
          ["1", "indexes", index, "settings"], #"{"searchableAttributes":["name"]}"#, .put)
      ),
      (
        "deleteByQuery",
        request(["1", "indexes", index, "deleteByQuery"], #"{"filters":"price > 1000"}"#)
      ),
      ("clear", request(["1", "indexes", index, "clear"], "{}")),
    ]
    for (name, write) in writes {
      try await reportChecks(of: write, name, on: engine, asJSON: asJSON)
    }
    try await reportLongRecords(asJSON: asJSON)
    try await LongCalls.report(asJSON: asJSON)
  }

  /// Calls for records with a text, a word or a list of several megabytes.
  private static func reportLongRecords(asJSON: Bool) async throws {
    let engine = LocalSearch()
    let texts: [(name: String, text: JSON)] = [
      ("text", .string(String(repeating: "alpha beta gamma ", count: 300_000))),
      ("word", .string(String(repeating: "a", count: 5_000_000))),
      ("list", .array((0..<300_000).map { .string("alpha \($0)") })),
    ]
    let queries: [(name: String, query: JSON)] = [
      ("highlight", ["query": "alpha beta gamma a"]),
      ("snippet", ["query": "alpha", "attributesToSnippet": ["t:1000000"]]),
      ("phrase", ["query": "\"alpha beta gamma alpha\"", "advancedSyntax": true]),
      ("part", ["attributesToRetrieve": ["t.none"], "attributesToHighlight": []]),
    ]
    for (name, text) in texts {
      let body = (["objectID": "1", "t": text] as JSON).text
      try await reportChecks(
        of: request(["1", "indexes", name, "1"], body, .put), name + ".save", on: engine,
        asJSON: asJSON)
      for (kind, query) in queries {
        var query = query
        query["removeWordsIfNoResults"] = "allOptional"
        try await reportChecks(
          of: request(["1", "indexes", name, "query"], query.text), name + "." + kind, on: engine,
          asJSON: asJSON)
      }
    }
  }

  /// Makes a call and reports the time between its checks.
  private static func reportChecks(
    of call: TransportRequest, _ name: String, on engine: LocalSearch, asJSON: Bool
  ) async throws {
    try await CheckClock.report("bounds." + name, asJSON: asJSON) { deadline in
      var call = call
      call.deadline = deadline
      let response = try await engine.send(call)
      guard response.status == 200 else {
        throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
      }
    }
  }

  private static func request(
    _ path: [String], _ body: String, _ method: TransportRequest.Method = .post
  ) -> TransportRequest {
    TransportRequest(
      method: method, pathComponents: path, body: Array(body.utf8), callType: .write)
  }
}
