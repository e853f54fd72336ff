import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// The encoding of each event, and which events are rejected.
struct InsightsEventTests {
  private static let queryID = "0123456789abcdef0123456789abcdef"

  private struct Film: Codable, Sendable {
    var title = "Heat"
  }

  private func hit(_ objectID: String, position: Int? = 3, queryID: String? = Self.queryID)
    -> Hit<Film>
  {
    Hit(
      objectID: objectID, object: Film(),
      searchMetadata: SearchMetadata(position: position, queryID: queryID))
  }

  /// The members of an encoded event, except those that all events have.
  private func sent(_ event: InsightsEvent) async throws -> JSON {
    let server = InsightsServer()
    let client = try InsightsClient(transport: server, userToken: "u1", currentDate: { testDay })
    try await client.track(event)
    await client.flush()
    var json = try #require(server.firstEvents.first)
    expectEqual(json["eventName"], "Did")
    expectEqual(json["index"], "films")
    expectEqual(json["userToken"], "u1")
    expectEqual(json["timestamp"], 1_700_000_000_000)
    for name in ["eventName", "index", "userToken", "timestamp"] { json[name] = nil }
    expectEqual(server.requests.first?.path, "/1/events")
    expectEqual(server.requests.first?.callType, .write)
    return json
  }

  // MARK: The rows of the contract

  @Test func clicks() async throws {
    let search: JSON = [
      "eventType": "click", "objectIDs": ["1"], "positions": [3], "queryID": .string(Self.queryID),
    ]
    try await expectEqual(sent(.clicked(hit("1"), named: "Did", in: "films")), search)
    try await expectEqual(
      sent(.clicked([hit("1"), hit("2", position: 7)], named: "Did", in: "films")),
      [
        "eventType": "click", "objectIDs": ["1", "2"], "positions": [3, 7],
        "queryID": .string(Self.queryID),
      ])
    try await expectEqual(
      sent(.clicked(objectIDs: ["1", "2"], named: "Did", in: "films")),
      ["eventType": "click", "objectIDs": ["1", "2"]])
    try await expectEqual(
      sent(
        .clicked(filters: [InsightsFilter(facet: "a", value: "b c")], named: "Did", in: "films")),
      ["eventType": "click", "filters": ["a:b%20c"]])
  }

  @Test func conversions() async throws {
    try await expectEqual(
      sent(.converted(hit("1", position: nil), named: "Did", in: "films")),
      [
        "eventType": "conversion", "objectIDs": ["1"], "queryID": .string(Self.queryID),
      ])
    try await expectEqual(
      sent(.converted(objectIDs: ["1"], named: "Did", in: "films")),
      ["eventType": "conversion", "objectIDs": ["1"]])
    try await expectEqual(
      sent(
        .converted(filters: [InsightsFilter(encoded: "a:1%25")], named: "Did", in: "films")),
      ["eventType": "conversion", "filters": ["a:1%25"]])
  }

  @Test func carts() async throws {
    let items = [
      try InsightsItem(hit("1"), price: 19.5, quantity: 2, discount: "0.10"),
      try InsightsItem(hit("2")),
    ]
    try await expectEqual(
      sent(
        .addedToCart(items, value: "38.80", currency: "EUR", named: "Did", in: "films")),
      [
        "eventType": "conversion", "eventSubtype": "addToCart", "objectIDs": ["1", "2"],
        "queryID": .string(Self.queryID), "currency": "EUR", "value": "38.80",
        "objectData": [["price": 19.5, "quantity": 2, "discount": "0.10"], [:]],
      ])
    try await expectEqual(
      sent(.addedToCart([InsightsItem("1")], named: "Did", in: "films")),
      ["eventType": "conversion", "eventSubtype": "addToCart", "objectIDs": ["1"]])
  }

