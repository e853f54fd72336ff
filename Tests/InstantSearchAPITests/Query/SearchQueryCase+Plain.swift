import InstantSearchAPI

extension SearchQueryCase {
  static let texts: [Self] = [
    .init("query", #""tom & \"jerry\" 'é'""#, text: #"tom & "jerry" 'é'"#) {
      $0.query = #"tom & "jerry" 'é'"#
    },
    .init("query", #""""#, text: "") { $0.query = "" },
    .init("query", #""null""#, text: "null") { $0.query = "null" },
    .init("query", #""[1]""#, text: "[1]") { $0.query = "[1]" },
    .init("similarQuery", #""12""#, text: "12") { $0.similarQuery = "12" },
    .init("filters", #""a:b AND (c > 1 OR d:\"e f\")""#, text: #"a:b AND (c > 1 OR d:"e f")"#) {
      $0.filters = #"a:b AND (c > 1 OR d:"e f")"#
    },
    .init("highlightPreTag", #""<b>""#, text: "<b>") { $0.highlightPreTag = "<b>" },
    .init("highlightPostTag", #""</b>""#, text: "</b>") { $0.highlightPostTag = "</b>" },
    .init("snippetEllipsisText", #""…""#, text: "…") { $0.snippetEllipsisText = "…" },
    .init("aroundLatLng", #""48.8,-2.3""#, text: "48.8,-2.3") {
      $0.aroundLatLng = Point(latitude: 48.8, longitude: -2.3)
    },
    .init("userToken", #""user-1""#, text: "user-1") { $0.userToken = "user-1" },
    .init("queryType", #""prefixAll""#, text: "prefixAll") { $0.queryType = .prefixAll },
    .init("queryType", #""later""#, text: "later") { $0.queryType = "later" },
    .init("removeWordsIfNoResults", #""none""#, text: "none") {
      $0.removeWordsIfNoResults = RemoveWordsIfNoResults.none
    },
    .init("removeWordsIfNoResults", #""allOptional""#, text: "allOptional") {
      $0.removeWordsIfNoResults = .allOptional
    },
    .init("exactOnSingleWordQuery", #""word""#, text: "word") {
      $0.exactOnSingleWordQuery = .word
    },
    .init("mode", #""neuralSearch""#, text: "neuralSearch") { $0.mode = .neuralSearch },
    .init("sortFacetValuesBy", #""alpha""#, text: "alpha") {
      $0.sortFacetValuesBy = .alphabetical
    },
  ]

  static let flags: [Self] = [
    .init("advancedSyntax", "true") { $0.advancedSyntax = true },
    .init("sumOrFiltersScores", "true") { $0.sumOrFiltersScores = true },
    .init("facetingAfterDistinct", "true") { $0.facetingAfterDistinct = true },
    .init("restrictHighlightAndSnippetArrays", "true") {
      $0.restrictHighlightAndSnippetArrays = true
    },
    .init("replaceSynonymsInHighlight", "false") { $0.replaceSynonymsInHighlight = false },
    .init("allowTyposOnNumericTokens", "false") { $0.allowTyposOnNumericTokens = false },
    .init("aroundLatLngViaIP", "true") { $0.aroundLatLngViaIP = true },
    .init("decompoundQuery", "false") { $0.decompoundQuery = false },
    .init("attributeCriteriaComputedByMinProximity", "true") {
      $0.attributeCriteriaComputedByMinProximity = true
    },
    .init("enableReRanking", "false") { $0.enableReRanking = false },
    .init("getRankingInfo", "true") { $0.getRankingInfo = true },
    .init("enableRules", "false") { $0.enableRules = false },
    .init("enablePersonalization", "true") { $0.enablePersonalization = true },
    .init("analytics", "false") { $0.analytics = false },
    .init("clickAnalytics", "true") { $0.clickAnalytics = true },
    .init("percentileComputation", "false") { $0.percentileComputation = false },
    .init("enableABTest", "false") { $0.enableABTest = false },
    .init("synonyms", "false") { $0.synonyms = false },
  ]

  static let numbers: [Self] = [
    .init("page", "0") { $0.page = 0 },
    .init("hitsPerPage", "5") { $0.hitsPerPage = 5 },
    .init("offset", "40") { $0.offset = 40 },
    .init("length", "1000") { $0.length = 1_000 },
    .init("maxValuesPerFacet", "7") { $0.maxValuesPerFacet = 7 },
    .init("minWordSizefor1Typo", "3") { $0.minWordSizefor1Typo = 3 },
    .init("minWordSizefor2Typos", "6") { $0.minWordSizefor2Typos = 6 },
    .init("minimumAroundRadius", "50") { $0.minimumAroundRadius = 50 },
    .init("minProximity", "2") { $0.minProximity = 2 },
    .init("relevancyStrictness", "90") { $0.relevancyStrictness = 90 },
    .init("personalizationImpact", "-1") { $0.personalizationImpact = -1 },
  ]

  static let lists: [Self] = [
    .init("disableExactOnAttributes", #"["name"]"#) { $0.disableExactOnAttributes = ["name"] },
    .init("attributesToRetrieve", #"["*","-price"]"#) {
      $0.attributesToRetrieve = ["*", "-price"]
    },
    .init("restrictSearchableAttributes", #"["a.b"]"#) {
      $0.restrictSearchableAttributes = ["a.b"]
    },
    .init("facets", #"["*"]"#) { $0.facets = ["*"] },
    .init("facets", "[]") { $0.facets = [] },
    .init("attributesToHighlight", #"["a,b"," c",""]"#) {
      $0.attributesToHighlight = ["a,b", " c", ""]
    },
    .init("attributesToSnippet", #"["*:10"]"#) { $0.attributesToSnippet = ["*:10"] },
    .init("disableTypoToleranceOnAttributes", #"["isbn"]"#) {
      $0.disableTypoToleranceOnAttributes = ["isbn"]
    },
    .init("ranking", #"["desc(year)","typo"]"#) { $0.ranking = ["desc(year)", "typo"] },
    .init("ruleContexts", #"["mobile"]"#) { $0.ruleContexts = ["mobile"] },
    .init("analyticsTags", #"["a","b"]"#) { $0.analyticsTags = ["a", "b"] },
    .init("responseFields", #"["hits","nbHits"]"#) { $0.responseFields = ["hits", "nbHits"] },
    .init("advancedSyntaxFeatures", #"["excludeWords"]"#) {
      $0.advancedSyntaxFeatures = [.excludeWords]
    },
    .init("alternativesAsExact", #"["multiWordsSynonym","later"]"#) {
      $0.alternativesAsExact = [.multiWordsSynonym, "later"]
    },
    .init("explain", #"["match.alternatives","later"]"#) {
      $0.explain = [.matchAlternatives, "later"]
    },
    .init("queryLanguages", #"["fr","pt-br"]"#) {
      $0.queryLanguages = [.french, .brazilianPortuguese]
    },
    .init("naturalLanguages", #"["xx"]"#) { $0.naturalLanguages = ["xx"] },
  ]
}
