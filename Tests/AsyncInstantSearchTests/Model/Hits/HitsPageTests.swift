import AsyncInstantSearch
import InstantSearchJSON
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
    #expect(page.hits.map(\.title) == ["Titanic", "Titan A.E."])
    #expect(page.failures == [])
    #expect(page.nbHits == 42)
    #expect(page.page == 2)
    #expect(page.nbPages == 21)
    #expect(page.hitsPerPage == 2)
    #expect(page.query == "titan")
    #expect(page.params == "query=titan&page=2")
    #expect(page.queryAfterRemoval == "titan <em>x</em>")
    #expect(page.parsedQuery == "titan")
    #expect(page.index == "movies")
    #expect(page.indexUsed == "movies_b")
    #expect(page.serverUsed == "c1-de-3")
    #expect(page.processingTimeMS == 3)
    #expect(page.serverTimeMS == 4)
    #expect(page.processingTimingsMS == ["total": 3, "_request": ["roundTrip": 12]])
    #expect(page.exhaustive == Exhaustive(nbHits: true, typo: false, facetsCount: true))
    #expect(page.facets["genre"]?["Drama"] == 12)
    #expect(page.facetStats == ["year": FacetStats(min: 1953, max: 2000, avg: 1980.5, sum: 83181)])
    #expect(page.renderingContent?.facetOrdering?.facets?.order == ["genre"])
    #expect(page.userData == [["banner": "b"]])
    #expect(page.appliedRules == [["objectID": "r1"]])
    #expect(page.aroundLatLng == Point(latitude: 48.85, longitude: 2.35))
    #expect(page.automaticRadius == 1500)
    #expect(page.message == "careful")
    #expect(page.abTestID == 5)
    #expect(page.abTestVariantID == 1)
    #expect(page.queryID == "43b15df305339e827f0ac0bdc5ebcaa7")
    #expect(page.nbSortedHits == 10)
    #expect(page.redirect == ["index": []])
    #expect(page.automaticInsights == true)
    #expect(page.extensions == ["queryCategorization": [:]])
    #expect(page.processed == true)
    #expect(page.cursor == "abc")
    #expect(page.explain == ["match": 1])
    #expect(page.additionalMembers == ["brandNew": ["x": 1]])
    #expect(page.request == nil)
    #expect(page.generation == 0)
  }

  @Test func bothDecodersAgree() throws {
    let texts = [HitsPageSample.full, HitsPageSample.odd, "{}", #"{"hits":[]}"#, #"{"hits":null}"#]
    for text in texts {
      let own = try ModelCoder.own.decode(HitsPage<Hit<Movie>>.self, text)
      let foundation = try ModelCoder.foundation.decode(HitsPage<Hit<Movie>>.self, text)
      #expect(own == foundation)
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsOptional(coder: ModelCoder) throws {
    var expected = HitsPage<Hit<Movie>>()
    #expect(try coder.decode(HitsPage<Hit<Movie>>.self, "{}") == expected)
    expected.nbHits = 3
    #expect(
      try coder.decode(HitsPage<Hit<Movie>>.self, #"{"nbHits":3,"message":null}"#) == expected)
  }

  @Test(arguments: ModelCoder.allCases)
  func memberOfAnotherTypeIsKept(coder: ModelCoder) throws {
    let page = try coder.decode(HitsPage<Movie>.self, HitsPageSample.odd)
    #expect(page.nbHits == 0)
    #expect(page.facets.isEmpty)
    #expect(page.automaticRadius == nil)
    #expect(
      page.additionalMembers == [
        "nbHits": "many", "facets": ["genre": 3], "automaticRadius": "far", "message": ["text"],
        "renderingContent": [], "exhaustive": true, "facets_stats": 7, "aroundLatLng": "here",
        "appliedRules": [:], "processed": "yes",
      ])
    #expect(try coder.decode(HitsPage<Movie>.self, coder.encode(page)) == page)
  }

  @Test func aLengthWithoutAnOffsetIsIgnored() throws {
    let text = #"{"hits":[],"page":2,"nbPages":3,"hitsPerPage":4}"#
    let byPage = try page(of: Movie.self, text, query: SearchQuery().setting(\.length, to: 9))
    #expect(byPage.length == nil)
    #expect(byPage.hitsPerPage == 4)
    for coder in ModelCoder.allCases {
      let answer = try coder.decode(HitsPage<Movie>.self, #"{"length":9,"page":2,"hitsPerPage":4}"#)
      let again = try coder.roundTrip(answer)
      #expect(again == answer)
      #expect(again.page == 2)
    }
    let byOffset = try page(
      of: Movie.self, "{}", query: SearchQuery().with { ($0.offset, $0.length) = (0, 9) })
    #expect(byOffset.length == 9)
  }

  @Test func lastOfRepeatedMembersWins() throws {
    let text = #"{"nbHits":"x","nbHits":1,"page":1,"page":"y","hits":[3],"hits":[4]}"#
    let page = try page(of: Int.self, text)
    #expect(page.nbHits == 1)
    #expect(page.page == 0)
    #expect(page.hits == [4])
    #expect(page.additionalMembers == ["page": "y"])
  }

  @Test func theUserTokenIsNeverShown() throws {
    let text = """
      {"hits":[{"objectID":"1"}],"nbHits":2,"index":"movies","page":3,
       "params":"query=tom&user%54oken=secret-42&userToken=secret-42&page=3",
       "explain":{"params":[{"userToken":"secret-42"}]}}
      """
    let page = try page(of: Hit<JSON>.self, text)
    #expect(page.description == "HitsPage(index: movies, hits: 1, nbHits: 2, page: 3)")
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
      #expect(try coder.decode(HitsPage<Movie>.self, text).exhaustive == expected)
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
    #expect(try page(of: Hit<JSON>.self, text).hits.map(\.searchMetadata.position) == expected)
    #expect(
      try ModelCoder.foundation.decode(HitsPage<Hit<JSON>>.self, text).hits.map(
        \.searchMetadata.position)
        == expected)
  }

  @Test func missingPageNumberComesFromTheQuery() throws {
    var query = SearchQuery()
    query.page = 3
    query.hitsPerPage = 10
    let text = #"{"hits":[{"objectID":"1"}],"queryID":"q"}"#
    let byPage = try page(of: Hit<JSON>.self, text, query: query)
    #expect(byPage.page == 3)
    #expect(byPage.hits.first?.searchMetadata.position == 31)
    #expect(byPage.hits.first?.searchMetadata.queryID == "q")
    query.offset = 4
    #expect(
      try page(of: Hit<JSON>.self, text, query: query).hits.first?.searchMetadata.position == 5)
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
      #expect(page.hits.first?.highlighted("a") == expected)
      #expect(page.hits.first?.highlighted("a")?.text == "xy <em>")
      #expect(page.hits.first?.snippeted("b")?.segments == [.init(text: "z", isHighlighted: true)])
    }
    // The query of the request decides, not its echo in the response.
    #expect(
      try page(of: Hit<JSON>.self, text, query: SearchQuery()).hits.first?.highlighted("a")?.tags
        == .standard)
  }

  @Test(arguments: ModelCoder.allCases)
  func recordsCanBeBareOrJSON(coder: ModelCoder) throws {
    let movies = try coder.decode(HitsPage<Movie>.self, HitsPageSample.full)
    #expect(movies.hits.first == Movie(title: "Titanic", year: 1997))
    let values = try coder.decode(HitsPage<JSON>.self, HitsPageSample.full)
    #expect(values.hits.last?["title"] == "Titan A.E.")
  }

  @Test func pageCanBeCreatedInCode() {
    let page = HitsPage(hits: ["a", "b"])
    #expect(page.nbHits == 2)
    #expect(page.nbPages == 1)
    #expect(page.hitsPerPage == 2)
    #expect(HitsPage<String>().nbPages == 0)
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
