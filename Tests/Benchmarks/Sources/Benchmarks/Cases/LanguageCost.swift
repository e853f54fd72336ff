import AsyncInstantSearch
import Foundation
import LocalSearch

/// Measures what synonyms, forms, stop words, words inside words and compounds cost: the queries of
/// a log with and without them, alternately, and the processor time and memory of loading.
///
/// The catalogue is the one of ``EngineCatalogue``. Both sides of a comparison have the same
/// records.
struct LanguageCost {
  private static let index = "products"

  /// What an engine has beside the catalogue.
  private struct Variant {
    let name: String
    var synonyms: [Synonym.Kind] = []
    var change: (inout IndexSettings) -> Void = { _ in }
  }

  /// - Parameter arguments: The folder of the catalogue, its number of records, and `loading` if
  ///   queries are left out.
  static func report(_ arguments: [String], asJSON: Bool) async throws {
    guard let folder = arguments.first, arguments.count > 1, let count = Int(arguments[1]) else {
      throw Mismatch(description: "usage: Benchmarks language FOLDER RECORDS [loading]")
    }
    let url = URL(filePath: folder)
    let records = try Data(contentsOf: url.appending(path: "records-\(count).ndjson"))
    let log = try String(contentsOf: url.appending(path: "queries-\(count).txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    if arguments.last != "loading" {
      try await reportQueries([UInt8](records), log, asJSON: asJSON)
    }
    try await reportLoading([UInt8](records), asJSON: asJSON)
  }

  private static func engine(_ records: [UInt8], _ variant: Variant) async throws -> LocalSearch {
    let engine = LocalSearch()
    let client = SearchClient(transport: engine)
    var settings = EngineCatalogue.settings
    variant.change(&settings)
    try await client.setSettings(settings, of: index)
    try await client.saveSynonyms(
      variant.synonyms.enumerated().map { Synonym("\($0)", $1) }, in: index
    ).wait()
    try await engine.load(records, into: index)
    return engine
  }

  private static func print(
    _ name: String, _ figures: [(name: String, value: Double)], asJSON: Bool
  ) {
    let figures = figures.map { ($0.name, $0.value.rounded(toPlaces: 3)) }
    Swift.print(
      asJSON
        ? "{\"name\":\"language.\(name)\"" + figures.map { ",\"\($0)\":\($1)" }.joined() + "}"
        : "language.\(name): " + figures.map { "\($0) \($1)" }.joined(separator: ", "))
    fflush(nil)
  }

  // MARK: Queries

  private static func variants(_ words: [String]) -> [Variant] {
    func pairs(_ change: (String, String) -> Synonym.Kind) -> [Synonym.Kind] {
      (0..<10_000).map { number in
        // Words of all frequencies, each with one far from it.
        change(words[number * 7919 % words.count], words[(number * 104_729 + 1) % words.count])
      }
    }
    func setLanguages(_ settings: inout IndexSettings) {
      settings.ignorePlurals = [.english]
      settings.removeStopWords = [.english]
    }
    return [
      Variant(name: "forms", change: setLanguages),
      Variant(
        name: "otherSynonyms", synonyms: pairs { .oneWay(from: $0 + "xx", to: [$1 + "yy"]) },
        change: setLanguages),
      Variant(
        name: "synonyms", synonyms: pairs { .equivalent([$0, $1]) },
        change: setLanguages),
    ]
  }

  private static func reportQueries(
    _ records: [UInt8], _ log: [String], asJSON: Bool
  ) async throws {
    let text = String(decoding: records.prefix(4_000_000), as: UTF8.self)
    let words = Set(text.split { !$0.isLetter }.map(String.init)).sorted()
    let bodies = log.map { text in
      let query: JSON = [
        "query": .string(text), "hitsPerPage": 20, "facets": ["brand", "categories", "rating"],
      ]
      return Array(query.text.utf8)
    }
    let plain = try await engine(records, Variant(name: "plain"))
    for variant in variants(words) {
      let other = try await engine(records, variant)
      var times: [[Double]] = [[], []]
      for round in 0..<3 {
        for body in bodies {
          for (side, engine) in [plain, other].enumerated() {
            let start = ContinuousClock.now
            let response = try await engine.send(
              TransportRequest(.search(index: index), body: body))
            guard response.status == 200 else {
              throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
            }
            if round > 0 { times[side].append(start.duration(to: .now).microseconds / 1000) }
          }
        }
      }
      print(
        "queries." + variant.name,
        [50, 99].flatMap { percentile in
          let (before, after) = (
            times[0].percentile(percentile), times[1].percentile(percentile)
          )
          return [
            ("plain_p\(percentile)_ms", before), ("p\(percentile)_ms", after),
            ("p\(percentile)_ratio", after / before),
          ]
        }, asJSON: asJSON)
    }
  }

  // MARK: Loading

  /// Loads texts with and without the setting that finds words in their words, alternately.
  private static func reportLoading(_ records: [UInt8], asJSON: Bool) async throws {
    let plain = Variant(name: "plain")
    let cases: [(Variant, text: (String) -> String)] = [
      (
        Variant(name: "camelCase") { $0.additionalSettings["camelCaseAttributes"] = ["name"] },
        { camelCased($0, words: 3) }
      ),
      (
        Variant(name: "camelCase.longNames") {
          $0.additionalSettings["camelCaseAttributes"] = ["name"]
        }, { camelCased($0, words: .max) }
      ),
      // Attributes that are not in the setting, and texts without such words.
      (
        Variant(name: "camelCase.elsewhere") {
          $0.additionalSettings["camelCaseAttributes"] = ["other"]
        }, { camelCased($0, words: 3) }
      ),
      (
        Variant(name: "camelCase.plainTexts") {
          $0.additionalSettings["camelCaseAttributes"] = ["name"]
        }, { $0 }
      ),
      (
        Variant(name: "compounds") {
          $0.additionalSettings["decompoundedAttributes"] = ["de": ["name"]]
        }, { $0 }
      ),
    ]
    for (variant, change) in cases {
      let lines = try changingNames(of: records, change)
      var (times, memory): ([[Double]], [[Double]]) = ([[], []], [[], []])
      for _ in 0..<3 {
        for (side, it) in [plain, variant].enumerated() {
          ProcessFigures.releaseFreeMemory()
          let (before, time) = (ProcessFigures.memory, ProcessFigures.processorTime)
          let engine = try await engine(lines, it)
          times[side].append((ProcessFigures.processorTime - time) / 1_000_000)
          ProcessFigures.releaseFreeMemory()
          memory[side].append(
            Double((ProcessFigures.memory - before) * 1024) / Double(lines.count))
          use(engine)
        }
      }
      print(
        "loading." + variant.name,
        [
          ("plain_cpu_s", times[0].percentile(50)), ("cpu_s", times[1].percentile(50)),
          ("ratio", times[1].percentile(50) / times[0].percentile(50)),
          ("plain_memory_per_byte", memory[0].percentile(50)),
          ("memory_per_byte", memory[1].percentile(50)),
        ], asJSON: asJSON)
    }
  }

  /// `some very red shirt` as `SomeVeryRed Shirt`, with three words.
  private static func camelCased(_ text: String, words count: Int) -> String {
    let words = text.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return stride(from: 0, to: words.count, by: min(count, words.count)).map { start in
      words[start...].prefix(count).joined()
    }.joined(separator: " ")
  }

  private static func changingNames(
    of records: [UInt8], _ change: (String) -> String
  ) throws -> [UInt8] {
    try records.split(separator: UInt8(ascii: "\n")).flatMap { line in
      var record = try JSON(parsing: Array(line))
      if let name = record["name"]?.stringValue { record["name"] = .string(change(name)) }
      return Array(record.text.utf8) + [UInt8(ascii: "\n")]
    }
  }
}
