import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Every name that the table calls honored changes a response.
struct ContractEffectTests {
  private static let records: [JSON] = [
    [
      "objectID": "1", "title": "red phone", "text": "a long text about the phone and much more",
      "n": 1, "kind": "a", "group": "x", "_tags": ["t"], "_geoloc": ["lat": 1, "lng": 1],
      "list": ["red", "blue"], "secret": "s",
    ],
    [
      "objectID": "2", "title": "blue phones", "text": "red", "n": 2, "kind": "b", "group": "x",
      "_geoloc": ["lat": 20, "lng": 20],
    ],
    [
      "objectID": "3", "title": "phone case red", "text": "café", "n": 3, "kind": "b",
      "group": "y",
    ],
    ["objectID": "4", "title": "red", "text": "of a red phone", "n": 4, "code": "12345"],
    ["objectID": "5", "title": "c", "text": "x", "n": 5],
    ["objectID": "6", "title": "c+", "n": 6], ["objectID": "7", "title": "camelCase", "n": 7],
    ["objectID": "8", "title": "phone camel", "n": 8],
    ["objectID": "9", "title": "treehouse tree house"],
    ["objectID": "10", "title": "treehouse"],
  ]
  private static let settings = IndexSettings {
    $0.searchableAttributes = ["title", "text", "list", "code"]
    $0.attributesForFaceting = ["searchable(kind)", "group"]
    $0.attributeForDistinct = "group"
  }

  /// A value of each name, and the parameters with which it has an effect.
  private static let effects: [String: (value: JSON, parameters: JSON)] = [
    "advancedSyntax": (true, ["query": "\"red phone\""]),
    "advancedSyntaxFeatures": (
      ["excludeWords"], ["query": "\"red phone\"", "advancedSyntax": true]
    ),
    "allowTyposOnNumericTokens": (false, ["query": "12346"]),
    "alternativesAsExact": ([], ["query": "scarlet phone"]),
    "aroundLatLng": ("1,1", [:]),
    "aroundPrecision": (100_000, ["aroundLatLng": "0,0"]),
    "aroundRadius": (1, ["aroundLatLng": "0,0"]),
    "attributeCriteriaComputedByMinProximity": (
      true, ["query": "red phone", "ranking": ["attribute", "proximity"]]
    ),
    "attributeForDistinct": ("kind", ["distinct": true]),
    "attributesForFaceting": (["group"], ["facets": ["kind"]]),
    "attributesToHighlight": (["text"], ["query": "red"]),
    "attributesToIndex": (["text"], ["query": "red"]),
    "attributesToRetrieve": (["title"], [:]),
    "attributesToSnippet": (["text:3"], [:]),
    "camelCaseAttributes": (["title"], ["query": "case"]),
    "clickAnalytics": (true, [:]),
    "customNormalization": (["default": ["é": "ee"]], ["query": "cafee", "typoTolerance": false]),
    "customRanking": (["desc(n)"], [:]),
    "decompoundQuery": (
      false, ["query": "camelphone", "queryLanguages": ["de"], "typoTolerance": false]
    ),
    "decompoundedAttributes": (["de": ["title"]], ["query": "house", "typoTolerance": false]),
    "disableExactOnAttributes": (["title", "text"], ["query": "red phone"]),
    "disablePrefixOnAttributes": (["title", "text"], ["query": "pho"]),
    "disableTypoToleranceOnAttributes": (["title", "text"], ["query": "phome"]),
    "disableTypoToleranceOnWords": (["phome"], ["query": "phome"]),
    "distinct": (true, [:]),
    "exactOnSingleWordQuery": ("none", ["query": "red"]),
    "explain": (["match.alternatives"], ["query": "red"]),
    "facetFilters": ("kind:a", [:]),
    "facetingAfterDistinct": (true, ["facets": ["kind"], "distinct": true]),
    "facets": (["kind"], [:]),
    "filters": ("kind:a", [:]),
    "getRankingInfo": (false, [:]),
    "highlightPostTag": ("</b>", ["query": "red"]),
    "highlightPreTag": ("<b>", ["query": "red"]),
    "hitsPerPage": (1, [:]),
    "ignorePlurals": (["en"], ["query": "phones", "typoTolerance": false]),
    "insideBoundingBox": ([[0, 0, 5, 5]], [:]),
    "insidePolygon": ([[0, 0, 0, 5, 5, 5]], [:]),
    "keepDiacriticsOnCharacters": ("é", ["query": "cafe"]),
    "length": (1, ["offset": 0]),
    "maxFacetHits": (1, [:]),
    "maxValuesPerFacet": (1, ["facets": ["kind"]]),
    "minProximity": (5, ["query": "phone red"]),
    "minWordSizefor1Typo": (7, ["query": "phome"]),
    "minWordSizefor2Typos": (5, ["query": "phxxe"]),
    "minimumAroundRadius": (9_000_000, ["aroundLatLng": "0,0"]),
    "naturalLanguages": (["en"], ["query": "red zzzz"]),
    "numericAttributesForFiltering": (["none"], ["numericFilters": "n>0"]),
    "numericAttributesToIndex": (["none"], ["numericFilters": "n>0"]),
    "numericFilters": ("n>1", [:]),
    "offset": (1, [:]),
    "optionalFilters": ("kind:b", [:]),
    "optionalWords": (["zebra"], ["query": "red zebra"]),
    "page": (1, ["hitsPerPage": 2]),
    "paginationLimitedTo": (1, [:]),
    "query": ("red", [:]),
    "queryLanguages": (["fr"], ["query": "of a phone", "removeStopWords": true]),
    "queryType": ("prefixNone", ["query": "pho"]),
    "ranking": (["desc(n)"], [:]),
    "removeStopWords": (["en"], ["query": "about red"]),
    "removeWordsIfNoResults": ("lastWords", ["query": "red zebra"]),
    "renderingContent": (["redirect": ["url": "x"]], [:]),
    "replaceSynonymsInHighlight": (true, ["query": "scarlet phone"]),
    "replicas": (["copy"], [:]),
    "responseFields": (["hits"], [:]),
    "restrictHighlightAndSnippetArrays": (true, ["query": "red"]),
    "restrictSearchableAttributes": (["text"], ["query": "red"]),
    "searchableAttributes": (["text"], ["query": "red"]),
    "separatorsToIndex": ("+", ["query": "c+"]),
    "similarQuery": ("red phone", [:]),
    "slaves": (["copy"], [:]),
    "snippetEllipsisText": ("...", ["query": "phone", "attributesToSnippet": ["text:3"]]),
    "sortFacetValuesBy": ("alpha", ["facets": ["kind"], "maxValuesPerFacet": 1]),
    "sumOrFiltersScores": (true, ["filters": "kind:a<score=2> OR group:x<score=3>"]),
    "synonyms": (false, ["query": "scarlet phone"]),
    "tagFilters": ("t", [:]),
    "typoTolerance": (false, ["query": "phome"]),
    "unretrievableAttributes": (["secret"], [:]),
    "userData": (["a": 1], [:]),
  ]

