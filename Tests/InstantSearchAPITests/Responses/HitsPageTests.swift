import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct HitsPageTests {
  private func page<Record: Decodable & Sendable>(
    of type: Record.Type = Hit<Movie>.self, _ text: String, query: SearchQuery? = nil
  ) throws -> HitsPage<Record> {
    let document = try JSONDocument(Array(text.utf8))
    return HitsPage<Record>(node: document.root, options: JSONDecodingOptions(), query: query)
  }

  @Test(arguments: ModelCoder.allCases)
  func everyDocumentedMemberIsRead(coder: ModelCoder) throws {
    let page = try coder.decode(HitsPage<Hit<Movie>>.self, HitsPageSample.full)
    expectEqual(page.hits.map(\.title), ["Titanic", "Titan A.E."])
    expectEqual(page.failures, [])
    expectEqual(page.nbHits, 42)
    expectEqual(page.page, 2)
    expectEqual(page.nbPages, 21)
    expectEqual(page.hitsPerPage, 2)
    expectEqual(page.query, "titan")
    expectEqual(page.params, "query=titan&page=2")
    expectEqual(page.queryAfterRemoval, "titan <em>x</em>")
    expectEqual(page.parsedQuery, "titan")
    expectEqual(page.index, "movies")
    expectEqual(page.indexUsed, "movies_b")
    expectEqual(page.serverUsed, "c1-de-3")
    expectEqual(page.processingTimeMS, 3)
    expectEqual(page.serverTimeMS, 4)
    expectEqual(page.processingTimingsMS, ["total": 3, "_request": ["roundTrip": 12]])
    expectEqual(page.exhaustive, Exhaustive(nbHits: true, typo: false, facetsCount: true))
    expectEqual(page.facets["genre"]?["Drama"], 12)
    expectEqual(
      page.facetStats, ["year": FacetStats(min: 1953, max: 2000, avg: 1980.5, sum: 83181)])
    expectEqual(page.renderingContent?.facetOrdering?.facets?.order, ["genre"])
    expectEqual(page.userData, [["banner": "b"]])
    expectEqual(page.appliedRules, [["objectID": "r1"]])
    expectEqual(page.aroundLatLng, Point(latitude: 48.85, longitude: 2.35))
    expectEqual(page.automaticRadius, 1500)
    expectEqual(page.message, "careful")
    expectEqual(page.abTestID, 5)
    expectEqual(page.abTestVariantID, 1)
    expectEqual(page.queryID, "43b15df305339e827f0ac0bdc5ebcaa7")
    expectEqual(page.nbSortedHits, 10)
    expectEqual(page.redirect, ["index": []])
    #expect(page.automaticInsights == true)
    expectEqual(page.extensions, ["queryCategorization": [:]])
    #expect(page.processed == true)
    expectEqual(page.cursor, "abc")
    expectEqual(page.explain, ["match": 1])
    expectEqual(page.additionalMembers, ["brandNew": ["x": 1]])
    #expect(page.request == nil)
    expectEqual(page.generation, 0)
  }

  @Test func bothDecodersAgree() throws {
    let texts = [HitsPageSample.full, HitsPageSample.odd, "{}", #"{"hits":[]}"#, #"{"hits":null}"#]
    for text in texts {
      let own = try ModelCoder.own.decode(HitsPage<Hit<Movie>>.self, text)
      let foundation = try ModelCoder.foundation.decode(HitsPage<Hit<Movie>>.self, text)
      expectEqual(own, foundation)
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsOptional(coder: ModelCoder) throws {
    var expected = HitsPage<Hit<Movie>>()
    try expectEqual(coder.decode(HitsPage<Hit<Movie>>.self, "{}"), expected)
    expected.nbHits = 3
    try expectEqual(
      coder.decode(HitsPage<Hit<Movie>>.self, #"{"nbHits":3,"message":null}"#), expected)
  }

  @Test(arguments: ModelCoder.allCases)
  func memberOfAnotherTypeIsKept(coder: ModelCoder) throws {
    let page = try coder.decode(HitsPage<Movie>.self, HitsPageSample.odd)
    expectEqual(page.nbHits, 0)
    #expect(page.facets.isEmpty)
    #expect(page.automaticRadius == nil)
    expectEqual(
      page.additionalMembers,
      [
        "nbHits": "many", "facets": ["genre": 3], "automaticRadius": "far", "message": ["text"],
        "renderingContent": [], "exhaustive": true, "facets_stats": 7, "aroundLatLng": "here",
        "appliedRules": [:], "processed": "yes",
      ])
    try expectEqual(coder.decode(HitsPage<Movie>.self, coder.encode(page)), page)
  }

  @Test func aLengthWithoutAnOffsetIsIgnored() throws {
    let text = #"{"hits":[],"page":2,"nbPages":3,"hitsPerPage":4}"#
    let byPage = try page(of: Movie.self, text, query: SearchQuery().setting(\.length, to: 9))
    #expect(byPage.length == nil)
    expectEqual(byPage.hitsPerPage, 4)
    for coder in ModelCoder.allCases {
      let answer = try coder.decode(HitsPage<Movie>.self, #"{"length":9,"page":2,"hitsPerPage":4}"#)
      let again = try coder.roundTrip(answer)
      expectEqual(again, answer)
      expectEqual(again.page, 2)
    }
    let byOffset = try page(
      of: Movie.self, "{}", query: SearchQuery().with { ($0.offset, $0.length) = (0, 9) })
    expectEqual(byOffset.length, 9)
  }

  @Test func lastOfRepeatedMembersWins() throws {
    let text = #"{"nbHits":"x","nbHits":1,"page":1,"page":"y","hits":[3],"hits":[4]}"#
    let page = try page(of: Int.self, text)
    expectEqual(page.nbHits, 1)
    expectEqual(page.page, 0)
    expectEqual(page.hits, [4])
    expectEqual(page.additionalMembers, ["page": "y"])
  }

  @Test func theUserTokenIsNeverShown() throws {
    let text = """
      {"hits":[{"objectID":"1"}],"nbHits":2,"index":"movies","page":3,
       "params":"query=tom&user%54oken=secret-42&userToken=secret-42&page=3",
       "explain":{"params":[{"userToken":"secret-42"}]}}
      """
    let page = try page(of: Hit<JSON>.self, text)
    expectEqual(page.description, "HitsPage(index: movies, hits: 1, nbHits: 2, page: 3)")
    var dumped = ""
    dump([page], to: &dumped)
    #expect(!dumped.contains("secret-42"))
    #expect(dumped.contains("query=tom&"))
    #expect(!"\([page])".contains("secret-42"))
  }

  @Test(arguments: ModelCoder.allCases)
  func onlyAnObjectWithAnArrayOfHitsIsAPage(coder: ModelCoder) {
    for text in ["[]", "3", "null", #"{"hits":{}}"#, #"{"hits":"none"}"#] {
      #expect(throws: DecodingError.self, "\(text)") {
        try coder.decode(HitsPage<Movie>.self, text)
      }
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func olderExhaustivenessFillsMissingMembers(coder: ModelCoder) throws {
    let older = #""exhaustiveNbHits":true,"exhaustiveTypo":true,"exhaustiveFacetsCount":false"#
    let newer = #""exhaustive":{"nbHits":false}"#
    let expected = Exhaustive(nbHits: false, typo: true, facetsCount: false)
    for text in ["{\(older),\(newer)}", "{\(newer),\(older)}"] {
      try expectEqual(coder.decode(HitsPage<Movie>.self, text).exhaustive, expected)
    }
  }

  static let positions: [(text: String, expected: [Int?])] = [
    (#"{"page":2,"hitsPerPage":2,"hits":[1,2]}"#, [5, 6]),
    (#"{"page":0,"hitsPerPage":2,"hits":[1,2]}"#, [1, 2]),
    (#"{"offset":7,"length":2,"hits":[1,2]}"#, [8, 9]),
    (#"{"hits":[1,2]}"#, [1, 2]),
    (#"{"page":2,"hits":[1,2]}"#, [nil, nil]),
    (#"{"page":-1,"hitsPerPage":2,"hits":[1]}"#, [nil]),
    (#"{"page":9223372036854775807,"hitsPerPage":2,"hits":[1]}"#, [nil]),
    (#"{"offset":9223372036854775806,"hits":[1,2]}"#, [.max, nil]),
  ]

  @Test(arguments: positions)
  func positionsCountAllHits(text: String, expected: [Int?]) throws {
    var text = text
    for id in [1, 2] {
      text.replace("[\(id)", with: #"[{"objectID":"\#(id)"}"#)
      text.replace(",\(id)]", with: #",{"objectID":"\#(id)"}]"#)
    }
    try expectEqual(page(of: Hit<JSON>.self, text).hits.map(\.searchMetadata.position), expected)
    try expectEqual(
      ModelCoder.foundation.decode(HitsPage<Hit<JSON>>.self, text).hits.map(
        \.searchMetadata.position),
      expected)
  }

  @Test func missingPageNumberComesFromTheQuery() throws {
    var query = SearchQuery()
    query.page = 3
    query.hitsPerPage = 10
    let text = #"{"hits":[{"objectID":"1"}],"queryID":"q"}"#
    let byPage = try page(of: Hit<JSON>.self, text, query: query)
    expectEqual(byPage.page, 3)
    expectEqual(byPage.hits.first?.searchMetadata.position, 31)
    expectEqual(byPage.hits.first?.searchMetadata.queryID, "q")
    query.offset = 4
    try expectEqual(
      page(of: Hit<JSON>.self, text, query: query).hits.first?.searchMetadata.position, 5)
  }

  @Test func highlightTagsComeFromTheQuery() throws {
    let text = """
      {"hits":[{"objectID":"1","_highlightResult":{"a":{"value":"[x]y <em>","matchLevel":"full"}},
                "_snippetResult":{"b":[{"value":"[z]","matchLevel":"full"}]}}],
       "params":"highlightPreTag=%5B&highlightPostTag=%5D"}
      """
    var query = SearchQuery()
    query.highlightPreTag = "["
    query.highlightPostTag = "]"
    let expected = HighlightedString("[x]y <em>", preTag: "[", postTag: "]")
    let pages = [
      try page(of: Hit<JSON>.self, text, query: query),
      try page(of: Hit<JSON>.self, text),
      try ModelCoder.foundation.decode(HitsPage<Hit<JSON>>.self, text),
    ]
    for page in pages {
      expectEqual(page.hits.first?.highlighted("a"), expected)
      expectEqual(page.hits.first?.highlighted("a")?.text, "xy <em>")
      expectEqual(
        page.hits.first?.snippeted("b")?.segments, [.init(text: "z", isHighlighted: true)])
    }
    // The query of the request decides, not its echo in the response.
    try expectEqual(
      page(of: Hit<JSON>.self, text, query: SearchQuery()).hits.first?.highlighted("a")?.tags,
      .standard)
  }

  @Test(arguments: ModelCoder.allCases)
  func recordsCanBeBareOrJSON(coder: ModelCoder) throws {
    let movies = try coder.decode(HitsPage<Movie>.self, HitsPageSample.full)
    expectEqual(movies.hits.first, Movie(title: "Titanic", year: 1997))
    let values = try coder.decode(HitsPage<JSON>.self, HitsPageSample.full)
    expectEqual(values.hits.last?["title"], "Titan A.E.")
  }

  @Test func pageCanBeCreatedInCode() {
    let page = HitsPage(hits: ["a", "b"])
    expectEqual(page.nbHits, 2)
    expectEqual(page.nbPages, 1)
    expectEqual(page.hitsPerPage, 2)
    expectEqual(HitsPage<String>().nbPages, 0)
  }
}

/// Responses of a server.
enum HitsPageSample {
  static let full = """
    {"hits":[{"title":"Titanic","year":1997,"objectID":"1",
              "_highlightResult":{"title":{"value":"<em>Titan</em>ic","matchLevel":"full","matchedWords":["titan"]}}},
             {"title":"Titan A.E.","year":2000,"objectID":2}],
     "nbHits":42,"page":2,"nbPages":21,"hitsPerPage":2,"query":"titan","params":"query=titan&page=2",
     "queryAfterRemoval":"titan <em>x</em>","parsedQuery":"titan","index":"movies","indexUsed":"movies_b",
     "serverUsed":"c1-de-3","processingTimeMS":3,"serverTimeMS":4,
     "processingTimingsMS":{"total":3,"_request":{"roundTrip":12}},
     "exhaustive":{"nbHits":true,"typo":false,"facetsCount":true},"exhaustiveNbHits":true,"exhaustiveTypo":false,
     "facets":{"genre":{"Drama":12,"Comedy":3}},
     "facets_stats":{"year":{"min":1953,"max":2000,"avg":1980.5,"sum":83181}},
     "renderingContent":{"facetOrdering":{"facets":{"order":["genre"]}}},
     "userData":[{"banner":"b"}],"appliedRules":[{"objectID":"r1"}],
     "aroundLatLng":"48.85,2.35","automaticRadius":"1500","message":"careful",
     "abTestID":5,"abTestVariantID":1,"queryID":"43b15df305339e827f0ac0bdc5ebcaa7","nbSortedHits":10,
     "redirect":{"index":[]},"_automaticInsights":true,"extensions":{"queryCategorization":{}},
     "processed":true,"cursor":"abc","explain":{"match":1},"brandNew":{"x":1}}
    """

  static let odd = """
    {"hits":[],"nbHits":"many","facets":{"genre":3},"automaticRadius":"far","message":["text"],
     "renderingContent":[],"exhaustive":true,"facets_stats":7,"aroundLatLng":"here","appliedRules":{},
     "processed":"yes","page":null,"userData":null}
    """
}
