import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Every setting has a property, a name and a position in encoding and decoding.
struct SettingsTableTests {
  /// A value for every setting that is not its default.
  private static let values: JSON = [
    "searchableAttributes": ["unordered(a)", "b,c"], "disablePrefixOnAttributes": ["a"],
    "disableExactOnAttributes": ["a"], "queryType": "prefixAll",
    "removeWordsIfNoResults": "lastWords", "optionalWords": ["x"], "advancedSyntax": true,
    "advancedSyntaxFeatures": ["exactPhrase"], "exactOnSingleWordQuery": "word",
    "alternativesAsExact": ["multiWordsSynonym"], "separatorsToIndex": "+",
    "keepDiacriticsOnCharacters": "ø", "ignorePlurals": ["en"], "removeStopWords": true,
    "queryLanguages": ["fr"], "typoTolerance": "strict", "minWordSizefor1Typo": 3,
    "minWordSizefor2Typos": 9, "allowTyposOnNumericTokens": false,
    "disableTypoToleranceOnWords": ["x"], "disableTypoToleranceOnAttributes": ["a"],
    "ranking": ["asc(n)", "typo"], "customRanking": ["desc(n)"], "minProximity": 2,
    "attributeCriteriaComputedByMinProximity": true, "attributeForDistinct": "group",
    "distinct": 2, "attributesForFaceting": ["afterDistinct(searchable(a))"],
    "numericAttributesForFiltering": ["equalOnly(n)"], "maxValuesPerFacet": 7,
    "sortFacetValuesBy": "alpha", "maxFacetHits": 11, "hitsPerPage": 5,
    "paginationLimitedTo": 500, "attributesToRetrieve": ["*", "-a"],
    "unretrievableAttributes": ["secret"], "attributesToHighlight": ["a"],
    "attributesToSnippet": ["a:3"], "highlightPreTag": "<b>", "highlightPostTag": "</b>",
    "snippetEllipsisText": "...", "restrictHighlightAndSnippetArrays": true,
    "replaceSynonymsInHighlight": true, "responseFields": ["hits"], "userData": ["a": [1]],
    "renderingContent": ["facetOrdering": ["facets": ["order": ["a"]]]],
    "replicas": ["virtual(other)"],
  ]

  @Test func everyPropertyIsASettingAndHasATestValue() {
    let properties = Set(
      Mirror(reflecting: IndexSettings()).children.compactMap(\.label)
    ).subtracting(["additionalSettings"])
    expectEqual(IndexSettings.names, properties)
    expectEqual(Set(Self.values.objectValue?.keys.map { $0 } ?? []), properties)
  }

  @Test func everySettingSurvivesARoundTrip() throws {
    let settings = try Self.values.decode(IndexSettings.self)
    expectEqual(settings.additionalSettings, [:])
    let written = try JSON(encoding: settings)
    let standard = try JSON(encoding: IndexSettings())
    for name in IndexSettings.names {
      expectEqual(written[name], Self.values[name], "\(name)")
      #expect(written[name] != standard[name], "\(name)")
    }
    try expectEqual(written.decode(IndexSettings.self), settings)
    try expectEqual(JSON(parsing: "{}").decode(IndexSettings.self), IndexSettings())
  }

  /// Every setting that is a parameter is checked as one.
  @Test func parametersMatchTheSettings() throws {
    let settings = try Self.values.decode(IndexSettings.self)
    let wanted = (Self.values.objectValue ?? [:]).filter { SearchParameter.names.contains($0.key) }
    try expectEqual(JSON(encoding: settings.parameters), .object(wanted))
  }

  @Test func everySettingIsWrittenReadAndReset() async throws {
    let fixture = try await EngineFixture()
    for name in IndexSettings.names.sorted() {
      let put = try await fixture.call(
        .put, ["new", "settings"], .object([name: Self.values[name] ?? .null]))
      expectEqual(put.status, 200, "\(name): \(put.body.text)")
    }
    let got = try await fixture.call(.get, ["new", "settings"]).body
    expectEqual(got, Self.values)
    for name in IndexSettings.names.sorted() {
      _ = try await fixture.call(.put, ["new", "settings"], .object([name: .null]))
    }
    try await expectEqual(fixture.engine.settings(of: "new"), IndexSettings())
  }

  @Test func additionalSettingsAreWrittenAndRemoved() async throws {
    let fixture = try await EngineFixture()
    for (body, others) in [
      (["other": ["a": [1]], "list": [1]], ["other": ["a": [1]], "list": [1]]),
      (["other": .null, "more": 1], ["list": [1], "more": 1]),
    ] as [(JSON, [String: JSON])] {
      try await expectEqual(fixture.call(.put, ["new", "settings"], body).status, 200)
      try await expectEqual(fixture.engine.settings(of: "new").additionalSettings, others)
    }
  }

  @Test func additionalSettingsAreNotChanged() throws {
    var settings = IndexSettings()
    settings.additionalSettings = ["other": true, "list": [1, ["a": .null]]]
    let written = try JSON(encoding: settings)
    expectEqual(written["list"], [1, ["a": .null]])
    try expectEqual(written.decode(IndexSettings.self), settings)
  }
}
