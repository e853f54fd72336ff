import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SearchQueryCodableTests {
  @Test(arguments: SearchQueryCase.all)
  func foundationsCodersAgree(_ it: SearchQueryCase) throws {
    let data = try JSONEncoder().encode(it.query)
    try expectEqual(
      QueryText.json(String(decoding: data, as: UTF8.self)),
      QueryText.json(QueryText.written(it.query)))
    try expectEqual(JSONDecoder().decode(SearchQuery.self, from: data), it.query)
  }

  @Test(arguments: SearchQueryCase.all)
  func codersOfThePackageAgreeAtAnyDepth(_ it: SearchQueryCase) throws {
    let bytes = try JSONValueEncoder().encode([["q": it.query]])
    expectEqual(String(decoding: bytes, as: UTF8.self), #"[{"q":\#(QueryText.written(it.query))}]"#)
    let copy = try JSONValueDecoder().decode([[String: SearchQuery]].self, from: bytes)
    expectEqual(copy, [["q": it.query]])
  }

  @Test func keyStrategiesDoNotChangeParameters() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let query = SearchQuery("a").with {
      $0.hitsPerPage = 2
      $0.additionalParameters["snake_case"] = 1
    }
    let data = try encoder.encode(query)
    try expectEqual(
      QueryText.json(String(decoding: data, as: UTF8.self)),
      QueryText.json(QueryText.written(query)))
    try expectEqual(decoder.decode(SearchQuery.self, from: data), query)
  }

  @Test(
    arguments: ModelCoder.allCases,
    [
      (
        #"{"page":"x"}"#, ["0", "query", "page"],
        #"Invalid value for "page" parameter, expected integer, got "x""#
      ),
      (
        #"{"semanticSearch":{"eventSources":5}}"#,
        ["0", "query", "semanticSearch", "eventSources"],
        #"Invalid value for "semanticSearch.eventSources" parameter, expected array of strings"#
          + " or null, got 5"
      ),
      (
        #"{"userToken":42421}"#, ["0", "query", "userToken"],
        #"Invalid value for "userToken" parameter, expected string"#
      ),
      ("[]", ["0", "query"], "Invalid search parameters, expected object"),
      ("7", ["0", "query"], "Invalid search parameters, expected object"),
    ] as [(String, [String], String)])
  func aWrongValueIsADecodingErrorWithItsPath(
    coder: ModelCoder, wrong: (text: String, path: [String], message: String)
  ) throws {
    struct Saved: Decodable { var query: SearchQuery }
    let error = #expect(throws: DecodingError.self) {
      try coder.decode([Saved].self, #"[{"query":\#(wrong.text)}]"#)
    }
    let issue = DecodingIssue(try #require(error))
    expectEqual(issue.codingPath, wrong.path)
    expectEqual(issue.reason, wrong.message)
  }

  @Test func additionalParameterThatCannotBeReadBackIsNotEncoded() throws {
    var query = SearchQuery()
    query.additionalParameters["page"] = 7
    try expectEqual(ModelCoder.foundation.roundTrip(query).page, 7)
    query.additionalParameters["page"] = "x"
    for coder in [ModelCoder.foundation, .foundationSnakeCase] {
      let error = #expect(throws: EncodingError.self) { try coder.encode(["q": query]) }
      guard case .invalidValue(_, let context) = error else {
        Issue.record("\(coder)")
        continue
      }
      expectEqual(context.codingPath.map(\.stringValue), ["q", "page"])
      expectEqual(
        context.debugDescription,
        #"Invalid value for "page" parameter, expected integer, got "x""#)
    }
    query.page = 1
    try expectEqual(ModelCoder.foundation.encode(query), #"{"page":1}"#)
  }

  /// Values that are stored on their own, outside a query.
  struct Stored: Codable, Hashable {
    var typos: TypoTolerance = .strict
    var distinct: Distinct = 2
    var plurals: IgnorePlurals = [.french]
    var stopWords: RemoveStopWords = true
    var words: OptionalWords = ["a"]
    var filters: NestedFilters = [["a:b"], "c"]
    var radius: AroundRadius = .all
    var precision: AroundPrecision = 5
    var box: InsideBoundingBox = [[1.5, 2.5, 3.5, 4.5]]
    var type: QueryType = .prefixNone
    var semantic = SemanticSearch(eventSources: .null)
    var null: Nullable<OptionalWords> = .null
    var content = RenderingContent(redirect: .init(url: "/"))
  }

  @Test func standaloneValuesAreCodable() throws {
    let data = try JSONEncoder().encode(Stored())
    try expectEqual(JSONDecoder().decode(Stored.self, from: data), Stored())
    let text = """
      {"typos":"strict","distinct":2,"plurals":["fr"],"stopWords":true,"words":["a"],\
      "filters":[["a:b"],"c"],"radius":"all","precision":5,"box":[[1.5,2.5,3.5,4.5]],\
      "type":"prefixNone","semantic":{"eventSources":null},"null":null,\
      "content":{"redirect":{"url":"/"}}}
      """
    try expectEqual(QueryText.json(String(decoding: data, as: UTF8.self)), QueryText.json(text))
  }

  @Test func standaloneValuesAreCodableWithThePackagesCoders() throws {
    let bytes = try JSONValueEncoder().encode(Stored())
    try expectEqual(JSONValueDecoder().decode(Stored.self, from: bytes), Stored())
    try expectEqual(JSONDecoder().decode(Stored.self, from: Data(bytes)), Stored())
  }

  @Test func wrongStandaloneValueIsADecodingError() throws {
    let wrong = Data(#"["often"]"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([TypoTolerance].self, from: wrong)
    }
    let node = try JSONDocument(Array(wrong)).root
    let element = try #require(node[0])
    let error = #expect(throws: DecodingError.self) {
      try TypoTolerance(node: element, options: JSONDecodingOptions())
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("Not a type mismatch")
      return
    }
    expectEqual(context.codingPath.map(\.intValue), [0])
    expectEqual(context.debugDescription, #"Expected boolean, "min" or "strict", got "often"."#)
  }
}
