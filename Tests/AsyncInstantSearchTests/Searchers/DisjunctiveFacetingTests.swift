import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Facets filtered by OR and hierarchies, counted by the embedded engine.
struct DisjunctiveFacetingTests {
  private static let records: [JSON] = [
    [
      "objectID": "1", "brand": "Apple", "color": "red", "price": 100, "lvl0": "A", "lvl1": "A > B",
    ],
    [
      "objectID": "2", "brand": "Apple", "color": "blue", "price": 900, "lvl0": "A",
      "lvl1": "A > C",
    ],
    ["objectID": "3", "brand": "Sony", "color": "red", "price": 300, "lvl0": "A", "lvl1": "A > B"],
    ["objectID": "4", "brand": "LG", "color": "green", "price": 400, "lvl0": "D", "lvl1": "D > E"],
  ]

  /// Counts calls.
  private struct Fixture {
    let engine: LocalSearch
    let transport: ScriptedTransport
    let searcher: HitsSearcher

    init(keepSelectedEmptyFacets: Bool = true, isEnabled: Bool = true) async throws {
      let engine = try await LocalSearch(
        indexName: "index", records: DisjunctiveFacetingTests.records,
        settings: IndexSettings(
          searchableAttributes: ["brand"],
          attributesForFaceting: ["brand", "color", "price", "lvl0", "lvl1"]))
      self.engine = engine
      transport = ScriptedTransport { request, _ in try await engine.send(request) }
      searcher = HitsSearcher(
        client: SearchClient(transport: transport), indexName: "index",
        query: SearchQuery().with { $0.facets = ["brand", "color", "lvl0", "lvl1"] },
        options: .init(clock: ManualClock()), isDisjunctiveFacetingEnabled: isEnabled,
        keepSelectedEmptyFacets: keepSelectedEmptyFacets)
    }

    func page(_ change: (inout FilterGroups) -> Void) async throws -> HitsPage<JSON> {
      try await searcher.search(of: JSON.self) { change(&$0.filterGroups) }
    }

    func bodies() throws -> [JSON] {
      try transport.requests.map { try JSON(parsing: $0.body) }
    }
  }

