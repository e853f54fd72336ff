import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

/// The order of records by several criteria, on the server and on the embedded engine.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct OrderTests {
  private static let custom = ["desc(stars)", "asc(label)", "desc(price)", "asc(number)"]

  private static let filled = Task { () async throws -> [any SearchTransport] in
    var dice = Dice(seed: 5)
    let labels = ["", "a", "ab", "B", "b c", "abcdefgh", "abcdefgi", "é", "日本", "-x", "a!"]
    let records: [JSON] = (0..<300).map { number in
      var record: [String: JSON] = [
        "objectID": .string("\(number)"), "number": .int(Int64(number)),
        "word": .string(["red", "red blue", "green"][number % 3]),
        "_geoloc": ["lat": .int(Int64(number % 2)), "lng": 0],
      ]
      if dice.percent(80) {
        record["stars"] = .int(Int64(Int.random(in: -2...2, using: &dice)))
      }
      if dice.percent(80) { record["label"] = .string(dice.one(of: labels)) }
      if dice.percent(80) { record["price"] = .double(dice.one(of: [-1.5, 0, 0.25, 1e9])) }
      if dice.percent(10) { record["price"] = .bool(dice.percent(50)) }
      if dice.percent(5) { record["stars"] = .string(dice.one(of: labels)) }
      return .object(record)
    }
    let transports: [any SearchTransport] = [
      TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key), LocalSearch(),
    ]
    for transport in transports {
      let client = SearchClient(transport: transport)
      var settings = IndexSettings(searchableAttributes: ["word"], customRanking: custom)
      settings.replicas = ["orders_by_price"]
      try await client.setSettings(settings, of: "orders")
      settings.replicas = []
      settings.ranking.insert("desc(price)", at: 0)
      try await client.setSettings(settings, of: "orders_by_price")
      try await client.save(records, in: "orders")
    }
    return transports
  }

  @Test(
    "Several criteria rank together as on the engine",
    arguments: [
      ("orders", "{}"), ("orders", #"{"query":"green"}"#),
      ("orders", #"{"aroundLatLng":"0,0","aroundPrecision":1}"#),
      ("orders", #"{"query":"green","aroundLatLng":"0,0","aroundPrecision":1}"#),
      ("orders_by_price", "{}"), ("orders_by_price", #"{"query":"green"}"#),
      ("orders", #"{"optionalFilters":["objectID:7"],"query":"green"}"#),
    ])
  func order(index: String, query: String) async throws {
    try await compare(Self.filled.value, index, query)
  }

  @Test("Texts rank to their ends, also if the first one comes late")
  func texts() async throws {
    let server = TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key)
    let engine = LocalSearch()
    // It knows the index before there are texts.
    let other = TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key)
    let orders = [
      ["desc(rating)", "asc(title)"], ["asc(title)", "desc(rating)"], ["desc(title)"],
    ]
    for (number, custom) in orders.enumerated() {
      let name = "titles\(number)"
      for transport in [server, engine] as [any SearchTransport] {
        let client = SearchClient(transport: transport)
        try await client.setSettings(
          IndexSettings(searchableAttributes: ["word"], customRanking: custom), of: name)
        try await client.save(
          (0..<5).map { ["objectID": "\($0)", "word": "red", "title": .int(-$0)] as JSON }, in: name
        )
      }
      for query in ["{}", #"{"query":"red"}"#] { try await compare([other, engine], name, query) }
      for transport in [server, engine] as [any SearchTransport] {
        try await SearchClient(transport: transport).save(
          (0..<40).map { number -> JSON in
            [
              "objectID": "t\(number)", "word": "red", "rating": .int(Int64(number % 3)),
              "title": .string("sunflower \(number * 7 % 40 + 10)"),
            ]
          }, in: name)
      }
      for query in ["{}", #"{"query":"red"}"#] { try await compare([other, engine], name, query) }
      // A copy has the texts as well.
      for transport in [server, engine] as [any SearchTransport] {
        try await SearchClient(transport: transport).copyIndex(name, to: "\(name)-copy")
      }
      try await compare([other, engine], "\(name)-copy", "{}")
    }
  }

  @Test("An automatic radius has the records at its end", arguments: ["0,0", "10,20", "60,-179.9"])
  func radius(center: String) async throws {
    let numbers = center.split(separator: ",").compactMap { Double($0) }
    let transports: [any SearchTransport] = [
      TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key), LocalSearch(),
    ]
    var answers: [JSON] = []
    for transport in transports {
      let client = SearchClient(transport: transport)
      try await client.save(
        (0..<1500).map { number -> JSON in
          [
            "objectID": .string("\(number)"),
            "_geoloc": [
              "lat": .double(numbers[0] + 0.011 * Double(number / 40)),
              "lng": .double(numbers[1] < -170 ? numbers[1] + 359.95 : numbers[1]),
            ],
          ]
        }, in: "around\(numbers[0])")
      let response = try await transport.send(
        TransportRequest(
          .search(index: "around\(numbers[0])"),
          body: Array(#"{"aroundLatLng":"\#(center)","hitsPerPage":0}"#.utf8)))
      answers.append(try JSON(parsing: response.body))
    }
    expectEqual(answers[0]["nbHits"], answers[1]["nbHits"])
    let radii = answers.map { Int($0["automaticRadius"]?.stringValue ?? "") ?? 0 }
    #expect(abs(radii[0] - radii[1]) <= 1, "\(radii)")
  }

  private func compare(
    _ transports: [any SearchTransport], _ index: String, _ query: String
  ) async throws {
    var orders: [[String]] = []
    for transport in transports {
      var parameters = try JSON(parsing: Array(query.utf8)).objectValue ?? [:]
      parameters["hitsPerPage"] = 400
      let response = try await transport.send(
        TransportRequest(.search(index: index), body: Array(JSON.object(parameters).text.utf8)))
      let hits = try JSON(parsing: response.body)["hits"]?.arrayValue ?? []
      orders.append(hits.compactMap { $0["objectID"]?.stringValue })
    }
    #expect(orders[0].count >= 5)
    expectEqual(orders[0], orders[1], "\(index) \(query)")
  }
}