  @Test func purchases() async throws {
    let other = "message_7"
    let items = [
      try InsightsItem(hit("1"), price: 5), InsightsItem("2", queryID: other), InsightsItem("3"),
    ]
    try await expectEqual(
      sent(.purchased(items, value: 15, currency: "usd", named: "Did", in: "films")),
      [
        "eventType": "conversion", "eventSubtype": "purchase", "objectIDs": ["1", "2", "3"],
        "currency": "usd", "value": 15,
        "objectData": [
          ["price": 5, "queryID": .string(Self.queryID)], ["queryID": .string(other)], [:],
        ],
      ])
    try await expectEqual(
      sent(.purchased([InsightsItem("1")], named: "Did", in: "films")),
      ["eventType": "conversion", "eventSubtype": "purchase", "objectIDs": ["1"]])
  }

  @Test func views() async throws {
    try await expectEqual(
      sent(.viewed([hit("1", queryID: nil)], named: "Did", in: "films")),
      ["eventType": "view", "objectIDs": ["1"]])
    try await expectEqual(
      sent(.viewed(filters: [Attribute("a") == "b"], named: "Did", in: "films")),
      ["eventType": "view", "filters": ["a:b"]])
  }

  @Test func valuesOfTheEventOverrideThoseOfTheClient() async throws {
    let server = InsightsServer()
    let client = try InsightsClient(
      transport: server, userToken: "u1", authenticatedUserToken: "a1", currentDate: { testDay })
    try await client.track(event(1))
    try await client.track(
      event(2).setting(\.userToken, to: "u2").setting(\.authenticatedUserToken, to: "a2")
        .setting(\.timestamp, to: testDay.addingTimeInterval(-1.5)))
    try await client.setUserToken("u3")
    try await client.track(event(3))
    await client.flush()
    let events = server.firstEvents
    expectEqual(events.map { $0["userToken"] }, ["u1", "u2", "u3"])
    expectEqual(events.map { $0["authenticatedUserToken"] }, ["a1", "a2", nil])
    expectEqual(events[1]["timestamp"], 1_699_999_998_500)
  }

  // MARK: Hits and filters

  @Test func hitMustHaveAQueryIDAndAPosition() {
    func message(_ make: () throws -> Any) -> String {
      let error = #expect(throws: SearchError.self) { _ = try make() }
      expectEqual(error?.code, .invalidRequest)
      return error?.message ?? ""
    }
    expectEqual(
      message { try InsightsEvent.clicked(hit("7", queryID: nil), named: "Did", in: "f") },
      #"The event "Did": the hit "7" has no queryID; the search was made without clickAnalytics."#)
    #expect(
      message { try InsightsEvent.clicked(hit("7", position: nil), named: "Did", in: "f") }
        .contains(#"the hit "7" has no position"#))
    #expect(
      message {
        try InsightsEvent.converted([hit("1"), hit("2", queryID: "x")], named: "Did", in: "f")
      }.contains("different searches"))
    #expect(
      message { try InsightsEvent.clicked([Hit<Film>](), named: "D", in: "f") }.contains("no hits"))
    #expect(message { try InsightsItem(hit("7", queryID: nil)) }.contains("clickAnalytics"))
  }

  @Test func valuesOfFiltersAreNotChanged() throws {
    let cases: [(Filter, String)] = [
      (.facet(Attribute("zip") == "00123"), "zip:00123"),
      (.facet(Attribute("brand") == "A & B: 10%/é"), "brand:A%20%26%20B%3A%2010%25%2F%C3%A9"),
      (.facet(Filter.Facet("n", .number(5))), "n:5"),
      (.facet(Filter.Facet("n", .number(0.5))), "n:0.5"),
      (.facet(Attribute("new") == true), "new:true"),
      (.numeric(Attribute("year") == 1_999), "year:1999"),
      (.tag("sale"), "_tags:sale"),
    ]
    for (filter, text) in cases { try expectEqual(InsightsFilter(filter).description, text) }
    let refused: [Filter] = [
      .facet(Attribute("brand") != "A"), .numeric(Attribute("price") > 10),
      .numeric(Attribute("price").isIn(1...2)), .numeric(Attribute("price") == .nan),
      .tag(Filter.Tag("sale", isNegated: true)),
    ]
    for filter in refused {
      let error = #expect(throws: SearchError.self) { try InsightsFilter(filter) }
      expectEqual(error?.code, .invalidRequest)
    }
  }

  // MARK: Rules

