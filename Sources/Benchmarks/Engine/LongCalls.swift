import AsyncInstantSearch
import LocalSearch

/// Calls for a million records, or for a record or a setting with very many values.
enum LongCalls {
  private static let count = 1_000_000

  /// Reports the time between two checks of each.
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
    try await CheckClock.report("bounds.points.save", asJSON: asJSON) { deadline in
      try await engine.save([record], in: "points", deadline: deadline)
    }
    let text = Array("[\(record.text)]".utf8)
    try await CheckClock.report("bounds.points.load", asJSON: asJSON) { deadline in
      try await engine.load(text, into: "points", deadline: deadline)
    }
    for (name, radius) in [("all", "all"), ("radius", 1000), ("automatic", nil)]
      as [(String, JSON?)]
    {
      var query: JSON = ["aroundLatLng": "1,1", "getRankingInfo": true, "attributesToRetrieve": []]
      query["aroundRadius"] = radius
      try await report("points." + name, "points", query, on: engine, asJSON: asJSON)
    }
    // About as long as the data of a setting may be.
    let numbers = JSON.array((0..<180_000).map { .int(Int64($0)) })
    var settings = IndexSettings()
    settings.userData = numbers
    try await CheckClock.report("bounds.userData", asJSON: asJSON) { [settings] deadline in
      try await engine.setSettings(settings, of: "settings", deadline: deadline)
    }
    try await report("userData.query", "settings", [:], on: engine, asJSON: asJSON)
    let body = ["userData": numbers] as JSON
    try await report(
      "userData.put", "settings", body, action: "settings", method: .put, on: engine,
      asJSON: asJSON)
  }

  /// A million records.
  private static func reportRecords(asJSON: Bool) async throws {
    let engine = LocalSearch()
    let settings = IndexSettings(searchableAttributes: ["t"], customRanking: ["desc(n)"])
    try await engine.setSettings(settings, of: "million")
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
      try await report("million." + name, "million", query, on: engine, asJSON: asJSON)
    }
    for (name, query) in [("browse", [:]), ("browseWord", ["query": "alpha"])] as [(String, JSON)] {
      try await report(
        "million." + name, "million", query, action: "browse", on: engine, asJSON: asJSON)
    }
    try await CheckClock.report("bounds.million.clear", asJSON: asJSON) { deadline in
      try await engine.clear("million", deadline: deadline)
    }
  }

  private static func report(
    _ name: String, _ index: String, _ body: JSON, action: String = "query",
    method: TransportRequest.Method = .post, on engine: LocalSearch, asJSON: Bool
  ) async throws {
    let bytes = Array(body.text.utf8)
    try await CheckClock.report("bounds." + name, asJSON: asJSON) { deadline in
      let response = try await engine.send(
        TransportRequest(
          method: method, pathComponents: ["1", "indexes", index, action], body: bytes,
          callType: method == .put ? .write : .read, deadline: deadline))
      guard response.status == 200 else {
        throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
      }
    }
  }
}
