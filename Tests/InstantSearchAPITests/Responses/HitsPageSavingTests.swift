import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

/// Pages that are encoded and decoded.
struct HitsPageSavingTests {
  @Test(arguments: ModelCoder.allCases)
  func pageIsReadBack(coder: ModelCoder) throws {
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, HitsPageSample.full)
    try expectEqual(coder.roundTrip(page), page)
  }

  @Test(arguments: ModelCoder.allCases)
  func savedPageOfJSONIsEqual(coder: ModelCoder) throws {
    let text = HitsPageSample.full.replacing("\"objectID\":2", with: "\"objectID\":\"2\"")
    var page = try coder.decode(HitsPage<Hit<JSON>>.self, text)
    page.additionalMembers["snake_case"] = ["deep_name": 1]
    page.additionalMembers["camelCase"] = ["deepName": 1]
    page.facets["first_name"] = Facet(
      attribute: "first_name", values: [FacetValue(value: "Some_Value", count: 1)])
    page.facets["genre"] = nil
    try expectEqual(coder.roundTrip(page), page)
  }

  @Test(arguments: [ModelCoder.own, .ownSnakeCase])
  func namesAreWrittenAsInTheContract(coder: ModelCoder) throws {
    var options = JSONEncodingOptions()
    if coder == .ownSnakeCase { options.keys = .convertToSnakeCase }
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, HitsPageSample.full)
    let document = try JSONDocument(JSONValueEncoder(options: options).encode(page))
    expectEqual(document.root["nbHits"]?.int, 42)
    expectEqual(document.root["processingTimeMS"]?.int, 3)
    let hit = try #require(document.root["hits"]?[0])
    expectEqual(hit["objectID"]?.string, "1")
    expectEqual(hit["_highlightResult"]?["title"]?["matchLevel"]?.string, "full")
  }

  /// Names as written by an encoder that converts keys.
  @Test(arguments: [ModelCoder.foundation, .foundationSnakeCase])
  func snakeCaseNamesAreRead(coder: ModelCoder) throws {
    let text = """
      {"hits":[{"title":"t","year":1,"object_id":"7","_distinct_seq_id":2,"__query_id":"q"}],
       "nb_hits":4,"processing_time_ms":5,"_automatic_insights":true,"ab_test_id":6,
       "facetsStats":{"year":{"min":1,"max":2}},"query_id":"page's","brand_new":1}
      """
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, text)
    expectEqual(page.failures, [])
    expectEqual(page.hits.first?.objectID, "7")
    expectEqual(page.hits.first?.searchMetadata.distinctSeqID, 2)
    expectEqual(page.hits.first?.searchMetadata.queryID, "q")
    expectEqual(page.nbHits, 4)
    expectEqual(page.processingTimeMS, 5)
    #expect(page.automaticInsights == true)
    expectEqual(page.abTestID, 6)
    expectEqual(page.facetStats["year"]?.max, 2)
    expectEqual(page.queryID, "page's")
    expectEqual(page.additionalMembers, ["brand_new": 1])
  }

  @Test(arguments: ModelCoder.allCases)
  func changedMemberIsWritten(coder: ModelCoder) throws {
    var page = try coder.decode(
      HitsPage<Movie>.self,
      #"{"nbHits":"many","page":[],"query":1,"processingTimeMS":"x","facets":1}"#)
    page.nbHits = 5
    page.query = "a"
    page.facets = ["genre": ["Drama": 1]]
    let again = try coder.roundTrip(page)
    expectEqual(again.nbHits, 5)
    expectEqual(again.query, "a")
    expectEqual(again.facets, page.facets)
    expectEqual(again.additionalMembers, ["page": [], "processingTimeMS": "x"])
  }

  @Test(arguments: ModelCoder.allCases)
  func unknownAndMistypedNestedMembersAreKept(coder: ModelCoder) throws {
    let text = """
      {"exhaustive":{"nbHits":true,"typo":"some","later_on":1},
       "facets_stats":{"year":{"min":1,"max":2},"size":{"min":"S"}},
       "renderingContent":{"facetOrdering":{"values":{"a":{"order":["x"]},"b":7}}}}
      """
    let page = try coder.decode(HitsPage<Movie>.self, text)
    #expect(page.exhaustive.nbHits == true)
    #expect(page.exhaustive.typo == nil)
    expectEqual(page.exhaustive.additionalMembers, ["typo": "some", "later_on": 1])
    expectEqual(page.facetStats, [:])
    expectEqual(
      page.additionalMembers["facets_stats"],
      ["year": ["min": 1, "max": 2], "size": ["min": "S"]])
    expectEqual(
      page.renderingContent?.facetOrdering?.additionalMembers["values"],
      ["a": ["order": ["x"]], "b": 7])
    try expectEqual(coder.roundTrip(page).additionalMembers, page.additionalMembers)
    try expectEqual(coder.roundTrip(page).renderingContent, page.renderingContent)
    try expectEqual(coder.roundTrip(page.exhaustive), page.exhaustive)
  }
}
