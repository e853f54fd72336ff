import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

@Suite struct SearchQueryTests {
  @Test func emptyQueryIsAnEmptyObject() throws {
    expectEqual(QueryText.written(SearchQuery()), "{}")
    #expect(SearchQuery().isEmpty)
    try expectEqual(QueryText.read("{}"), SearchQuery())
  }

  @Test func tableHasExactlyTheParametersOfTheContract() {
    expectEqual(Set(SearchQueryCase.all.map(\.name)), SearchParameter.names)
    // The contract's own, and `explain`.
    expectEqual(SearchParameter.names.count, 73 + 1)
    expectEqual(SearchParameter.allCases.map(\.name), SearchParameter.names.sorted())
  }

  @Test(arguments: SearchQueryCase.all)
  func aParameterIsWrittenUnderItsName(_ it: SearchQueryCase) throws {
    expectEqual(QueryText.written(it.query), #"{"\#(it.name)":\#(it.json)}"#)
    expectEqual(it.query.parameterNames, [it.name])
  }

  @Test(arguments: SearchQueryCase.all)
  func aParameterIsReadBackEqual(_ it: SearchQueryCase) throws {
    let query = try QueryText.read(#"{ "\#(it.name)" : \#(it.json) }"#)
    expectEqual(query, it.query)
    expectEqual(query.hashValue, it.query.hashValue)
    #expect(query.additionalParameters.isEmpty)
  }

  @Test func allParametersTogetherAreWrittenByName() throws {
    var all = SearchQuery()
    for it in SearchQueryCase.all { all = all.merging(it.query) }
    expectEqual(all.parameterNames, SearchParameter.names.sorted())
    let copy = try QueryText.read(QueryText.written(all))
    expectEqual(copy, all)
    expectEqual(QueryText.written(copy), QueryText.written(all))
    let members = try JSONDocument(Array(QueryText.written(all).utf8)).root.members.map(\.key)
    expectEqual(members, SearchParameter.names.sorted())
  }

  @Test func settingNilRemovesAParameter() {
    var query = SearchQuery("a")
    query.hitsPerPage = 3
    query.facets = ["x"]
    query.hitsPerPage = nil
    expectEqual(QueryText.written(query), #"{"facets":["x"],"query":"a"}"#)
    query.facets?.append("y")
    query.query = nil
    expectEqual(QueryText.written(query), #"{"facets":["x","y"]}"#)
    query.facets = nil
    expectEqual(query, SearchQuery())
  }

  @Test func explicitNullDiffersFromAbsence() throws {
    var query = SearchQuery()
    query.optionalWords = .null
    #expect(query != SearchQuery())
    #expect(query.optionalWords?.optional == nil)
    query.optionalWords = nil
    expectEqual(query, SearchQuery())
    try expectEqual(QueryText.read(#"{"optionalWords":null}"#).optionalWords, .null)
    #expect(try QueryText.read("{}").optionalWords == nil)
  }

  @Test func nullIsRejectedUnlessTheContractAllowsIt() {
    #expect(throws: SearchError.self) { try QueryText.read(#"{"hitsPerPage":null}"#) }
    #expect(throws: SearchError.self) { try QueryText.read(#"{"typoTolerance":null}"#) }
  }

  @Test func additionalParametersAreWrittenInOrderAndReadBack() throws {
    var query = SearchQuery("a")
    query.page = 1
    query.additionalParameters = ["newThing": ["deep": [1, nil, 1.5]], "zz": "z", "a": true]
    let text = #"{"a":true,"newThing":{"deep":[1,null,1.5]},"page":1,"query":"a","zz":"z"}"#
    expectEqual(QueryText.written(query), text)
    try expectEqual(QueryText.read(text), query)
  }

  @Test func aPropertyWinsOverAnAdditionalParameterOfItsName() {
    var query = SearchQuery()
    query.additionalParameters["page"] = 7
    expectEqual(QueryText.written(query), #"{"page":7}"#)
    query.page = 1
    expectEqual(QueryText.written(query), #"{"page":1}"#)
  }

  @Test func otherMembersOfARequestAreSkipped() throws {
    let text = #"{"indexName":"films","query":"tom","type":"default"}"#
    let node = try JSONDocument(Array(text.utf8)).root
    try expectEqual(SearchQuery(node: node, except: ["indexName", "type"]), SearchQuery("tom"))
  }

  @Test func convenienceCopiesLeaveTheOriginalAlone() {
    let query = SearchQuery("tom")
    expectEqual(query.setting(\.hitsPerPage, to: 5).hitsPerPage, 5)
    expectEqual(query.setting(\.typoTolerance, to: .min).typoTolerance, .min)
    #expect(query.setting(\.query, to: nil).query == nil)
    expectEqual(query.with { $0.page = 2 }.page, 2)
    expectEqual(query, SearchQuery("tom"))
  }

  @Test func mergingPrefersTheOtherQuery() {
    let defaults = SearchQuery("a").with {
      $0.hitsPerPage = 5
      $0.additionalParameters = ["x": 1, "y": 1]
    }
    let merged = defaults.merging(
      SearchQuery("b").with { $0.additionalParameters = ["y": 2] })
    expectEqual(QueryText.written(merged), #"{"hitsPerPage":5,"query":"b","x":1,"y":2}"#)
    let additional = SearchQuery().with { $0.additionalParameters["hitsPerPage"] = 9 }
    #expect(QueryText.written(defaults.merging(additional)).contains(#""hitsPerPage":9"#))
    #expect(QueryText.written(additional.merging(defaults)).contains(#""hitsPerPage":5"#))
    let both = additional.setting(\.hitsPerPage, to: 7)
    #expect(QueryText.written(defaults.merging(both)).contains(#""hitsPerPage":7"#))
  }

  @Test func queriesWithDifferentValuesDiffer() {
    #expect(SearchQuery("a") != SearchQuery("b"))
    #expect(SearchQuery("a") != SearchQuery())
    let distinct = SearchQuery().setting(\.distinct, to: true)
    #expect(distinct != SearchQuery().setting(\.distinct, to: 1))
    expectEqual(Set(SearchQueryCase.all.map(\.query)).count, SearchQueryCase.all.count)
  }

  @Test func theUserTokenIsNeverShown() throws {
    let query = SearchQuery("tom").setting(\.userToken, to: "secret-42")
    expectEqual(query.description, #"SearchQuery({"query":"tom","userToken":"…"})"#)
    var dumped = ""
    dump(query, to: &dumped)
    #expect(!dumped.contains("secret-42"))
    #expect(dumped.contains("tom"))
    var additional = SearchQuery("tom")
    additional.additionalParameters["userToken"] = "secret-42"
    expectEqual(additional.description, #"SearchQuery({"query":"tom","userToken":"…"})"#)
    dumped = ""
    dump(additional, to: &dumped)
    #expect(!dumped.contains("secret-42"))
    let error = #expect(throws: SearchError.self) { try QueryText.read(#"{"userToken":42421}"#) }
    let message = try #require(error?.message)
    expectEqual(message, #"Invalid value for "userToken" parameter, expected string"#)
  }
}
