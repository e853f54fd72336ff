import AsyncInstantSearch
import Foundation
import InstantSearchService
import LocalSearch

/// What dear queries cost, and what they cost others: queries that repeat words of texts that
/// repeat them too, and a search of another engine beside ten of them.
enum DearQueries {
  private static let index = "items"

  private struct Item: Codable, Sendable {
    var objectID: String
    var text: String
  }

  static func report(asJSON: Bool) async throws {
    let prefixes = try await engine(records: 1_000, words: 1_500) { "w\($0 % 977)" }
    let two = try await engine(records: 1_000, words: 1_000) { $0.isMultiple(of: 2) ? "t" : "w" }
    let one = try await engine(records: 2, words: 300_000) { _ in "a" }
    let cases: [(name: String, engine: LocalSearch, word: String, queryType: QueryType)] = [
      ("prefixes", prefixes, "w", .prefixAll), ("twoWords", two, "t w", .prefixLast),
      ("oneWord", one, "a", .prefixNone),
    ]
    for it in cases {
      try await reportRepetition(it.name, it.engine, it.word, it.queryType, asJSON: asJSON)
    }
    try await reportSnippets(asJSON: asJSON)
    try await reportOthers(beside: prefixes, asJSON: asJSON)
    try await reportClients(of: prefixes, asJSON: asJSON)
  }

  /// Measures the searches of one client of a service alone, and beside another client with the
  /// same key that sends 32 dear calls of every kind at once.
  private static func reportClients(of engine: LocalSearch, asJSON: Bool) async throws {
    try await SearchClient(transport: engine).replaceAll(
      with: EngineItem.items(100_000), in: "shop")
    try await SearchClient(transport: engine).setSettings(
      IndexSettings(searchableAttributes: ["name"], customRanking: ["desc(price)"]), of: "shop")
    let key = String(repeating: "k", count: 32)
    let service = SearchService(
      transport: engine, keys: try ServiceKeys(adminKey: key),
      configuration: .init(now: { Int(Date().timeIntervalSince1970) }))
    func call(_ path: String, _ body: JSON, from address: String) async -> Int {
      let request = ServiceRequest(
        method: "POST", target: path,
        headers: [
          HTTPHeader(name: "X-Algolia-API-Key", value: key),
          HTTPHeader(name: "X-Algolia-Application-Id", value: "app"),
        ], body: Array(body.text.utf8), peerAddress: address)
      return await service.respond(to: request).status
    }
    let words = String((0..<85).map { "w\($0)" }.joined(separator: " ").prefix(512))
    let dear: [(String, JSON)] = [
      ("/1/indexes/\(index)/query", ["query": .string(words), "queryType": "prefixAll"]),
      ("/1/indexes/shop/query", ["query": "w", "hitsPerPage": 1000]),
      ("/1/indexes/shop/browse", ["query": "word", "hitsPerPage": 1000]),
      ("/1/indexes/shop/query", ["query": "wrod1 wrod2 wrod3", "queryType": "prefixAll"]),
      (
        "/1/indexes/*/queries",
        ["requests": .array(Array(repeating: ["indexName": "shop", "query": "w"], count: 50))]
      ),
    ]
    let clock = ContinuousClock()
    func measure() async throws -> [Double] {
      var times: [Double] = []
      for _ in 0..<400 {
        let start = clock.now
        let status = await call("/1/indexes/shop/query", ["query": "word1 word2"], from: "10.0.0.2")
        guard status == 200 else { throw Mismatch(description: "status \(status)") }
        times.append(start.duration(to: clock.now).microseconds)
      }
      return times
    }
    let alone = try await measure()
    let beside = try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        group.addTask {
          while !Task.isCancelled {
            let (path, body) = dear[number % dear.count]
            _ = await call(path, body, from: "10.0.0.1")
          }
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      let times = try await measure()
      group.cancelAll()
      try await group.waitForAll()
      return times
    }
    print(name: "dear.client", alone, beside, asJSON: asJSON)
  }

  /// Measures snippets of long texts of which each word is marked, and highlights of them.
  private static func reportSnippets(asJSON: Bool) async throws {
    let engine = try await engine(records: 1_000, words: 1_500) { "w\($0 % 97)" }
    let words = (0..<97).map { "w\($0)" }.joined(separator: " ")
    func body(_ part: String, _ attribute: JSON) -> TransportRequest {
      var body: JSON = [
        "query": .string(words), "queryType": "prefixNone", "hitsPerPage": 1000,
        "attributesToRetrieve": [], "attributesToHighlight": [],
      ]
      body[part] = [attribute]
      return TransportRequest(.search(index: index), body: Array(body.text.utf8))
    }
    let (snippet, highlight) = (
      body("attributesToSnippet", "text:20"), body("attributesToHighlight", "text")
    )
    var times: [[Double]] = [[], []]
    for _ in 0..<5 {
      for (number, request) in [snippet, highlight].enumerated() {
        try await times[number].append(time(of: request, on: engine))
      }
    }
    let (snippets, highlights) = (
      times[0].percentile(50) / 1000, times[1].percentile(50) / 1000
    )
    Swift.print(
      asJSON
        ? #"{"name":"dear.snippets","ms":\#(snippets),"highlights_ms":\#(highlights)}"#
        : "dear.snippets: \(snippets.rounded(toPlaces: 1)) ms, highlights"
          + " \(highlights.rounded(toPlaces: 1)) ms")
  }

