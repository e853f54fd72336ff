import AsyncInstantSearch
import InstantSearchJSON
import Testing

/// Pages that are encoded and decoded.
struct HitsPageSavingTests {
  @Test(arguments: ModelCoder.allCases)
  func pageIsReadBack(coder: ModelCoder) throws {
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, HitsPageSample.full)
    #expect(try coder.roundTrip(page) == page)
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
    #expect(try coder.roundTrip(page) == page)
  }

  @Test(arguments: [ModelCoder.own, .ownSnakeCase])
  func namesAreWrittenAsInTheContract(coder: ModelCoder) throws {
    var options = JSONEncodingOptions()
    if coder == .ownSnakeCase { options.keys = .convertToSnakeCase }
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, HitsPageSample.full)
    let document = try JSONDocument(JSONValueEncoder(options: options).encode(page))
    #expect(document.root["nbHits"]?.int == 42)
    #expect(document.root["processingTimeMS"]?.int == 3)
    let hit = try #require(document.root["hits"]?[0])
    #expect(hit["objectID"]?.string == "1")
    #expect(hit["_highlightResult"]?["title"]?["matchLevel"]?.string == "full")
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
    #expect(page.failures == [])
    #expect(page.hits.first?.objectID == "7")
    #expect(page.hits.first?.searchMetadata.distinctSeqID == 2)
    #expect(page.hits.first?.searchMetadata.queryID == "q")
    #expect(page.nbHits == 4)
    #expect(page.processingTimeMS == 5)
    #expect(page.automaticInsights == true)
    #expect(page.abTestID == 6)
    #expect(page.facetStats["year"]?.max == 2)
    #expect(page.queryID == "page's")
    #expect(page.additionalMembers == ["brand_new": 1])
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
    #expect(again.nbHits == 5)
    #expect(again.query == "a")
    #expect(again.facets == page.facets)
    #expect(again.additionalMembers == ["page": [], "processingTimeMS": "x"])
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
    #expect(page.exhaustive.additionalMembers == ["typo": "some", "later_on": 1])
    #expect(page.facetStats == [:])
    #expect(
      page.additionalMembers["facets_stats"]
        == ["year": ["min": 1, "max": 2], "size": ["min": "S"]])
    #expect(
      page.renderingContent?.facetOrdering?.additionalMembers["values"]
        == ["a": ["order": ["x"]], "b": 7])
    #expect(try coder.roundTrip(page).additionalMembers == page.additionalMembers)
    #expect(try coder.roundTrip(page).renderingContent == page.renderingContent)
    #expect(try coder.roundTrip(page.exhaustive) == page.exhaustive)
  }
}