  /// The error of a rejected event. Nothing of it is stored.
  private func refusal(_ event: InsightsEvent) async throws -> String {
    let server = InsightsServer()
    let storage = InMemoryInsightsStorage()
    let client = try InsightsClient(
      transport: server, userToken: "u1", storage: storage, currentDate: { testDay })
    let error = await #expect(throws: SearchError.self) { try await client.track(event) }
    expectEqual(error?.code, .invalidRequest)
    await expectEqual(client.waitingCount, 0)
    await client.flush()
    #expect(server.requests.isEmpty)
    return error?.message ?? ""
  }

  @Test func everyRuleHasItsError() async throws {
    let good = event(1)
    for name in ["", "é", "a\n", String(repeating: "n", count: 65)] {
      #expect(try await refusal(good.setting(\.name, to: name)).contains("eventName"))
    }
    #expect(try await refusal(good.setting(\.indexName, to: "")).contains("index"))
    for token in ["", "a b", "é", String(repeating: "t", count: 130)] {
      for member in [\InsightsEvent.userToken, \.authenticatedUserToken] {
        let message = try await refusal(good.setting(member, to: token))
        #expect(message.contains("serToken must be"))
        #expect(token.isEmpty || !message.contains(token))
      }
    }
    for (age, isRefused) in [(30 * 86_400.0, false), (30 * 86_400.0 + 0.001, true)] {
      let old = good.setting(\.timestamp, to: testDay.addingTimeInterval(-age))
      if isRefused {
        #expect(try await refusal(old).contains("timestamp"))
      } else {
        try await InsightsClient(
          transport: InsightsServer(), userToken: "u", currentDate: { testDay }
        ).track(old)
      }
    }
    for seconds in [Double.nan, .infinity, -1, 1e300] {
      let strange = good.setting(\.timestamp, to: Date(timeIntervalSince1970: seconds))
      #expect(try await refusal(strange).contains("timestamp"))
    }
  }

