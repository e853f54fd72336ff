import InstantSearchAPI

extension SearchQueryCase {
  static let nestedFilters: [Self] = [
    .init("facetFilters", #"[["a:b","a:c"],"d:\\-1"]"#) {
      $0.facetFilters = [["a:b", "a:c"], #"d:\-1"#]
    },
    .init("facetFilters", #""a:b""#, text: "a:b") { $0.facetFilters = "a:b" },
    .init("facetFilters", #""[a:b""#, text: "[a:b") { $0.facetFilters = "[a:b" },
    .init("facetFilters", #""[\"a\"]""#, text: #""[\"a\"]""#) { $0.facetFilters = #"["a"]"# },
    .init("facetFilters", #""true""#, text: "true") { $0.facetFilters = "true" },
    .init("facetFilters", "[]") { $0.facetFilters = [] },
    .init("facetFilters", #"[[],"",[["z"],"a",[[]]]]"#) {
      $0.facetFilters = [[], "", [["z"], "a", [[]]]]
    },
    .init("optionalFilters", #"["a:b<score=3>"]"#) {
      $0.optionalFilters = .group([.filter("a:b<score=3>")])
    },
    .init("numericFilters", #"["price > 20",["x=1","y:1 TO 2"]]"#) {
      $0.numericFilters = ["price > 20", ["x=1", "y:1 TO 2"]]
    },
    .init("tagFilters", #""-used""#, text: "-used") { $0.tagFilters = "-used" },
    .init("tagFilters", #"["","a"]"#) { $0.tagFilters = ["", "a"] },
    .init("reRankingApplyFilter", "null") { $0.reRankingApplyFilter = .null },
    .init("reRankingApplyFilter", #"[["a:b"]]"#) { $0.reRankingApplyFilter = [["a:b"]] },
    .init("reRankingApplyFilter", #""a:b""#, text: "a:b") { $0.reRankingApplyFilter = "a:b" },
    .init("reRankingApplyFilter", #""null""#, text: #""null""#) {
      $0.reRankingApplyFilter = "null"
    },
  ]

  static let wordsAndTypos: [Self] = [
    .init("optionalWords", "null") { $0.optionalWords = .null },
    .init("optionalWords", #""red car""#, text: "red car") { $0.optionalWords = "red car" },
    .init("optionalWords", #""2024""#, text: "2024") { $0.optionalWords = "2024" },
    .init("optionalWords", #""\"q\"""#, text: #""\"q\"""#) { $0.optionalWords = #""q""# },
    .init("optionalWords", #"["red","blue sky"]"#) { $0.optionalWords = ["red", "blue sky"] },
    .init("optionalWords", "[]") { $0.optionalWords = [] },
    .init("typoTolerance", "true") { $0.typoTolerance = true },
    .init("typoTolerance", "false") { $0.typoTolerance = .enabled(false) },
    .init("typoTolerance", #""min""#, text: "min") { $0.typoTolerance = .min },
    .init("typoTolerance", #""strict""#, text: "strict") { $0.typoTolerance = .strict },
    .init("ignorePlurals", "true") { $0.ignorePlurals = true },
    .init("ignorePlurals", #"["ca","es"]"#) { $0.ignorePlurals = [.catalan, "es"] },
    .init("ignorePlurals", "[]") { $0.ignorePlurals = [] },
    .init("removeStopWords", "false") { $0.removeStopWords = false },
    .init("removeStopWords", #"["en"]"#) { $0.removeStopWords = [.english] },
    .init("distinct", "true") { $0.distinct = true },
    .init("distinct", "0") { $0.distinct = 0 },
    .init("distinct", "1") { $0.distinct = 1 },
    .init("distinct", "3") { $0.distinct = .count(3) },
  ]

  static let geo: [Self] = [
    .init("aroundRadius", "500") { $0.aroundRadius = 500 },
    .init("aroundRadius", #""all""#, text: "all") { $0.aroundRadius = .all },
    .init("aroundPrecision", "100") { $0.aroundPrecision = 100 },
    .init("aroundPrecision", #"[{"from":0,"value":25},{"from":1000,"value":2000}]"#) {
      $0.aroundPrecision = [.init(from: 0, value: 25), .init(from: 1_000, value: 2_000)]
    },
    .init("insideBoundingBox", "null") { $0.insideBoundingBox = .null },
    .init("insideBoundingBox", "[[49.5,-1.25,48.5,2.5],[1.5,2.5,3.5,4.5]]") {
      $0.insideBoundingBox = [[49.5, -1.25, 48.5, 2.5], [1.5, 2.5, 3.5, 4.5]]
    },
    .init("insideBoundingBox", #""1,2,3,4""#, text: "1,2,3,4") {
      $0.insideBoundingBox = "1,2,3,4"
    },
    .init("insidePolygon", "[[1.5,2.5,3.5,4.5,5.5,6.5]]") {
      $0.insidePolygon = [[1.5, 2.5, 3.5, 4.5, 5.5, 6.5]]
    },
    .init("insidePolygon", "[]") { $0.insidePolygon = [] },
  ]

  static let objects: [Self] = [
    .init("semanticSearch", "{}") { $0.semanticSearch = SemanticSearch() },
    .init("semanticSearch", #"{"eventSources":null}"#) {
      $0.semanticSearch = SemanticSearch(eventSources: .null)
    },
    .init("semanticSearch", #"{"eventSources":["a"]}"#) {
      $0.semanticSearch = SemanticSearch(eventSources: ["a"])
    },
    .init("renderingContent", "{}") { $0.renderingContent = RenderingContent() },
    .init(
      "renderingContent",
      """
      {"facetOrdering":{"facets":{"order":["brand"]},"values":{"brand":{"hide":["Z"],\
      "order":["A"],"sortRemainingBy":"hidden"},"size":{"sortRemainingBy":"alpha"}}},"more":[1],\
      "redirect":{"url":"https://example.com"},\
      "widgets":{"banners":[{"image":{"title":"A","urls":[{"url":"a.png"}]},"link":{"url":"/a"}}]}}
      """
    ) {
      $0.renderingContent = RenderingContent(
        facetOrdering: FacetOrdering(
          facets: FacetsOrder(order: ["brand"]),
          values: [
            "brand": FacetValuesOrder(order: ["A"], sortRemainingBy: .hidden, hide: ["Z"]),
            "size": FacetValuesOrder(sortRemainingBy: .alphabetical),
          ]),
        redirect: .init(url: "https://example.com"),
        widgets: .init(banners: [.init(imageURLs: ["a.png"], title: "A", linkURL: "/a")]),
        additionalMembers: ["more": [1]])
    },
  ]
}
