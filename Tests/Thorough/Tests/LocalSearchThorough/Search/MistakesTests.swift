@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Probable mistakes are reported in the response, and are errors in strict mode.
struct MistakesTests {
  private static let records: [JSON] = [
    [
      "objectID": "1", "title": "one", "brand": "A", "price": 3, "tags": ["x"],
      "author": ["name": "Ann"],
    ]
  ]

  private static func settings(_ change: (inout IndexSettings) -> Void = { _ in }) -> IndexSettings
  {
    var settings = IndexSettings(
      searchableAttributes: ["title", "author"],
      attributesForFaceting: ["brand", "filterOnly(tags)", "price"])
    change(&settings)
    return settings
  }

  /// The records are read once for an attribute that only deleted ones have, and not again after
  /// each write.
  @Test func recordsAreReadOnceForAnAttribute() async throws {
    let records: [JSON] = (0..<1_000).map { number in
      [
        "objectID": .string("\(number)"), "text": "word",
        (number == 500 ? "gone" : "kept"): .array((0..<20).map { .int($0) }),
      ]
    }
    let fixture = try await CountedCall.fixture(records)
    func search() async throws -> Int {
      let (checks, message) = try await CountedCall.call(
        fixture, .post, [EngineFixture.index, "query"],
        ["attributesToRetrieve": ["gone"], "hitsPerPage": 0])
      expectEqual(message, nil)
      return checks
    }
    try await fixture.engine.delete(objectIDs: ["500"], from: EngineFixture.index)
    let first = try await search()
    var later: [Int] = []
    for number in 0..<3 {
      try await fixture.engine.delete(objectIDs: ["\(number)"], from: EngineFixture.index)
      try await later.append(search())
    }
    #expect(later.allSatisfy { $0 < first / 4 }, "\(first), then \(later)")
  }

  /// What only deleted records had is not there, before and after a merge.
  @Test func deletedRecordsDoNotCount() async throws {
    var records: [JSON] = (0..<20).map {
      ["objectID": .string("\($0)"), "title": "one", "brand": "A"]
    }
    records += (20..<23).map { number in
      [
        "objectID": .string("\(number)"), "title": "one", "gone": "x", "size": 3, "_tags": ["t"],
        "deep": ["inner": [["a.b": 1]]],
      ]
    }
    let settings = IndexSettings(
      searchableAttributes: ["title"], attributesForFaceting: ["brand", "gone", "size"])
    let fixture = try await EngineFixture(records, settings: settings)
    let searches: [JSON] = [
      ["facets": ["gone"]], ["filters": "gone:x"], ["filters": "size > 1"], ["tagFilters": ["t"]],
      ["attributesToRetrieve": ["deep.inner.a"]], ["attributesToRetrieve": ["deep"]],
      ["attributesToRetrieve": ["gon"]],
    ]
    func messages() async throws -> [String?] {
      var messages: [String?] = []
      for search in searches {
        try await messages.append(fixture.search(search)["message"]?.stringValue)
      }
      return messages
    }
    try await expectEqual(
      messages(),
      [
        nil, nil, nil, nil, nil, nil,
        #"attributesToRetrieve: no record has the attribute "gon"; did you mean "gone"?"#,
      ])
    for number in 20..<23 {
      try await fixture.engine.delete(objectIDs: ["\(number)"], from: EngineFixture.index)
    }
    let expected: [String?] = [
      #"facets: no record has a value of "gone""#,
      #"Filters by "gone" find nothing: no record has a value of it"#,
      #"Filters by numbers of "size" find nothing: no record has a number there"#,
      #"The filter "t" is for a tag, and no record has _tags; a filter by an attribute is written attribute:value"#,
      #"attributesToRetrieve: no record has the attribute "deep.inner.a""#,
      #"attributesToRetrieve: no record has the attribute "deep""#,
      #"attributesToRetrieve: no record has the attribute "gon""#,
    ]
    try await expectEqual(messages(), expected)
    // Every record is read again.
    try await fixture.engine.setSettings(
      IndexSettings(
        searchableAttributes: ["title", "objectID"], attributesForFaceting: ["gone", "size"]),
      of: EngineFixture.index)
    try await expectEqual(messages(), expected)
  }