  /// What a caller can see: a response without its text of the parameters, facet values, and the
  /// indices.
  private func answers(_ fixture: EngineFixture, _ parameters: JSON) async throws -> JSON {
    var body: JSON = ["getRankingInfo": true]
    for (name, value) in parameters.objectValue ?? [:] { body[name] = value }
    var response = try await fixture.search(body)
    try #require(response["hits"] != nil, "\(response.text)")
    response["params"] = nil
    let values = try await fixture.call(
      .post, [EngineFixture.index, "facets", "kind", "query"], [:])
    return [
      response, values.body["facetHits"] ?? .null,
      .array(fixture.engine.indexNames.map { .string($0) }),
    ]
  }

  @Test(
    arguments: ContractName.all.filter {
      $0.state == .honored && !["primary", "master"].contains($0.name)
    }
    .map(\.name))
  func anHonoredNameChangesAResponse(name: String) async throws {
    let uses = try #require(ContractName.all.first { $0.name == name }).uses
    guard uses != [.places] else { return }
    let (value, parameters) = try #require(Self.effects[name])
    let fixture = try await EngineFixture(Self.records, settings: Self.settings)
    try await LanguageFixture(engine: fixture.engine)
      .save([Synonym("red", .equivalent(["red", "scarlet"]))])
    let before = try await answers(fixture, parameters)
    if uses.contains(.parameter) {
      var changed = parameters
      changed[name] = value
      #expect(try await answers(fixture, changed) != before)
    }
    guard uses.contains(.setting) else { return }
    let path = [EngineFixture.index, "settings"]
    let put = try await fixture.call(.put, path, .object([name: value]))
    expectEqual(put.status, 200, "\(put.body.text)")
    #expect(try await answers(fixture, parameters) != before)
  }
}
