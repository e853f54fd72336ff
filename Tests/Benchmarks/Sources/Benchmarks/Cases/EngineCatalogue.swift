import AsyncInstantSearch
import Foundation
import LocalSearch

/// Measures the embedded engine on a catalogue of products, with a log of queries and with each
/// kind of query.
///
/// The catalogue is a folder with `records-N.ndjson`, one product a line with `name`,
/// `description`, `brand`, `categories`, `price`, `rating`, `popularity` and `_geoloc`, and
/// `queries-N.txt`, one query a line. Each query is a whole call: JSON in, JSON out, 20 hits with
/// highlights, three facets.
struct EngineCatalogue {
  private static let index = "products"
  /// The settings of the catalogue.
  static let settings = IndexSettings {
    $0.searchableAttributes = ["name", "description", "brand", "categories"]
    $0.attributesForFaceting = ["searchable(brand)", "categories", "rating", "price"]
    $0.customRanking = ["desc(popularity)"]
    $0.attributeForDistinct = "brand"
  }

  private let engine: LocalSearch
  private let log: [String]
  private let asJSON: Bool

  /// Loads the catalogue, and measures the log or some kinds of queries.
  ///
  /// - Parameters:
  ///   - arguments: The folder, the number of records, and the kinds; by default `log`, `bare`
  ///     and all others but `writes`, which replaces the records.
  static func report(_ arguments: [String], asJSON: Bool) async throws {
    guard let folder = arguments.first, arguments.count > 1, let count = Int(arguments[1]) else {
      throw Mismatch(description: "usage: Benchmarks engine FOLDER RECORDS [KIND]...")
    }
    let records = URL(filePath: folder).appending(path: "records-\(count).ndjson")
    let queries = URL(filePath: folder).appending(path: "queries-\(count).txt")
    let log = try String(contentsOf: queries, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let engine = LocalSearch()
    try await SearchClient(transport: engine).setSettings(settings, of: index)
    let size = try records.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let (before, clock, time) = (
      ProcessFigures.memory, ContinuousClock(), ProcessFigures.processorTime
    )
    let start = clock.now
    try await engine.load(contentsOf: records, into: index)
    let seconds = start.duration(to: clock.now) / .seconds(1)
    let catalogue = EngineCatalogue(engine: engine, log: log, asJSON: asJSON)
    catalogue.print(
      "load",
      [
        ("records", Double(count)), ("s", seconds),
        ("cpu_s", (ProcessFigures.processorTime - time) / 1_000_000),
        ("memory_per_byte", Double((ProcessFigures.memory - before) * 1024) / Double(size)),
        ("peak_per_byte", Double((ProcessFigures.peakMemory - before) * 1024) / Double(size)),
      ])
    let wanted = arguments.dropFirst(2)
    for kind in Kind.all(log) where wanted.isEmpty || wanted.contains(kind.name) {
      try await catalogue.measure(kind)
    }
    if wanted.isEmpty || wanted.contains("multi") { try await catalogue.measureMultiQuery() }
    if wanted.isEmpty || wanted.contains("file") {
      let files = EngineFiles(engine: engine, index: index, records: records, indexing: seconds)
      catalogue.print("file", try await files.measureFile())
      catalogue.print("kept", try await files.measureKept(settings))
    }
    if wanted.contains("writes") {
      let lines = try String(contentsOf: records, encoding: .utf8)
      try await catalogue.measureWrites(lines.split(separator: "\n").map(String.init))
    }
  }

  /// Measures calls with ten queries, and ten calls with one.
  private func measureMultiQuery() async throws {
    let queries = Kind.all(log)[0].queries
    var (together, apart): ([Double], [Double]) = ([], [])
    for start in stride(from: 0, to: queries.count - 9, by: 10) {
      let tenQueries = queries[start..<start + 10].map { query in
        var query = query
        query["indexName"] = .string(Self.index)
        return query
      }
      let body = Array((["requests": .array(tenQueries)] as JSON).text.utf8)
      var clock = ContinuousClock.now
      _ = try await engine.send(TransportRequest(.multiQuery, body: body))
      together.append(clock.duration(to: .now).microseconds / 1000)
      clock = .now
      for query in queries[start..<start + 10] {
        _ = try await engine.send(
          TransportRequest(.search(index: Self.index), body: Array(query.text.utf8)))
      }
      apart.append(clock.duration(to: .now).microseconds / 1000)
    }
    print(
      "multi",
      [
        ("calls", Double(together.count)), ("p50_ms", together.percentile(50)),
        ("p99_ms", together.percentile(99)), ("ten_calls_p50_ms", apart.percentile(50)),
        ("ten_calls_p99_ms", apart.percentile(99)),
      ])
  }

  /// Measures readers beside a writer.
  private func measureWrites(_ records: [String]) async throws {
    let kind = Kind.all(log)[0]
    let figures = try await EngineWrites(
      engine: engine, index: Self.index, queries: kind.queries.map { Array($0.text.utf8) },
      records: records
    ).run()
    print(
      "writes",
      [
        ("writes", Double(figures.writes.count)), ("write_p50_ms", figures.writes.percentile(50)),
        ("write_p99_ms", figures.writes.percentile(99)),
        ("write_max_ms", figures.writes.max() ?? 0),
        ("alone_p50_ms", figures.alone.percentile(50)),
        ("alone_p99_ms", figures.alone.percentile(99)),
        ("beside", Double(figures.beside.count)), ("beside_p50_ms", figures.beside.percentile(50)),
        ("beside_p99_ms", figures.beside.percentile(99)), ("torn", Double(figures.tornCount)),
      ])
  }

  /// Runs the first queries to warm up, and then measures all.
  private func measure(_ kind: Kind) async throws {
    let bodies = kind.queries.map { Array($0.text.utf8) }
    var (times, costs): ([Double], [Double]) = ([], [])
    let clock = ContinuousClock()
    for round in 0..<2 {
      for body in bodies.prefix(round == 0 ? 50 : bodies.count) {
        let (start, cost) = (clock.now, ProcessFigures.processorTime)
        let response = try await engine.send(
          TransportRequest(.search(index: Self.index), body: body))
        if round == 1 {
          times.append(start.duration(to: clock.now).microseconds / 1000)
          costs.append((ProcessFigures.processorTime - cost) / 1000)
        }
        guard response.status == 200 else {
          throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
        }
      }
    }
    print(
      kind.name,
      [("queries", Double(times.count))]
        + [50, 95, 99].map { ("p\($0)_ms", times.percentile($0)) }
        + [50, 95, 99].map { ("cpu_p\($0)_ms", costs.percentile($0)) })
  }

  private func print(_ name: String, _ figures: [(name: String, value: Double)]) {
    let figures = figures.map { ($0.name, $0.value.rounded(toPlaces: 3)) }
    Swift.print(
      asJSON
        ? "{\"name\":\"engine.\(name)\"" + figures.map { ",\"\($0)\":\($1)" }.joined() + "}"
        : "engine.\(name): " + figures.map { "\($0) \($1)" }.joined(separator: ", "))
    fflush(nil)
  }

  /// Queries of one kind.
  private struct Kind {
    let name: String
    let queries: [JSON]

    /// All kinds, from the queries of a log.
    static func all(_ log: [String]) -> [Kind] {
      let words = log.map { $0.split(separator: " ").map(String.init) }
      func kind(
        _ name: String, _ texts: [String], _ members: JSON = [:], facets: Bool = true
      ) -> Kind {
        Kind(
          name: name,
          queries: texts.map { text in
            var query: JSON = ["query": .string(text), "hitsPerPage": 20]
            if facets { query["facets"] = ["brand", "categories", "rating"] }
            for (key, value) in members.objectValue ?? [:] { query[key] = value }
            return query
          })
      }
      func ofLength(_ count: Int) -> [String] {
        log.indices.filter { words[$0].count == count }.map { log[$0] }
      }
      let letters = "abcdefghijklmnoprstvwz".map { String($0) }
      let empty = [String](repeating: "", count: 200)
      let misspelt = words.compactMap { words -> String? in
        guard let word = words.first(where: { $0.count >= 9 }) else { return nil }
        var letters = Array(word)
        letters.swapAt(2, 3)
        letters[6] = letters[6] == "x" ? "y" : "x"
        return String(letters)
      }
      let scores = JSON.array((0..<10_000).map { .string("price:\($0).5<score=\($0 % 9 + 1)>") })
      return [
        kind("log", log),
        kind("bare", log, ["attributesToHighlight": []], facets: false),
        kind("empty", empty),
        kind("letter", (0..<10).flatMap { _ in letters }),
        kind("oneWord", ofLength(1)), kind("twoWords", ofLength(2)),
        kind("threeWords", ofLength(3)),
        kind("twoTypos", misspelt),
        kind("filter", empty, ["filters": "rating > 2 AND NOT categories:nothing"]),
        kind("filteredLog", log, ["filters": "rating > 2 AND price < 40"]),
        kind("geo", empty, ["aroundLatLng": "48.1,11.6", "aroundRadius": "all"]),
        kind("geoNear", empty, ["aroundLatLng": "48.1,11.6"]),
        kind("distinct", log, ["distinct": true]),
        kind("optional", ofLength(3), ["removeWordsIfNoResults": "allOptional"]),
        kind("sort", log, ["ranking": ["asc(price)", "typo", "words", "proximity", "attribute"]]),
        kind("manyHits", empty, ["hitsPerPage": 1000], facets: false),
        kind("optionalFilters", ["", "", ""], ["optionalFilters": scores]),
      ]
    }
  }
}