  @Test func whatHasNoEffectIsReported() async throws {
    try await expectEqual(
      message(["enablePersonalization": true]),
      #"The parameter "enablePersonalization" has no effect in this engine: there are no profiles of users"#
    )
    try await expectEqual(
      message([
        "analytics": true, "userToken": "u", "enablePersonalization": false,
      ]), nil)
    try await expectEqual(
      message([:]) { $0.additionalSettings["enablePersonalization"] = true },
      #"The setting "enablePersonalization" has no effect in this engine: there are no profiles of users"#
    )
    let fixture = try await EngineFixture(Self.records)
    let saved = try await fixture.call(
      .put, [EngineFixture.index, "rules", "a"],
      ["objectID": "a", "consequence": ["params": ["query": "b"]]])
    expectEqual(saved.status, 200)
    try await expectEqual(
      fixture.search()["message"], "The stored rules (1) have no effect in this engine")
    try await expectEqual(fixture.search(["enableRules": false])["message"], nil)
  }

  @Test func languagesWithoutAListAreReported() async throws {
    try await expectEqual(
      message(["removeStopWords": ["en", "eo"]]),
      #"removeStopWords: there is no list for the language "eo""#)
    try await expectEqual(
      message(["ignorePlurals": true, "queryLanguages": ["fr"]]),
      #"ignorePlurals: there is no list for the language "fr""#)
    try await expectEqual(
      message(["removeStopWords": true]),
      "removeStopWords: true without queryLanguages means all languages with a list (13)")
    try await expectEqual(
      message(["naturalLanguages": ["eo"]]),
      #"""
      removeStopWords: there is no list for the language "eo". \#
      ignorePlurals: there is no list for the language "eo"
      """#)
    for parameters in [["removeStopWords": false], ["queryLanguages": ["eo"]]] as [JSON] {
      try await expectEqual(message(parameters), nil)
    }
    try await expectEqual(
      message([:]) { $0.ignorePlurals = ["eo"] },
      #"ignorePlurals: there is no list for the language "eo""#)
  }

  private func message(
    _ parameters: JSON, _ change: (inout IndexSettings) -> Void = { _ in }
  ) async throws -> String? {
    let settings = Self.settings(change)
    let fixture = try await EngineFixture(Self.records, settings: settings)
    let message = try await fixture.search(parameters)["message"]?.stringValue
    let several = try await fixture.call(
      .post, ["*", "queries"],
      ["requests": [try #require(parameters.adding("indexName", .string(EngineFixture.index)))]])
    expectEqual(several.body["results"]?[0]?["message"]?.stringValue, message)
    var configuration = LocalSearch.Configuration()
    configuration.rejectsMistakes = true
    // The settings are set before strict mode is enabled, if they have mistakes.
    if settings.additionalSettings.isEmpty {
      let strict = try await EngineFixture(
        Self.records, settings: settings, configuration: configuration)
      try await expectEqual(strict.refusal(parameters), message)
    }
    return message
  }

  @Test(
    arguments: [
      (
        ["facets": ["brnad"]],
        #"facets: "brnad" is not in attributesForFaceting; did you mean "brand"?"#
      ),
      (["facets": ["whatever"]], #"facets: "whatever" is not in attributesForFaceting"#),
      (["facets": ["tags"]], #"facets: "tags" is filterOnly in attributesForFaceting"#),
      (
        ["filters": "Brand:A"],
        #"Filters by "Brand" find nothing: it is not in attributesForFaceting; did you mean "brand"?"#
      ),
      (
        ["facetFilters": [["brant:A", "brant:B"]]],
        #"Filters by "brant" find nothing: it is not in attributesForFaceting; did you mean "brand"?"#
      ),
      (
        ["optionalFilters": ["brnd:A"]],
        #"Filters by "brnd" find nothing: it is not in attributesForFaceting; did you mean "brand"?"#
      ),
      (
        ["filters": "pirce > 2"],
        #"Filters by numbers of "pirce" find nothing: no record has a number there; did you mean "price"?"#
      ),
      (
        ["filters": "brand"],
        #"The filter "brand" is for a tag, and no record has _tags; a filter by an attribute is written attribute:value"#
      ),
      (
        ["hitPerPage": 3], #"Unknown parameter: hitPerPage; did you mean "hitsPerPage"?"#
      ),
      (
        ["restrictSearchableAttributes": ["titel"]],
        #"restrictSearchableAttributes: "titel" is not searched; did you mean "title"?"#
      ),
      (
        ["restrictSearchableAttributes": ["brand"]],
        #"restrictSearchableAttributes: "brand" is not searched"#
      ),
      (
        ["attributesToRetrieve": ["titel", "price"]],
        #"attributesToRetrieve: no record has the attribute "titel"; did you mean "title"?"#
      ),
      (
        ["attributesToHighlight": ["author.nam"]],
        #"attributesToHighlight: no record has the attribute "author.nam"; did you mean "author.name"?"#
      ),
      (
        ["attributesToSnippet": ["titel:10", "price"]],
        #"attributesToSnippet: no record has the attribute "titel"; did you mean "title"?"#
      ),
      (
        ["filters": "price:20 TO 10"],
        #"Filters by ranges of "price" find nothing: 20.0 is greater than 10.0"#
      ),
      (
        ["filters": "!brand:A"],
        #"Filters by "!brand" find nothing: it is not in attributesForFaceting; write NOT brand"#
      ),
      (
        ["ranking": ["desc(prise)", "typo"]],
        #"ranking: no record has the attribute "prise"; did you mean "price"?"#
      ),
      (["distinct": true], "distinct has no effect without the setting attributeForDistinct"),
      (
        ["facets": ["brnad"], "filters": "whatever:1"],
        #"facets: "brnad" is not in attributesForFaceting; did you mean "brand"? "#
          + #"Filters by "whatever" find nothing: it is not in attributesForFaceting"#
      ),
    ] as [(JSON, String)])
  func fruitlessSearchIsReported(parameters: JSON, text: String) async throws {
    try await expectEqual(message(parameters), text)
  }

  @Test(
    arguments: [
      [:], ["facets": ["*"]], ["facets": ["brand", "price"]], ["filters": "brand:none"],
      ["filters": "objectID:9 OR tags:x"], ["filters": "price > 100"], ["query": "nothing"],
      ["restrictSearchableAttributes": ["title", "author.name"], "distinct": false],
      ["attributesToRetrieve": ["*", "-titel"], "attributesToHighlight": ["author", "objectID"]],
      ["attributesToRetrieve": ["objectID", "author.name"], "ranking": ["typo", "asc(price)"]],
    ] as [JSON])
  func findingNothingIsNotAMistake(parameters: JSON) async throws {
    #expect(try await message(parameters) == nil)
  }

  @Test func aSearchableAttributeThatNoRecordHasIsReported() async throws {
    let text = try await message([:]) {
      $0.searchableAttributes = ["titel", "unordered(author.name)"]
    }
    expectEqual(
      text, #"searchableAttributes: no record has the attribute "titel"; did you mean "title"?"#)
  }

  @Test func anAttributeForDistinctThatNoRecordHasIsReported() async throws {
    let text = try await message([:]) { $0.attributeForDistinct = "bran" }
    expectEqual(
      text,
      #"attributeForDistinct: no record has the attribute "bran"; did you mean "brand"?"#)
  }

  @Test func aCustomRankingThatNoRecordHasIsReported() async throws {
    let text = try await message([:]) { $0.customRanking = ["desc(prise)", "asc(price)"] }
    expectEqual(
      text, #"customRanking: no record has the attribute "prise"; did you mean "price"?"#)
  }

  /// A message quotes the beginning of the rejected value.
  @Test func messagesAreShort() async throws {
    let long = String(repeating: "brand x ", count: Thoroughness.count(5_000, thorough: 50_000))
    let fixture = try await EngineFixture(Self.records, settings: Self.settings { _ in })
    for filters in [long, "brand:" + long, "\"" + long + "\" a:b", "price > \"" + long + "\""] {
      let message = try #require(try await fixture.refusal(["filters": .string(filters)]))
      #expect(message.utf8.count <= 2100)
    }
    let text = try await self.message(["filters": .string("\"" + long + "\":1")])
    #expect((text?.utf8.count ?? 0) <= 600)
  }

  /// Ten thousand attributes are looked up once each, and the call can be interrupted between them.
  @Test func detectionOfMistakesCanBeCancelled() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    let fixture = try await EngineFixture(
      Self.records, settings: Self.settings(), configuration: configuration)
    func checks(_ filter: (Int) -> String) async throws -> Int {
      let filters = JSON.array((0..<2000).map { .string(filter($0)) })
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: nil)
      _ = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array((["facetFilters": [filters]] as JSON).text.utf8), callType: .read,
          deadline: deadline))
      return clock.reads
    }
    let ofOne = try await checks { "brand:value\(1000 + $0)" }
    let ofMany = try await checks { "value\(1000 + $0):brand" }
    #expect(ofMany >= ofOne + 20)
  }

  @Test func aFacetThatNoRecordHasIsReported() async throws {
    let text = try await message(["facets": ["brnd"]]) { $0.attributesForFaceting = ["brnd"] }
    expectEqual(text, #"facets: no record has a value of "brnd"; did you mean "brand"?"#)
  }

  @Test func equalOnlyAndNonNumericAttributesAreReported() async throws {
    let equal = try await message(["filters": "price > 1"]) {
      $0.numericAttributesForFiltering = ["equalOnly(price)"]
    }
    #expect(equal?.contains("it is equalOnly in numericAttributesForFiltering") == true)
    let none = try await message(["filters": "price > 1"]) {
      $0.numericAttributesForFiltering = ["prise"]
    }
    expectEqual(
      none,
      #"Filters by numbers of "price" find nothing: it is not in numericAttributesForFiltering; did you mean "prise"?"#
    )
  }

  @Test(
    arguments: [
      ("custmRanking", #"There is no setting "custmRanking"; did you mean "customRanking"?"#),
      ("nonsense", #"There is no setting "nonsense""#),
    ])
  func unknownSettingIsReported(name: String, text: String) async throws {
    try await expectEqual(message([:]) { $0.additionalSettings[name] = ["title"] }, text)
    var configuration = LocalSearch.Configuration()
    configuration.rejectsMistakes = true
    let strict = try await EngineFixture(configuration: configuration)
    let body = try #require(JSON.object([:]).adding(name, ["title"]))
    let answer = try await strict.call(.put, [EngineFixture.index, "settings"], body)
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, "Invalid settings: " + text)
    try await expectEqual(strict.engine.settings(of: EngineFixture.index), IndexSettings())
    await #expect(throws: SearchError.self) {
      try await strict.engine.setSettings(
        IndexSettings { $0.additionalSettings[name] = ["title"] }, of: EngineFixture.index)
    }
  }

  @Test func ignoredSettingsOfTheContractAreNotMistakes() async throws {
    let text = try await message([:]) {
      $0.additionalSettings = [
        "camelCaseAttributes": [], "relevancyStrictness": 100, "mode": "keywordSearch",
        "indexLanguages": ["en"], "version": 1,
      ]
    }
    #expect(text == nil)
  }

  @Test func someMistakesAreReportedAndTheOthersCounted() async throws {
    let names = JSON.array((0..<9).map { .string("facet number \($0)") })
    let text = try #require(try await message(["facets": names]))
    #expect(text.hasSuffix(". And 4 more"))
  }

  /// Every page of a browse has the message, as that of a search does.
  @Test func browsingReportsMistakes() async throws {
    let text =
      #"Filters by "brnd" find nothing: it is not in attributesForFaceting; did you mean "brand"?"#
    let path = [EngineFixture.index, "browse"]
    let records: [JSON] = (0..<3).map {
      ["objectID": .string("\($0)"), "title": "a", "author": "b", "brand": "A"]
    }
    let fixture = try await EngineFixture(records, settings: Self.settings())
    let body: JSON = ["filters": "NOT brnd:A", "hitsPerPage": 1]
    var answer = try await fixture.call(.post, path, body).body
    expectEqual(answer["message"]?.stringValue, text)
    answer = try await fixture.call(.post, path, ["cursor": try #require(answer["cursor"])]).body
    expectEqual(answer["message"]?.stringValue, text)
    let plain = try await fixture.call(.post, path, ["filters": "brand:A"]).body
    #expect(plain["message"] == nil)
    let strict = try await Self.strict(records)
    let refusal = try await strict.call(.post, path, body)
    expectEqual(refusal.status, 400)
    expectEqual(refusal.body["message"]?.stringValue, text)
  }

  private static func strict(
    _ records: [JSON] = records, _ settings: IndexSettings = settings()
  ) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.rejectsMistakes = true
    return try await EngineFixture(records, settings: settings, configuration: configuration)
  }

  /// The response of a facet value search has no message, so only an error can report mistakes.
  @Test func facetValueSearchIsRejectedForMistakes() async throws {
    let settings = Self.settings { $0.attributesForFaceting = ["searchable(brand)"] }
    let path = [EngineFixture.index, "facets", "brand", "query"]
    let lenient = try await EngineFixture(Self.records, settings: settings)
    let strict = try await Self.strict(Self.records, settings)
    for (parameters, text) in [
      ("filters=brnd:A", "Filters by \"brnd\" find nothing"),
      ("hitPerPage=3", "Unknown parameter: hitPerPage"),
    ] {
      let body: JSON = ["params": .string(parameters)]
      let answer = try await lenient.call(.post, path, body)
      expectEqual(answer.status, 200)
      #expect(answer.body["message"] == nil)
      let refusal = try await strict.call(.post, path, body)
      expectEqual(refusal.status, 400)
      #expect(refusal.body["message"]?.stringValue?.hasPrefix(text) == true)
      let request: JSON = [
        "indexName": .string(EngineFixture.index), "type": "facet", "facet": "brand",
        "params": .string(parameters),
      ]
      let several = try await strict.call(.post, ["*", "queries"], ["requests": [request]])
      #expect(several.body["message"]?.stringValue?.hasPrefix(text) == true)
    }
    try await expectEqual(strict.call(.post, path, [:]).status, 200)
  }

  @Test(
    arguments: [
      (["filters": "brnd:A"], #"Filters by "brnd" find nothing: it is not"#),
      (["filters": "NOT brnd:A"], #"Filters by "brnd" find nothing: it is not"#),
      (["numericFilters": "pirce < 9"], #"Filters by numbers of "pirce" find nothing"#),
    ] as [(JSON, String)])
  func deleteByQueryIsRejectedForMistakes(parameters: JSON, text: String) async throws {
    let path = [EngineFixture.index, "deleteByQuery"]
    let lenient = try await EngineFixture(Self.records, settings: Self.settings())
    let answer = try await lenient.call(.post, path, parameters)
    expectEqual(answer.status, 200)
    #expect(answer.body["message"] == nil)
    let strict = try await Self.strict()
    let refusal = try await strict.call(.post, path, parameters)
    expectEqual(refusal.status, 400)
    #expect(refusal.body["message"]?.stringValue?.hasPrefix(text) == true)
    expectEqual(strict.engine.recordCount(of: EngineFixture.index), 1)
    await #expect { () async throws in
      try await strict.engine.delete(
        matching: SearchQuery("").setting(\.filters, to: "brnd:A"), from: EngineFixture.index)
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
  }

  /// A replica that cannot filter like its primary would keep what the primary deletes.
  @Test func deleteByQueryIsRejectedForMistakesInReplicas() async throws {
    let strict = try await Self.strict(Self.records, Self.settings { $0.replicas = ["copy"] })
    let path = [EngineFixture.index, "deleteByQuery"]
    let body: JSON = ["filters": "brand:B"]
    try await expectEqual(strict.call(.post, path, body).status, 200)
    let settings: JSON = ["attributesForFaceting": []]
    try await expectEqual(strict.call(.put, ["copy", "settings"], settings).status, 200)
    let refusal = try await strict.call(.post, path, body)
    expectEqual(refusal.status, 400)
    #expect(
      refusal.body["message"]?.stringValue?.hasPrefix("replica copy: Filters by \"brand\"") == true)
  }

  /// Neither a write nor a search for facet values is rejected for what `setSettings` accepted.
  @Test(
    arguments: [
      (["ranking": ["desc(prise)", "typo"]], "ranking: no record has the attribute \"prise\""),
      (["distinct": true], "distinct has no effect"),
    ] as [(JSON, String)])
  func mistakesInSettingsRejectSearchesOnly(body: JSON, text: String) async throws {
    let settings = Self.settings { $0.attributesForFaceting = ["searchable(brand)"] }
    let strict = try await Self.strict(Self.records, settings)
    let index = EngineFixture.index
    try await expectEqual(strict.call(.put, [index, "settings"], body).status, 200)
    #expect(try await strict.refusal([:])?.hasPrefix(text) == true)
    let facets = [index, "facets", "brand", "query"]
    try await expectEqual(strict.call(.post, facets, [:]).status, 200)
    let request: JSON = ["indexName": .string(index), "type": "facet", "facet": "brand"]
    let several = try await strict.call(.post, ["*", "queries"], ["requests": [request]])
    expectEqual(several.status, 200)
    // The same mistake in the parameters of the call is a mistake of the call.
    try await expectEqual(strict.call(.post, facets, body).status, 400)
    let deletion = [index, "deleteByQuery"]
    try await expectEqual(strict.call(.post, deletion, ["filters": "brand:A"]).status, 200)
    expectEqual(strict.engine.recordCount(of: index), 0)
  }

  /// The first search after a write compares the settings with the records, which is counted.
  @Test func detectionOfMistakesInSettingsCanBeCancelled() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 16
    let fixture = try await EngineFixture(
      Self.records,
      settings: Self.settings { $0.searchableAttributes += (0..<900).map { "name\($0)" } },
      configuration: configuration)
    func checks(endingAt last: Int? = nil) async throws -> Int {
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: last)
      _ = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array("{}".utf8), callType: .read, deadline: deadline))
      return clock.reads
    }
    await #expect { _ = try await checks(endingAt: 30) } throws: { error in
      (error as? SearchError)?.code == .timedOut
    }
    let first = try await checks()
    let second = try await checks()
    #expect(first >= second + 50, "\(first), \(second)")
  }

  @Test func aPageHasTheMessage() async throws {
    let fixture = try await EngineFixture(Self.records, settings: Self.settings())
    let page = try await fixture.page(
      SearchQuery("").setting(\.filters, to: "brnd:A"), of: JSON.self)
    #expect(page.message?.contains("did you mean") == true)
  }
}

extension JSON {
  /// An object with one more member; `nil` for anything else.
  fileprivate func adding(_ name: String, _ value: JSON) -> JSON? {
    guard var members = objectValue else { return nil }
    members[name] = value
    return .object(members)
  }
}
