import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct SettingsCheckTests {
  private static let index = EngineFixture.index
  private static let criteria =
    "typo, geo, words, filters, proximity, attribute, exact, custom, asc(attribute) or"
    + " desc(attribute)"
  private static let facets =
    "attribute or filterOnly(attribute) or searchable(attribute) or afterDistinct(attribute)"

  private static func message(_ name: String, _ expected: String, _ got: String) -> String {
    "Invalid value for \"\(name)\" parameter, expected \(expected), got \(got)"
  }

  @Test(
    arguments: [
      ("customRanking", ["n"], "asc(attribute) or desc(attribute)", "n"),
      ("customRanking", ["asc(a)", "desc n"], "asc(attribute) or desc(attribute)", "desc n"),
      ("customRanking", ["asc()"], "asc(attribute) or desc(attribute)", "asc()"),
      ("ranking", ["typo", "bogus"], criteria, "bogus"), ("ranking", ["asc n"], criteria, "asc n"),
      ("attributesForFaceting", ["searchable(a"], facets, "searchable(a"),
      ("attributesForFaceting", ["serchable(a)"], facets, "serchable(a)"),
      ("attributesForFaceting", ["searchable(a))"], facets, "searchable(a))"),
      ("attributesForFaceting", ["filterOnly( )"], facets, "filterOnly( )"),
      ("attributesForFaceting", [""], facets, ""),
      (
        "searchableAttributes", ["a,unorderd(b)"],
        "attribute or ordered(attribute) or unordered(attribute)", "unorderd(b)"
      ),
      (
        "numericAttributesForFiltering", ["equalonly(a)"], "attribute or equalOnly(attribute)",
        "equalonly(a)"
      ),
      ("minWordSizefor1Typo", -3, "integer of at least 0", "-3"),
      ("minWordSizefor2Typos", -1, "integer of at least 0", "-1"),
      ("minProximity", 0, "integer between 1 and 7", "0"),
      ("distinct", -1, "boolean or integer between 0 and 4", "-1"),
      ("queryType", "prefix", "one of prefixLast, prefixAll, prefixNone", "prefix"),
      ("sortFacetValuesBy", "name", "one of count, alpha", "name"),
    ] as [(String, JSON, String, String)])
  func invalidSettingsAreRejected(
    name: String, value: JSON, expected: String, got: String
  ) async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    var body: JSON = ["hitsPerPage": 3]
    body[name] = value
    let answer = try await fixture.call(.put, [Self.index, "settings"], body)
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, Self.message(name, expected, got))
    try await expectEqual(fixture.engine.settings(of: Self.index), IndexSettings())
  }

  @Test func swiftAPIChecksSettingsToo() async throws {
    await #expect {
      try await LocalSearch().setSettings(
        IndexSettings { $0.customRanking = ["n"] }, of: Self.index)
    } throws: { error in
      (error as? SearchError)?.code == .invalidRequest
    }
  }

  @Test(
    arguments: [
      ("ranking", ["bogus"], criteria, "bogus"),
      ("distinct", -1, "boolean or integer between 0 and 4", "-1"),
      ("distinct", 5, "boolean or integer between 0 and 4", "5"),
      ("minWordSizefor1Typo", -3, "integer of at least 0", "-3"),
      ("minProximity", 8, "integer between 1 and 7", "8"),
      ("queryType", "prefix", "one of prefixLast, prefixAll, prefixNone", "prefix"),
      (
        "removeWordsIfNoResults", "all", "one of none, lastWords, firstWords, allOptional", "all"
      ),
      ("exactOnSingleWordQuery", "x", "one of attribute, none, word", "x"),
      ("aroundRadius", 0, "positive integer or \"all\"", "0"),
      ("minimumAroundRadius", 0, "positive integer", "0"),
      ("aroundPrecision", -1, "integer of at least 0", "-1"),
      ("aroundPrecision", [["from": 0, "value": -5]], "integer of at least 0", "-5"),
      ("personalizationImpact", 101, "integer between 0 and 100", "101"),
      ("relevancyStrictness", 101, "integer between 0 and 100", "101"),
      ("mode", "x", "one of keywordSearch, neuralSearch", "x"),
      ("advancedSyntaxFeatures", ["x"], "one of exactPhrase, excludeWords", "x"),
      (
        "alternativesAsExact", ["x"],
        "one of ignorePlurals, singleWordSynonym, multiWordsSynonym, ignoreConjugations", "x"
      ),
      ("attributesToSnippet", ["t:x"], "attribute or attribute:number of words", "t:x"),
      ("attributesToSnippet", ["t:-1"], "attribute or attribute:number of words", "t:-1"),
    ] as [(String, JSON, String, String)])
  func invalidQueriesAreRejected(
    name: String, value: JSON, expected: String, got: String
  ) async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    var parameters: JSON = [:]
    parameters[name] = value
    try await expectEqual(fixture.refusal(parameters), Self.message(name, expected, got))
  }

  @Test func validSpellingsAreAccepted() async throws {
    let settings = IndexSettings {
      $0.ranking = [
        "asc(price)", "typo", "geo", "words", "filters", "proximity", "attribute", "exact",
        "custom", " desc( size (cm) ) ",
      ]
      $0.customRanking = ["desc(a.b)", "asc( price )"]
      $0.attributesForFaceting = [
        "a", "size (cm)", "filterOnly(b)", "searchable( c )", "afterDistinct(searchable(d))",
        "searchable(afterDistinct(e))",
      ]
      $0.searchableAttributes = ["a, b", "unordered(c)", "ordered(d.e)", "unordered(f),g"]
      $0.numericAttributesForFiltering = ["price", "equalOnly(size)"]
      $0.minWordSizefor1Typo = 0
      $0.minProximity = 7
      $0.replicas = ["standard", "virtual(other)"]
    }
    let fixture = try await EngineFixture([["objectID": "1"]], settings: settings)
    expectEqual(fixture.engine.indexNames, ["items", "other", "standard"])
  }

  // MARK: Names

  @Test(arguments: ["", "*"])
  func invalidIndexNamesAreRejected(name: String) async throws {
    let engine = try await EngineFixture([["objectID": "1"]]).engine
    let message = "Invalid index name \"\(name)\""
    func expectRefusal(_ body: () async throws -> Void) async {
      await #expect {
        try await body()
      } throws: { error in
        let error = error as? SearchError
        return error?.code == .invalidRequest && error?.message == message
      }
    }
    await expectRefusal { try await engine.setSettings(IndexSettings(), of: name) }
    await expectRefusal { _ = try await LocalSearch(indexName: name, records: [["a": 1] as JSON]) }
    if name.isEmpty {
      await expectRefusal { try await engine.save([["a": 1] as JSON], in: name) }
      await expectRefusal {
        try await engine.partialUpdate([["objectID": "1"] as JSON], in: name)
      }
    } else {
      await expectRefusal {
        try await engine.setSettings(IndexSettings { $0.replicas = ["a", name] }, of: Self.index)
      }
    }
    expectEqual(engine.indexNames, ["items"])
  }

  @Test func batchRejectsInvalidIndexNames() async throws {
    let fixture = try await EngineFixture()
    let answer = try await fixture.call(
      .post, ["*", "batch"],
      ["requests": [["indexName": "*", "action": "addObject", "body": ["a": 1]]]])
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"], "Invalid index name \"*\"")
  }

  @Test(arguments: [
    ["items", "facets", "", "query"]: "Invalid request: an objectID or a facet name is empty",
    ["-", "facets", "", "query"]: "Invalid request: an objectID or a facet name is empty",
    ["", "facets", "a", "query"]: "Invalid index name \"\"",
    ["*", "query"]: "Invalid index name \"*\"",
    ["items", "", "b", "c"]: "Unknown path /1/indexes/items//b/c",
  ])
  func errorNamesTheInvalidComponent(path: [String], message: String) async throws {
    let answer = try await EngineFixture().call(.post, path)
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, message)
  }

  @Test(arguments: [["items", "a", "b", "c"], ["items", ""], ["items", "facets", "", "query"]])
  func unknownPathIsABadRequest(path: [String]) async throws {
    let answer = try await EngineFixture().call(.post, path)
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.isEmpty == false)
  }
}