  private static func counts(_ facet: Facet?) -> [String: Int] {
    Dictionary(
      (facet?.values ?? []).map { ($0.value, $0.count) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func disjunctiveFiltersDoNotNarrowTheirOwnFacet() async throws {
    let fixture = try await Fixture()
    let page = try await fixture.page {
      $0[or: "brand"].add("brand" == "Apple")
      $0[and: "price"].add("price" < 500)
    }
    expectEqual(page.nbHits, 1)
    expectEqual(Self.counts(page.facets["brand"]), ["Apple": 1, "Sony": 1, "LG": 1])
    expectEqual(Self.counts(page.facets["color"]), ["red": 1])
    expectEqual(page.facets.attributes, ["brand", "color", "lvl0", "lvl1"])
    #expect(page.exhaustive.facetsCount == true)
  }

  @Test func withoutDisjunctiveFacetingEveryFacetIsNarrowed() async throws {
    let fixture = try await Fixture(isEnabled: false)
    let page = try await fixture.page { $0[or: "brand"].add("brand" == "Apple") }
    expectEqual(Self.counts(page.facets["brand"]), ["Apple": 2])
    #expect(fixture.transport.requests.last?.path.hasSuffix("/query") == true)
  }

  @Test func eachFilteredAndRequestedFacetAddsAQuery() async throws {
    let fixture = try await Fixture()
    try await fixture.searcher.search {
      $0.query.filters = "price > 0"
      $0.query.page = 0
      $0.query.clickAnalytics = true
      $0.filterGroups[or: "brand"].add("brand" == "Apple")
      $0.filterGroups[or: "size"].add("size" == "L")
    }
    let bodies = try fixture.bodies()
    expectEqual(bodies.count, 1)
    let requests = try #require(bodies.first?["requests"]?.arrayValue)
    expectEqual(requests.count, 2)
    expectEqual(requests.first?["filters"], "price > 0")
    expectEqual(requests.first?["facetFilters"], [["brand:Apple"], ["size:L"]])
    #expect(requests.first?["clickAnalytics"] == true)
    expectEqual(
      requests.last,
      [
        "indexName": "index", "facets": ["brand"], "filters": "price > 0",
        "facetFilters": [["size:L"]], "page": 0, "hitsPerPage": 0, "analytics": false,
        "clickAnalytics": false,
      ])
  }

  @Test func searchWithoutDisjunctiveFiltersIsOneQuery() async throws {
    let fixture = try await Fixture()
    _ = try await fixture.page { $0[and: "brand"].add("brand" == "Apple") }
    #expect(try fixture.bodies().allSatisfy { $0["requests"] == nil })
  }

  @Test func numericFiltersDoNotNarrowTheirAttributesCounts() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["price"] }
    let page = try await fixture.page {
      $0[or: "price"].add(Filter.Facet(attribute: "price", floatValue: 100))
      $0[and: "price"].add("price" < 500)
    }
    expectEqual(Self.counts(page.facets["price"]), ["100": 1, "300": 1, "400": 1, "900": 1])
    expectEqual(page.facetStats["price"]?.max, 900)
  }

  @Test func boundsOfANumberIgnoreTheSelectedRange() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["price", "color"] }
    let page = try await fixture.page {
      $0[and: "price"].add(Attribute("price").isIn(250...350))
      $0[and: "color"].add("color" == "red")
    }
    expectEqual(page.nbHits, 1)
    expectEqual(page.facetStats["price"], FacetStats(min: 100, max: 300, avg: 200, sum: 400))
    expectEqual(Self.counts(page.facets["price"]), ["100": 1, "300": 1])
    expectEqual(Self.counts(page.facets["color"]), ["red": 1])
    let requests = try #require(try fixture.bodies().last?["requests"]?.arrayValue)
    expectEqual(requests.map { $0["facets"] }, [["price", "color"], ["price"]])
    expectEqual(requests.map { $0["facetFilters"] }, [["color:red"], ["color:red"]])
    expectEqual(requests.map { $0["numericFilters"] }, [["price:250 TO 350"], nil])
  }

  @Test func numericFiltersOnAnUnrequestedFacetAddNoQuery() async throws {
    let fixture = try await Fixture()
    _ = try await fixture.page { $0[and: "price"].add("price" < 500) }
    #expect(try fixture.bodies().allSatisfy { $0["requests"] == nil })
  }

  @Test func wildcardRequestsBoundsWithoutNamingAttributes() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["*"] }
    let page = try await fixture.page { $0[and: "price"].add("price" < 500) }
    expectEqual(page.facetStats["price"]?.max, 900)
    expectEqual(Self.counts(page.facets["brand"]), ["Apple": 1, "Sony": 1, "LG": 1])
    let requests = try #require(try fixture.bodies().last?["requests"]?.arrayValue)
    expectEqual(requests.map { $0["facets"] }, [["*"], ["*"]])
  }

  @Test func disjunctionOfSeveralNumbersIsLeftOutAsAWhole() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["price"] }
    let page = try await fixture.page {
      $0[or: "cheap or good", Filter.Numeric.self].add("price" < 200, "rating" > 3)
    }
    expectEqual(page.nbHits, 1)
    expectEqual(page.facetStats["price"], FacetStats(min: 100, max: 900, avg: 425, sum: 1700))
  }

  @Test(arguments: [true, false])
  func selectedValuesThatNoRecordHasAreKept(isKept: Bool) async throws {
    let fixture = try await Fixture(keepSelectedEmptyFacets: isKept)
    let page = try await fixture.page {
      // The same value in two groups, once with a score, once negated.
      $0[or: "brand"].add("brand" == "Nokia", ("brand" == "Nokia").scored(3), "brand" == "Sony")
      $0[and: "brand"].add("brand" != "Siemens")
    }
    let expected = ["Apple": 2, "Sony": 1, "LG": 1]
    expectEqual(
      Self.counts(page.facets["brand"]),
      isKept ? expected.merging(["Nokia": 0]) { $1 } : expected)
    expectEqual(page.facets["brand"]?.values.count, isKept ? 4 : 3)
  }

  @Test func hierarchyShowsSiblingsOfThePath() async throws {
    let fixture = try await Fixture()
    let page = try await fixture.page {
      $0[hierarchical: "menu"].attributes = ["lvl0", "lvl1"]
      $0[hierarchical: "menu"].path = ["lvl0" == "A", "lvl1" == "A > B"]
    }
    expectEqual(page.nbHits, 2)
    expectEqual(Self.counts(page.facets["lvl0"]), ["A": 3, "D": 1])
    expectEqual(Self.counts(page.facets["lvl1"]), ["A > B": 2, "A > C": 1])
    let requests = try #require(try fixture.bodies().last?["requests"]?.arrayValue)
    expectEqual(
      requests.map { $0["facetFilters"] }, [[["lvl1:A > B"]], [["lvl0:A"]], nil])
  }

  @Test(arguments: [(["lvl0"], 2), (["lvl1"], 2), (["lvl0", "lvl1"], 3), (["brand"], 1)])
  func onlyRequestedLevelsAreCounted(facets: [String], queryCount: Int) async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = facets }
    let page = try await fixture.page {
      $0[hierarchical: "menu"].attributes = ["lvl0", "lvl1"]
      $0[hierarchical: "menu"].path = ["lvl0" == "A", "lvl1" == "A > B"]
    }
    let counts = ["lvl0": ["A": 3, "D": 1], "lvl1": ["A > B": 2, "A > C": 1]]
    expectEqual(page.facets.attributes, facets)
    for name in facets where counts[name] != nil {
      expectEqual(Self.counts(page.facets[name]), counts[name])
    }
    try expectEqual(fixture.bodies().last?["requests"]?.arrayValue?.count ?? 1, queryCount)
  }

  @Test func selectedValueOutsideTheMostFrequentKeepsItsCount() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.maxValuesPerFacet = 2 }
    let page = try await fixture.page {
      $0[or: "brand"].add("brand" == "Nokia", "brand" == "LG", "brand" == "Sony")
    }
    expectEqual(page.nbHits, 2)
    expectEqual(
      page.facets["brand"]?.values,
      [
        FacetValue(value: "Apple", count: 2), FacetValue(value: "LG", count: 1),
        FacetValue(value: "Sony", count: 1),
      ], "whether a hit has Nokia is not known: each response lists as many values as it may")
  }

  @Test func additionalParametersWorkLikeTheirProperties() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update {
      $0.query.facets = nil
      $0.query.additionalParameters = [
        "facets": ["brand"], "filters": "price < 500", "responseFields": ["hits", "nbHits"],
        "page": 1, "offset": 2, "length": 1,
      ]
    }
    let page = try await fixture.page { $0[or: "brand"].add("brand" == "Apple") }
    expectEqual(page.nbHits, 1)
    expectEqual(Self.counts(page.facets["brand"]), ["Apple": 1, "Sony": 1, "LG": 1])
  }

  @Test func wildcardRequestsTheCountsOfEveryAttribute() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["*"] }
    let page = try await fixture.page { $0[or: "brand"].add("brand" == "Apple") }
    expectEqual(Self.counts(page.facets["brand"]), ["Apple": 2, "Sony": 1, "LG": 1])
    expectEqual(Self.counts(page.facets["color"]), ["red": 1, "blue": 1])
  }

  @Test func theLevelBelowThePathIsCountedWithTheHits() async throws {
    let fixture = try await Fixture()
    let page = try await fixture.page {
      $0[hierarchical: "menu"].attributes = ["lvl0", "lvl1"]
      $0[hierarchical: "menu"].path = ["lvl0" == "A"]
    }
    expectEqual(Self.counts(page.facets["lvl0"]), ["A": 3, "D": 1])
    expectEqual(Self.counts(page.facets["lvl1"]), ["A > B": 2, "A > C": 1])
    try expectEqual(fixture.bodies().last?["requests"]?.arrayValue?.count, 2)
  }

  @Test func numbersJoinedByOrDoNotNarrowTheirAttribute() async throws {
    let fixture = try await Fixture()
    fixture.searcher.update { $0.query.facets = ["price"] }
    let page = try await fixture.page {
      $0[or: "price"].add(Filter.Facet(attribute: "price", floatValue: 100))
      $0[or: "range", Filter.Numeric.self].add("price" < 200, "price" > 800)
    }
    expectEqual(Self.counts(page.facets["price"]), ["100": 1, "300": 1, "400": 1, "900": 1])
  }

  @Test(arguments: [
    (true, true, 5, 8), (true, false, 5, 8), (false, true, 5, 8), (true, true, Int.max, Int.max),
  ])
  func pageCombinesExhaustivenessAndTimeOfAllResults(
    main: Bool, extra: Bool, time: Int, sum: Int
  ) async throws {
    let transport = ScriptedTransport { _, _ in
      let results = [(main, time), (extra, 3)].map { isExhaustive, time in
        """
        {"hits":[],"nbHits":0,"processingTimeMS":\(time),\
        "exhaustive":{"facetsCount":\(isExhaustive)}}
        """
      }
      return TransportResponse(
        status: 200, body: Array(#"{"results":[\#(results.joined(separator: ","))]}"#.utf8))
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      query: SearchQuery().with { $0.facets = ["brand"] }, options: .init(clock: ManualClock()))
    searcher.update { $0.filterGroups[or: "brand"].add("brand" == "Apple") }
    let page = try await searcher.search(of: JSON.self)
    expectEqual(page.exhaustive.facetsCount, main && extra)
    expectEqual(page.processingTimeMS, sum)
  }

  @Test func blankFiltersMatchEveryRecord() async throws {
    let fixture = try await Fixture()
    fixture.searcher.setFilters(" \n")
    let page = try await fixture.page { $0[and: "brand"].add("brand" == "Apple") }
    expectEqual(page.nbHits, 2)
    try expectEqual(fixture.bodies().last?["facetFilters"], ["brand:Apple"])
  }
}
