import AsyncInstantSearch
import Foundation
import LocalSearch
import Synchronization

/// Measures the most expensive calls of the embedded engine, and how soon they notice a
/// cancellation.
enum EngineBounds {
  private static let index = "items"
  private static let settings = IndexSettings(
    searchableAttributes: ["name", "brand"],
    attributesForFaceting: ["searchable(brand)", "price"], customRanking: ["desc(price)"])

  /// Measures searches with many filters and the time between two checks of a write.
  static func report(asJSON: Bool) async throws {
    let items = EngineItem.items(20_000, haveDetails: true)
    let engine = try await LocalSearch(indexName: index, records: items, settings: settings)
    for (name, query) in queries() {
      try await Measurement("bounds." + name, over: [query]) { query in
        let response = try await engine.send(
          request(.search(index: index), query.text))
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
      // A star, so that its edges are long.
      let angle = Double(step) / 10_000 * 8
      let radius = step.isMultiple(of: 2) ? 75.0 : 70
      let turned = angle - (angle / 4).rounded(.down) * 4
      let (x, y) =
        turned < 2 ? (1 - turned, 1 - abs(1 - turned)) : (turned - 3, abs(turned - 3) - 1)
      return [.double(radius * y), .double(radius * x)]
    }
    // Points anywhere, so that a third of the lines is at every latitude.
    let crossed = numbers.flatMap { number -> [JSON] in
      [.int(Int64(number &* 7919 % 161 - 80)), .int(Int64(number &* 104_729 % 341 - 170))]
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
      ("crossedPolygon", ["insidePolygon": [.array(crossed)]]),
    ]
  }

  private static func reportWrites(_ items: [EngineItem], asJSON: Bool) async throws {
    let encoder = JSONEncoder()
    let records = try items.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let batch =
      #"{"requests":["#
      + records.map { #"{"action":"addObject","body":\#($0)}"# }.joined(separator: ",") + "]}"
    let engine = try await LocalSearch(indexName: index, records: items, settings: settings)
    let writes: [(String, TransportRequest)] = [
      ("batch", request(.batch(index: "new"), batch)),
      ("batchOverOld", request(.batch(index: index), batch)),
      (
        "settings",
        request(.setSettings(index: index), #"{"searchableAttributes":["name"]}"#)
      ),
      (
        "deleteByQuery",
        request(.deleteBy(index: index), #"{"filters":"price > 1000"}"#)
      ),
      ("clear", request(.clear(index: index), "{}")),
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
        of: request(.replaceObject(index: name, objectID: "1"), body), name + ".save", on: engine,
        asJSON: asJSON)
      for (kind, query) in queries {
        var query = query
        query["removeWordsIfNoResults"] = "allOptional"
        try await reportChecks(
          of: request(.search(index: name), query.text), name + "." + kind, on: engine,
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

  private static func request(_ endpoint: Endpoint, _ body: String) -> TransportRequest {
    TransportRequest(endpoint, body: Array(body.utf8), callType: .write)
  }
}

/// A continuous clock that records the longest time between two readings.
final class CheckClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private struct Figures: Sendable {
    var first: Instant
    var last: Instant
    var checks = 0
    /// In microseconds.
    var longestGap = 0.0
    /// The longest time that one thread worked between two readings, in microseconds.
    var longestWork = 0.0
    /// The thread of the last reading, and its processor time then.
    var worker: (thread: ObjectIdentifier, time: Double)?
  }

  private let base = ContinuousClock()
  private let state: Mutex<Figures>

  private init() { state = Mutex(Figures(first: base.now, last: base.now)) }

  var minimumResolution: Duration { base.minimumResolution }

  var now: Instant {
    let now = base.now
    let work = ProcessFigures.threadTime
    let thread = ObjectIdentifier(Thread.current)
    state.withLock { figures in
      figures.checks += 1
      figures.longestGap = max(figures.longestGap, figures.last.duration(to: now).microseconds)
      if let worker = figures.worker, worker.thread == thread {
        figures.longestWork = max(figures.longestWork, work - worker.time)
      }
      figures.last = now
      figures.worker = (thread, work)
    }
    return now
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  /// Makes a call with a deadline that never passes, and prints its longest time between two
  /// checks: on the clock, and in processor time, which other processes do not affect.
  static func report(
    _ name: String, asJSON: Bool, _ call: (Deadline) async throws -> Void
  ) async throws {
    let clock = CheckClock()
    let deadline = Deadline(after: .seconds(1000), clock: clock)
    let now = clock.base.now
    clock.state.withLock { $0 = Figures(first: now, last: now) }
    try await call(deadline)
    // Includes the time from the last check to now.
    _ = clock.now
    let figures = clock.state.withLock { $0 }
    let gap = (figures.longestGap / 1000).rounded(toPlaces: 1)
    let work = (figures.longestWork / 1000).rounded(toPlaces: 1)
    let total = (figures.first.duration(to: figures.last).microseconds / 1000).rounded(toPlaces: 1)
    print(
      asJSON
        ? #"{"name":"\#(name)","total_ms":\#(total),"checks":\#(figures.checks),"longest_gap_ms":\#(gap),"longest_work_ms":\#(work)}"#
        : "\(name): \(total) ms, \(figures.checks) checks, at most \(gap) ms between two,"
          + " \(work) ms of one thread's work")
  }
}

/// Calls with a million records, or with a record or setting of very many values.
enum LongCalls {
  private static let count = 1_000_000

  /// Reports the time between two checks of each call.
  static func report(asJSON: Bool) async throws {
    try await reportValues(asJSON: asJSON)
    try await reportRecords(asJSON: asJSON)
  }

  /// A record with a million points, and the longest settings.
  private static func reportValues(asJSON: Bool) async throws {
    let engine = LocalSearch()
    let points = JSON.array(
      (0..<count).map { ["lat": .double(Double($0 % 90)), "lng": .double(Double($0 % 180))] })
    let record = ["objectID": "1", "_geoloc": points] as JSON
    try await report(
      "points.save", .batch(index: "points"),
      ["requests": [["action": "addObject", "body": record]]], on: engine, asJSON: asJSON)
    let text = Array("[\(record.text)]".utf8)
    try await CheckClock.report("bounds.points.load", asJSON: asJSON) { deadline in
      try await engine.load(text, into: "points", deadline: deadline)
    }
    for (name, radius) in [("all", "all"), ("radius", 1000), ("automatic", nil)]
      as [(String, JSON?)]
    {
      var query: JSON = ["aroundLatLng": "1,1", "getRankingInfo": true, "attributesToRetrieve": []]
      query["aroundRadius"] = radius
      try await report(
        "points." + name, .search(index: "points"), query, on: engine, asJSON: asJSON)
    }
    // Close to the maximum size of the data of a setting.
    let numbers = JSON.array((0..<180_000).map { .int(Int64($0)) })
    let body = ["userData": numbers] as JSON
    try await report(
      "userData.put", .setSettings(index: "settings"), body, on: engine, asJSON: asJSON)
    try await report("userData.query", .search(index: "settings"), [:], on: engine, asJSON: asJSON)
  }

  /// A million records.
  private static func reportRecords(asJSON: Bool) async throws {
    let engine = LocalSearch()
    let settings = IndexSettings(searchableAttributes: ["t"], customRanking: ["desc(n)"])
    try await SearchClient(transport: engine).setSettings(settings, of: "million")
    let lines = (0..<count).map {
      #"{"objectID":"\#($0)","t":"alpha w\#($0 % 1000)","n":\#(($0 &* 7919) % 100_003)}"#
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    for name in ["million.load", "million.replace"] {
      try await CheckClock.report("bounds." + name, asJSON: asJSON) { deadline in
        try await engine.load(bytes, into: "million", deadline: deadline)
      }
    }
    let queries: [(name: String, query: JSON)] = [
      ("word", ["query": "alpha"]), ("words", ["query": "alpha w"]),
      ("sort", ["query": "alpha", "ranking": ["asc(n)", "typo"]]),
      ("sortAll", ["ranking": ["asc(n)"]]),
    ]
    for (name, query) in queries {
      try await report(
        "million." + name, .search(index: "million"), query, on: engine, asJSON: asJSON)
    }
    for (name, query) in [("browse", [:]), ("browseWord", ["query": "alpha"])] as [(String, JSON)] {
      try await report(
        "million." + name, .browse(index: "million"), query, on: engine, asJSON: asJSON)
    }
    try await report("million.clear", .clear(index: "million"), [:], on: engine, asJSON: asJSON)
  }

  private static func report(
    _ name: String, _ endpoint: Endpoint, _ body: JSON, on engine: LocalSearch, asJSON: Bool
  ) async throws {
    let bytes = Array(body.text.utf8)
    try await CheckClock.report("bounds." + name, asJSON: asJSON) { deadline in
      let response = try await engine.send(
        TransportRequest(endpoint, body: bytes, deadline: deadline))
      guard response.status == 200 else {
        throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
      }
    }
  }
}