  @Test func everyRuleOfObjectsHasItsError() async throws {
    let many = (0..<21).map(String.init)
    func clicked(_ objectIDs: [String], _ positions: [Int], _ queryID: String = Self.queryID)
      -> InsightsEvent
    {
      .clicked(
        objectIDs: objectIDs, positions: positions, queryID: queryID, named: "Did", in: "f")
    }
    #expect(try await refusal(clicked([], [])).contains("objectIDs has 0 elements"))
    #expect(
      try await refusal(.converted(objectIDs: many, queryID: Self.queryID, named: "Did", in: "f"))
        .contains("objectIDs has 21 elements"))
    #expect(try await refusal(clicked(["1", ""], [1, 2])).contains("objectIDs[1] is empty"))
    try await expectEqual(
      refusal(clicked(["1", "2"], [1])),
      #"The event "Did": positions has 1 elements for 2 objectIDs."#)
    #expect(try await refusal(clicked(["1", "2"], [1, 0])).contains("positions[1] is 0"))
    for queryID in ["", "abc", "message_", Self.queryID.uppercased(), Self.queryID + "0"] {
      #expect(try await refusal(clicked(["1"], [1], queryID)).contains("queryID"))
      #expect(
        try await refusal(
          .purchased([InsightsItem("1", queryID: queryID)], named: "Did", in: "f")
        ).contains("queryID"))
    }
    #expect(
      try await refusal(
        .addedToCart(
          [InsightsItem("1", queryID: Self.queryID), InsightsItem("2")], named: "Did", in: "f")
      ).contains("queryID is not the same"))
  }

  @Test func everyRuleOfMoneyHasItsError() async throws {
    for amount in ["", "1,5", "1.", ".5", "1.5.2", "1e3", "-", "12345678901234567", "١"] {
      let amount = InsightsAmount(decimal: amount)
      #expect(
        try await refusal(.purchased([InsightsItem("1")], value: amount, named: "Did", in: "f"))
          .contains("value"))
      #expect(
        try await refusal(
          .purchased([InsightsItem("1"), InsightsItem("2", price: amount)], named: "D", in: "f")
        ).contains("objectData[1].price"))
      #expect(
        try await refusal(
          .addedToCart([InsightsItem("1", discount: amount)], named: "Did", in: "f")
        ).contains("objectData[0].discount"))
    }
    for number in [Double.nan, .infinity] {
      #expect(
        try await refusal(
          .purchased([InsightsItem("1")], value: InsightsAmount(number), named: "Did", in: "f")
        ).contains("value"))
    }
    for currency in ["", "EU", "EURO", "E1R", "€"] {
      #expect(
        try await refusal(.purchased([InsightsItem("1")], currency: currency, named: "D", in: "f"))
          .contains("currency"))
    }
    _ = try await sent(
      .purchased(
        [InsightsItem("1")], value: "-1234567890.1234", currency: "EUR", named: "Did", in: "films"))
    let items = [InsightsItem("1", quantity: 2), InsightsItem("2", price: 3)]
    #expect(
      try await refusal(.purchased(items, value: 6, named: "Did", in: "f")).contains(
        "value has no currency"))
    #expect(
      try await refusal(.addedToCart(items, named: "Did", in: "f")).contains(
        "objectData[1].price has no currency"))
    #expect(
      try await refusal(.addedToCart([InsightsItem("1", discount: 1)], named: "Did", in: "f"))
        .contains("objectData[0].discount has no currency"))
  }

  @Test func everyRuleOfFiltersHasItsError() async throws {
    func viewed(_ filters: [InsightsFilter]) -> InsightsEvent {
      .viewed(filters: filters, named: "Did", in: "f")
    }
    let good = InsightsFilter(facet: "a", value: "b")
    #expect(try await refusal(viewed([])).contains("filters has 0"))
    let many = Array(repeating: good, count: 21)
    #expect(
      try await refusal(.converted(filters: many, named: "Did", in: "f")).contains("filters has 21")
    )
    for bad in [
      InsightsFilter(facet: "", value: "b"), InsightsFilter(facet: "a:b", value: "c"),
      InsightsFilter(facet: "a", value: ""), InsightsFilter(encoded: "a"),
      InsightsFilter(encoded: "a:"), InsightsFilter(encoded: ":b"), InsightsFilter(encoded: "a:%"),
      InsightsFilter(encoded: "a:b c"), InsightsFilter(encoded: "a:é"),
      InsightsFilter(encoded: "a:%FF"),
    ] {
      #expect(try await refusal(viewed([good, bad])).contains("filters[1]"), "\(bad)")
    }
  }

  @Test func tooLongEventIsRejected() async throws {
    let long = String(repeating: "x", count: 2_000_000)
    #expect(
      try await refusal(.viewed(objectIDs: [long], named: "Did", in: "f")).contains("longer"))
  }

  // MARK: Tokens

  @Test func anonymousTokensAreValidAndDiffer() {
    var generator = SeededGenerator(seed: 1)
    let tokens = (0..<100).map { _ in InsightsUserToken.anonymous(using: &generator) }
    expectEqual(Set(tokens).count, 100)
    #expect(tokens.allSatisfy(InsightsUserToken.isValid))
    #expect(tokens.allSatisfy { $0.hasPrefix("anonymous-") && $0.utf8.count == 42 })
    #expect(InsightsUserToken.anonymous() != InsightsUserToken.anonymous())
  }

  @Test func tokensAreNotShown() async throws {
    func allDescriptions(of value: Any) -> String {
      var text = "\(value)" + String(reflecting: value)
      dump(value, to: &text)
      return text
    }
    let event = event(1).setting(\.userToken, to: "sekret")
      .setting(\.authenticatedUserToken, to: "sekret")
    #expect(!allDescriptions(of: event).contains("sekret"))
    #expect(allDescriptions(of: event).contains("e1"))
    let record = InsightsRecord(id: 1, timestamp: 2, event: Array(#"{"userToken":"sekret"}"#.utf8))
    let failure = InsightsFailure(.refused, SearchError(.invalidRequest, "No."), record: record)
    for value in [record, failure, InsightsBacklog(records: [record])] as [Any] {
      #expect(!allDescriptions(of: value).contains("sekret"))
      #expect(!allDescriptions(of: value).contains("123, 34"))
    }
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "sekret", authenticatedUserToken: "sekret")
    #expect(!allDescriptions(of: client).contains("sekret"))
  }
}