  private static func print(
    name: String, _ alone: [Double], _ beside: [Double], asJSON: Bool
  ) {
    let (p50, p99) = (alone.percentile(50) / 1000, alone.percentile(99) / 1000)
    let (besideP50, besideP99) = (beside.percentile(50) / 1000, beside.percentile(99) / 1000)
    Swift.print(
      asJSON
        ? #"{"name":"\#(name)","p50_ms":\#(p50),"p99_ms":\#(p99),"beside_p50_ms":\#(besideP50),"beside_p99_ms":\#(besideP99)}"#
        : "\(name): p50 \(p50.rounded(toPlaces: 2)), p99 \(p99.rounded(toPlaces: 2)) ms; beside dear"
          + " calls p50 \(besideP50.rounded(toPlaces: 2)), p99 \(besideP99.rounded(toPlaces: 2)) ms,"
          + " ratio \((besideP99 / p99).rounded(toPlaces: 1))")
  }

  private static func engine(
    records: Int, words: Int, _ word: (Int) -> String
  ) async throws -> LocalSearch {
    let items = (0..<records).map { record in
      Item(
        objectID: "\(record)",
        text: (0..<words).map { word($0 + record) }.joined(separator: " "))
    }
    return try await LocalSearch(indexName: index, records: items)
  }

  /// Makes a query of different words, and one that repeats them, alternately.
  private static func reportRepetition(
    _ name: String, _ engine: LocalSearch, _ words: String, _ queryType: QueryType, asJSON: Bool
  ) async throws {
    let text = String(repeating: words + " ", count: 512).prefix(511)
    let (few, many) = (request(words, queryType), request(String(text), queryType))
    var times: [Double] = []
    var distinctTimes: [Double] = []
    for round in 0..<9 {
      let distinct = try await time(of: few, on: engine)
      let repeated = try await time(of: many, on: engine)
      if round >= 2 {
        times.append(repeated)
        distinctTimes.append(distinct)
      }
    }
    let (time, distinct) = (times.percentile(50) / 1000, distinctTimes.percentile(50) / 1000)
    Swift.print(
      asJSON
        ? #"{"name":"dear.\#(name)","ms":\#(time),"distinct_ms":\#(distinct)}"#
        : "dear.\(name): \(time.rounded(toPlaces: 2)) ms, once \(distinct.rounded(toPlaces: 2)) ms,"
          + " ratio \((time / distinct).rounded(toPlaces: 1))")
  }

  /// Measures searches of another engine alone, and beside ten dear queries at once.
  private static func reportOthers(beside dear: LocalSearch, asJSON: Bool) async throws {
    let items = EngineItem.items(100_000)
    let other = try await LocalSearch(
      indexName: index, records: items,
      settings: IndexSettings(searchableAttributes: ["name"], customRanking: ["desc(price)"]))
    let search = request("word1 word2", .prefixLast)
    // The words of the longest of all legal queries.
    let letters = (0..<85).map { "w\($0)" }.joined(separator: " ")
    let long = request(String(letters.prefix(512)), .prefixAll)
    func measure() async throws -> [Double] {
      var times: [Double] = []
      for _ in 0..<400 { try await times.append(time(of: search, on: other)) }
      return times
    }
    let alone = try await measure()
    let beside = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          while !Task.isCancelled { _ = try? await dear.send(long) }
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      let times = try await measure()
      group.cancelAll()
      try await group.waitForAll()
      return times
    }
    print(name: "dear.other", alone, beside, asJSON: asJSON)
  }

  private static func request(_ text: String, _ queryType: QueryType) -> TransportRequest {
    let body: JSON = [
      "query": .string(text), "queryType": .string(queryType.rawValue), "hitsPerPage": 10,
      "attributesToRetrieve": [], "attributesToHighlight": [],
    ]
    return TransportRequest(.search(index: index), body: Array(body.text.utf8))
  }

  private static func time(
    of request: TransportRequest, on engine: LocalSearch
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let response = try await engine.send(request)
    guard response.status == 200 else {
      throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
    }
    return start.duration(to: clock.now).microseconds
  }
}
