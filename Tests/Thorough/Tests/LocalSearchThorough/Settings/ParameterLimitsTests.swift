@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The texts and lists of queries and settings are bounded, by the same rules.
struct ParameterLimitsTests {
  private static let index = EngineFixture.index

  private static func settings(_ fixture: EngineFixture, _ body: JSON) async throws -> String? {
    let answer = try await fixture.call(.put, [index, "settings"], body)
    return answer.status == 400 ? answer.body["message"]?.stringValue : nil
  }

  private static func names(_ count: Int) -> JSON {
    .array((0..<count).map { .string("name\($0)") })
  }

  @Test(arguments: ["highlightPreTag", "highlightPostTag", "snippetEllipsisText"])
  func tagsAreBounded(name: String) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word other words"]])
    func body(_ length: Int) -> JSON {
      var body: JSON = [:]
      body[name] = .string(String(repeating: "é", count: length / 2))
      return body
    }
    let message =
      "Invalid value for \"\(name)\" parameter, expected at most 512 bytes, got 514 bytes"
    #expect(try await fixture.refusal(body(512)) == nil)
    try await expectEqual(fixture.refusal(body(514)), message)
    for path in [["facets", "text", "query"], ["browse"]] {
      let answer = try await fixture.call(.post, [Self.index] + path, body(514))
      expectEqual(answer.body["message"]?.stringValue, message)
    }
    try await expectEqual(Self.settings(fixture, body(514)), message)
    try await expectEqual(fixture.engine.settings(of: Self.index), IndexSettings())
    #expect(try await Self.settings(fixture, body(512)) == nil)
    await #expect { () async throws in
      try await fixture.engine.setSettings(
        IndexSettings { $0.highlightPreTag = String(repeating: "x", count: 513) }, of: Self.index)
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
  }

  @Test(
    arguments: [
      ("advancedSyntaxFeatures", 1000), ("alternativesAsExact", 1000),
      ("attributesToHighlight", 1000), ("attributesToRetrieve", 1000),
      ("attributesToSnippet", 1000), ("disableExactOnAttributes", 1000),
      ("disableTypoToleranceOnAttributes", 1000), ("facets", 1000), ("naturalLanguages", 1000),
      ("optionalWords", 10_000), ("queryLanguages", 1000), ("restrictSearchableAttributes", 1000),
      ("ruleContexts", 1000), ("analyticsTags", 1000),
    ])
  func listsOfAQueryAreBounded(name: String, limit: Int) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    var body: JSON = ["query": "word"]
    // Some lists take known names only.
    let known: JSON? =
      ["advancedSyntaxFeatures": "exactPhrase", "alternativesAsExact": "ignorePlurals"][name]
    func list(_ count: Int) -> JSON {
      known.map { .array([JSON](repeating: $0, count: count)) } ?? Self.names(count)
    }
    body[name] = list(limit)
    #expect(try await fixture.refusal(body) == nil)
    body[name] = list(limit + 1)
    try await expectEqual(
      fixture.refusal(body),
      "Invalid value for \"\(name)\" parameter, expected at most \(limit) entries,"
        + " got \(limit + 1)")
    body[name] = ["a", .string(String(repeating: "x", count: 1001))]
    try await expectEqual(
      fixture.refusal(body),
      "Invalid value for \"\(name)\" parameter, expected entries of at most 1000 bytes,"
        + " got 1001 bytes at 1")
  }

  @Test(
    arguments: [
      ("attributesForFaceting", 1000), ("attributesToHighlight", 1000),
      ("attributesToRetrieve", 1000), ("attributesToSnippet", 1000),
      ("disableExactOnAttributes", 1000), ("disablePrefixOnAttributes", 1000),
      ("disableTypoToleranceOnAttributes", 1000), ("disableTypoToleranceOnWords", 10_000),
      ("numericAttributesForFiltering", 1000), ("optionalWords", 10_000),
      ("searchableAttributes", 1000), ("unretrievableAttributes", 1000),
    ])
  func listsOfSettingsAreBounded(name: String, limit: Int) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    var body: JSON = [:]
    body[name] = Self.names(limit)
    #expect(try await Self.settings(fixture, body) == nil)
    body[name] = Self.names(limit + 1)
    try await expectEqual(
      Self.settings(fixture, body),
      "Invalid value for \"\(name)\" parameter, expected at most \(limit) entries,"
        + " got \(limit + 1)")
    body[name] = [.string(String(repeating: "x", count: 1001))]
    #expect(
      try await Self.settings(fixture, body)?.contains("entries of at most 1000 bytes") == true)
  }

  /// A text of optional words can be as long as a list of them.
  @Test func wordsOfATextAreBounded() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    func text(_ count: Int) -> JSON {
      ["optionalWords": .string((0..<count).map { "word\($0)" }.joined(separator: " "))]
    }
    let message =
      "Invalid value for \"optionalWords\" parameter, expected at most 10000 words, got 10001"
    #expect(try await fixture.refusal(text(10_000)) == nil)
    try await expectEqual(fixture.refusal(text(10_001)), message)
    #expect(try await Self.settings(fixture, text(10_000)) == nil)
    try await expectEqual(Self.settings(fixture, text(10_001)), message)
    let long: JSON = ["optionalWords": .string(String(repeating: "x", count: 1001))]
    #expect(try await fixture.refusal(long)?.contains("words of at most 1000 bytes") == true)
  }

  @Test(arguments: ["ignorePlurals", "removeStopWords"])
  func listsOfLanguagesAreBounded(name: String) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    let message =
      "Invalid value for \"\(name)\" parameter, expected at most 1000 entries, got 1001"
    var body: JSON = [:]
    body[name] = Self.names(1001)
    try await expectEqual(fixture.refusal(body), message)
    try await expectEqual(Self.settings(fixture, body), message)
    body[name] = Self.names(1000)
    #expect(try await fixture.refusal(body) == nil)
  }

  /// One entry can name several attributes; all of them count.
  @Test func attributesOfOneRankAreCountedEach() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    func body(_ count: Int) -> JSON {
      let entry = JSON.string((0..<100).map { "n\($0)" }.joined(separator: ","))
      return ["searchableAttributes": .array(Array(repeating: entry, count: count / 100))]
    }
    #expect(try await Self.settings(fixture, body(1000)) == nil)
    try await expectEqual(
      Self.settings(fixture, body(1100)),
      "Invalid value for \"searchableAttributes\" parameter, expected at most 1000"
        + " attributes, got 1100")
  }

  @Test func criteriaAreBounded() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "text": "word"]])
    func criteria(_ count: Int) -> JSON {
      .array((0..<count).map { .string("asc(name\($0))") })
    }
    #expect(try await fixture.refusal(["ranking": criteria(100)]) == nil)
    #expect(
      try await fixture.refusal(["ranking": criteria(101)])?.contains("at most 100 entries")
        == true)
    for name in ["ranking", "customRanking"] {
      var body: JSON = [:]
      body[name] = criteria(100)
      #expect(try await Self.settings(fixture, body) == nil)
      body[name] = criteria(101)
      #expect(try await Self.settings(fixture, body)?.contains("at most 100 entries") == true)
    }
    // A repeated criterion has no further effect.
    let twice: JSON = ["typo", "typo", "words", "typo", "custom"]
    try await expectEqual(fixture.search(["ranking": twice])["nbHits"]?.intValue, 1)
    let ranges = JSON.array((0..<1001).map { ["from": .int(Int64($0)), "value": 10] })
    #expect(
      try await fixture.refusal(["aroundLatLng": "1,1", "aroundPrecision": ranges])?
        .contains("at most 1000 entries") == true)
  }

  /// No accepted setting makes a query fail.
  @Test func acceptedSettingsNeverFailQueries() async throws {
    let fixture = try await EngineFixture()
    let values: [JSON] = [
      nil, true, -1, 0, 1, 1.5, 1001, "", "x", "true", "\n", [], [[]], ["a:b:c", "<="], ["*"],
      ["x", "asc(x)"], [nil], [:], ["a": [:]], [[:]], 9_223_372_036_854_775_807, "count", "min",
      .string(String(repeating: "y", count: 600)), Self.names(1001),
    ]
    var taken = 0
    let names = Set(IndexSettings.names).union(["responseFields", "mode", "version"]).sorted()
    for name in names {
      for value in values {
        var body: JSON = [:]
        body[name] = value
        guard try await Self.settings(fixture, body) == nil else { continue }
        taken += 1
        let searches: [JSON] = [
          ["query": "a b", "facets": ["*"], "getRankingInfo": true], ["filters": "a:b"],
        ]
        for search in searches {
          let answer = try await fixture.call(.post, [Self.index, "query"], search)
          expectEqual(answer.status, 200, "\(name): \(value.text): \(answer.body.text)")
        }
        try await fixture.engine.deleteIndex(Self.index)
        for copy in fixture.engine.indexNames { try await fixture.engine.deleteIndex(copy) }
        try await fixture.engine.save([["objectID": "1", "a": "b"] as JSON], in: Self.index)
      }
    }
    #expect(taken > 100)
  }

  // MARK: Bodies

  /// A batch, and any other body, is rejected one byte above the limit, and nothing is written.
  @Test func bodiesAreBounded() async throws {
    let add: JSON = ["action": "addObject", "body": ["objectID": "new", "text": "x"]]
    var named = add
    named["indexName"] = .string(Self.index)
    let read: JSON = ["indexName": .string(Self.index), "objectID": "1"]
    let calls: [(Endpoint.Method, [String], JSON)] = [
      (.post, [Self.index, "batch"], ["requests": [add]]),
      (.post, ["*", "batch"], ["requests": [named]]),
      (.post, ["*", "objects"], ["requests": [read]]),
      (.post, ["*", "queries"], ["requests": [["indexName": .string(Self.index)]]]),
      (.post, [Self.index, "query"], ["query": "word"]),
      (.post, [Self.index, "browse"], ["hitsPerPage": 10]),
      (.put, [Self.index, "settings"], ["searchableAttributes": ["text"]]),
      (.put, [Self.index, "new"], ["text": "x"]),
    ]
    for (method, path, body) in calls {
      let size = body.text.utf8.count
      var configuration = LocalSearch.Configuration()
      configuration.maximumRequestSize = size - 1
      let refusing = try await EngineFixture(
        [["objectID": "1", "text": "word"]], configuration: configuration)
      let refusal = try await refusing.call(method, path, body)
      expectEqual(refusal.status, 400)
      let place = "\(method.rawValue) /1/indexes/\(path.joined(separator: "/"))"
      expectEqual(
        refusal.body["message"]?.stringValue,
        "The body of \(place) has \(size) bytes, expected at most \(size - 1);"
          + " send it as several requests")
      try await expectEqual(refusing.call(.get, [Self.index, "new"]).status, 404)
      try await expectEqual(refusing.engine.settings(of: Self.index), IndexSettings())
      configuration.maximumRequestSize = size
      let accepting = try await EngineFixture(
        [["objectID": "1", "text": "word"]], configuration: configuration)
      #expect(try await accepting.call(method, path, body).status < 300)
    }
    expectEqual(LocalSearch.Configuration().maximumRequestSize, 1 << 28)
  }

  // MARK: Responses

  private static func words(
    _ count: Int, maximumResponseSize: Int
  ) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.maximumResponseSize = maximumResponseSize
    return try await EngineFixture(
      (0..<count).map { number in
        [
          "objectID": .string("\(number)"), "text": .string(String(repeating: "a ", count: 40)),
          "brand": .string("a brand of some length, number \(number)"),
        ]
      }, settings: IndexSettings(attributesForFaceting: ["searchable(brand)"]),
      configuration: configuration)
  }

  @Test func responsesAreBounded() async throws {
    let fixture = try await Self.words(100, maximumResponseSize: 60_000)
    let tag = JSON.string(String(repeating: "x", count: 500))
    let long: JSON = ["query": "a", "highlightPreTag": tag, "attributesToHighlight": ["text"]]
    func isRefused(_ path: [String], _ body: JSON) async throws -> Bool {
      let answer = try await fixture.call(.post, path, body)
      guard answer.status == 400 else { return false }
      #expect(
        answer.body["message"]?.stringValue?.contains(
          "The response is larger than 60000 bytes; request fewer hits with hitsPerPage") == true)
      return true
    }
    let path = [Self.index, "query"]
    #expect(try await isRefused(path, long))
    #expect(try await !isRefused(path, ["query": "a", "hitsPerPage": 20]))
    var few = long
    few["hitsPerPage"] = 2
    #expect(try await !isRefused(path, few))
    #expect(try await isRefused([Self.index, "browse"], [:]) == false)
    few["indexName"] = .string(Self.index)
    #expect(try await !isRefused(["*", "queries"], ["requests": [few]]))
    #expect(try await isRefused(["*", "queries"], ["requests": [few, few, few]]))
    let object: JSON = ["indexName": .string(Self.index), "objectID": "1"]
    let objects: (Int) -> JSON = { ["requests": .array(Array(repeating: object, count: $0))] }
    #expect(try await !isRefused(["*", "objects"], objects(100)))
    #expect(try await isRefused(["*", "objects"], objects(1000)))
  }

  /// The number of checks of a search for `a` in a record, and whether its response was rejected.
  private static func search(
    _ text: JSON, tag: String, in part: String = "attributesToHighlight",
    maximumResponseSize: Int = .max
  ) async throws -> (checks: Int, isRefused: Bool) {
    var configuration = LocalSearch.Configuration()
    configuration.maximumResponseSize = maximumResponseSize
    configuration.checkInterval = 16
    let fixture = try await EngineFixture(
      [["objectID": "1", "text": text]], configuration: configuration)
    var body: JSON = [
      "query": "a", "highlightPreTag": .string(tag), "highlightPostTag": .string(tag),
      "attributesToRetrieve": [], "attributesToHighlight": [],
    ]
    body[part] = part == "attributesToSnippet" ? ["text:100000"] : ["text"]
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", index, "query"],
        body: Array(body.text.utf8), callType: .read, deadline: clock.deadline(atCheck: nil)))
    return (clock.reads, response.status == 400)
  }

  /// A response that becomes too large within one hit ends there: its texts with long tags are not
  /// created first.
  @Test(arguments: ["attributesToHighlight", "attributesToSnippet"], [true, false])
  func singleHitIsBounded(part: String, isOneText: Bool) async throws {
    let count = 4000
    let text: JSON =
      isOneText
      ? .string(String(repeating: "a ", count: count))
      : .array(Array(repeating: "a", count: count))
    let whole = try await Self.search(text, tag: "", in: part)
    let cut = try await Self.search(
      text, tag: String(repeating: "x", count: 512), in: part, maximumResponseSize: 20_000)
    #expect(!whole.isRefused)
    #expect(cut.isRefused)
    #expect(whole.checks - cut.checks > count / 2 / 16, "\(whole), \(cut)")
  }

  /// What the response omits does not count.
  @Test func droppedElementsDoNotCount() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.maximumResponseSize = 2000
    let words = Array(repeating: JSON.string("other words"), count: 1000)
    let fixture = try await EngineFixture(
      [["objectID": "1", "text": .array(words + ["a"])]],
      settings: IndexSettings { $0.restrictHighlightAndSnippetArrays = true },
      configuration: configuration)
    #expect(try await fixture.refusal(["query": "a", "attributesToRetrieve": []]) == nil)
  }

  @Test func pagesOfABrowseAreBounded() async throws {
    let fixture = try await Self.words(100, maximumResponseSize: 6000)
    let answer = try await fixture.call(.post, [Self.index, "browse"], ["hitsPerPage": 100])
    expectEqual(answer.status, 400)
    try await expectEqual(
      fixture.call(.post, [Self.index, "browse"], ["hitsPerPage": 10]).status, 200)
    let path = [Self.index, "query"]
    let facets = try await fixture.call(.post, path, ["hitsPerPage": 0, "facets": ["brand"]])
    expectEqual(facets.status, 200)
    let values = try await fixture.call(
      .post, [Self.index, "facets", "brand", "query"], ["maxFacetHits": 100])
    expectEqual(values.status, 400)
    // The parts of the query that a response echoes count, too.
    var long: JSON = ["hitsPerPage": 0, "zone": .string(String(repeating: "x", count: 6000))]
    try await expectEqual(fixture.call(.post, path, long).status, 400)
    long["responseFields"] = ["nbHits"]
    try await expectEqual(fixture.call(.post, path, long).status, 200)
  }

  // MARK: Work

  /// The words listed in settings are counted, so that a deadline applies to them.
  @Test func wordsOfSettingsAreCounted() async throws {
    func checks(_ count: Int) async throws -> Int {
      var configuration = LocalSearch.Configuration()
      configuration.checkInterval = 16
      let fixture = try await EngineFixture(
        [["objectID": "1", "text": "word"]],
        settings: IndexSettings {
          $0.disableTypoToleranceOnWords = (0..<count).map { "word\($0)" }
          $0.optionalWords = .list((0..<count).map { "word\($0)" })
        }, configuration: configuration)
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: nil)
      _ = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", Self.index, "query"],
          body: Array(#"{"query":"word"}"#.utf8), callType: .read, deadline: deadline))
      return clock.reads
    }
    let few = try await checks(10)
    let many = try await checks(1000)
    #expect(many >= few + 100, "\(few), \(many)")
  }
}
