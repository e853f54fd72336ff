import InstantSearchAPI

/// The state of a part of the contract in the engine.
package enum ContractState: String, Sendable, CaseIterable {
  /// It has the effect that the contract describes.
  case honored
  /// It is valid, and nothing depends on it.
  case withoutEffect = "without effect"
  /// It is an error.
  case refused
}

/// A search parameter or a setting of the contract, and its state in the engine.
///
/// ``all`` is the only list of states: checks read it, and the contract article is generated from
/// it.
package struct ContractName: Sendable {
  /// The requests that have a name.
  package enum Use: String, Sendable, CaseIterable {
    /// A parameter of a search.
    case parameter
    /// A setting of an index.
    case setting
    /// A parameter of a search for places.
    case places
  }

  /// The name on the wire.
  package let name: String
  /// The requests that have the name.
  package let uses: Set<Use>
  /// The state of the name in the engine.
  package let state: ContractState
  /// A remark, or the reason for having no effect; may be empty.
  package let note: String
  /// Whether a search reports that the name has no effect, because it would change the results.
  let isReported: Bool
  /// The values of a name without effect that request nothing, in addition to ``isNothing(_:)``.
  private let neutralValues: [JSON]

  private init(_ name: String, _ uses: Use..., note: String = "") {
    self.init(name, Set(uses), .honored, note, isReported: false, [])
  }

  private init(
    _ name: String, _ uses: Set<Use>, _ state: ContractState, _ note: String, isReported: Bool,
    _ neutral: [JSON]
  ) {
    self.name = name
    self.uses = uses
    self.state = state
    self.note = note
    self.isReported = isReported
    neutralValues = neutral
  }

  /// A name without effect.
  private static func ignored(
    _ name: String, _ uses: Set<Use>, _ note: String, isReported: Bool = true, neutral: [JSON] = []
  ) -> ContractName {
    ContractName(name, uses, .withoutEffect, note, isReported: isReported, neutral)
  }

  /// Whether a value of a name without effect requests a feature that the engine does not have.
  ///
  /// `analytics: false` requests nothing, because the engine never counts searches.
  package func asksForMore(_ value: JSON) -> Bool {
    state == .withoutEffect && !Self.isNothing(value) && !neutralValues.contains(value)
  }

  /// Returns the message for a value that requests a feature that the engine does not have.
  ///
  /// - Parameter kind: `parameter` or `setting`.
  func refusal(as kind: String) -> String {
    "The \(kind) \"\(name)\" has no effect in this engine: \(note)"
  }

  /// Whether a value turns something off: `false`, `null` or a value without contents.
  private static func isNothing(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool(false), .string(""), .string("false"): true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

extension ContractName {
  /// Returns the entry of a name, if the contract has it in such a request.
  package static func named(_ name: String, in use: Use) -> ContractName? {
    byName[use]?[name]
  }

  /// Returns the names of a kind of request.
  package static func names(in use: Use) -> Set<String> { Set(byName[use, default: [:]].keys) }

  /// Returns the names of a kind of request that have no effect.
  static func namesWithoutEffect(in use: Use) -> [String] { withoutEffect[use] ?? [] }

  /// Returns the names of a kind of request whose lack of effect a search reports.
  static func reportedNames(in use: Use) -> [ContractName] { reported[use] ?? [] }

  private static let byName: [Use: [String: ContractName]] = {
    var result: [Use: [String: ContractName]] = [:]
    for entry in all {
      for use in entry.uses { result[use, default: [:]][entry.name] = entry }
    }
    return result
  }()

  private static let reported = byName.mapValues { names in
    names.values.filter(\.isReported).sorted { $0.name < $1.name }
  }

  private static let withoutEffect = byName.mapValues { names in
    names.values.filter { $0.state == .withoutEffect }.map(\.name).sorted()
  }
}

extension ContractName {
  /// All names, sorted.
  package static let all: [ContractName] = [
    ContractName("advancedSyntax", .parameter, .setting),
    ContractName("advancedSyntaxFeatures", .parameter, .setting),
    ignored(
      "allowCompressionOfIntegerArray", [.setting], "the engine keeps the order of integers",
      isReported: false),
    ContractName("allowTyposOnNumericTokens", .parameter, .setting),
    ContractName("alternativesAsExact", .parameter, .setting),
    ignored("analytics", [.parameter], "the engine does not count searches", isReported: false),
    ignored("analyticsTags", [.parameter], "the engine does not count searches", isReported: false),
    ContractName("aroundLatLng", .parameter, .places),
    ignored(
      "aroundLatLngViaIP", [.parameter, .places], "the engine does not know an address"),
    ContractName("aroundPrecision", .parameter, .places),
    ContractName("aroundRadius", .parameter, .places),
    ContractName("attributeCriteriaComputedByMinProximity", .parameter, .setting),
    ContractName("attributeForDistinct", .setting, note: "arrays form groups too"),
    ContractName("attributesForFaceting", .setting),
    ContractName("attributesToHighlight", .parameter, .setting),
    ContractName(
      "attributesToIndex", .setting, note: "the former name of `searchableAttributes`"),
    ContractName("attributesToRetrieve", .parameter, .setting),
    ContractName("attributesToSnippet", .parameter, .setting),
    ignored("attributesToTransliterate", [.setting], "there are no dictionaries"),
    ContractName("camelCaseAttributes", .setting),
    ContractName(
      "clickAnalytics", .parameter, note: "adds `queryID`, which depends only on the search"),
    ContractName("countries", .places),
    ContractName("customNormalization", .setting, note: "the list `default`"),
    ContractName("customRanking", .setting),
    ContractName("decompoundQuery", .parameter, .setting),
    ContractName("decompoundedAttributes", .setting),
    ContractName("disableExactOnAttributes", .parameter, .setting),
    ContractName("disablePrefixOnAttributes", .setting),
    ContractName("disableTypoToleranceOnAttributes", .parameter, .setting),
    ContractName("disableTypoToleranceOnWords", .setting),
    ContractName("distinct", .parameter, .setting),
    ignored("enableABTest", [.parameter], "there are no A/B tests", isReported: false),
    ignored("enablePersonalization", [.parameter, .setting], "there are no profiles of users"),
    ignored(
      "enableReRanking", [.parameter, .setting], "there is no re-ranking", isReported: false),
    ignored(
      "enableRules", [.parameter, .setting], "rules are stored and not applied", isReported: false),
    ContractName("exactOnSingleWordQuery", .parameter, .setting),
    ContractName("explain", .parameter, note: "a service demands the right `settings`"),
    ContractName("facetFilters", .parameter),
    ContractName("facetingAfterDistinct", .parameter),
    ContractName("facets", .parameter),
    ContractName("filters", .parameter),
    ContractName("getRankingInfo", .parameter, .places),
    ContractName("highlightPostTag", .parameter, .setting),
    ContractName("highlightPreTag", .parameter, .setting),
    ContractName("hitsPerPage", .parameter, .setting, .places),
    ContractName("ignorePlurals", .parameter, .setting),
    ignored(
      "indexLanguages", [.setting], "only a segmenter of the configuration reads it",
      isReported: false),
    ContractName("insideBoundingBox", .parameter, .places),
    ContractName("insidePolygon", .parameter, .places),
    ContractName("keepDiacriticsOnCharacters", .setting),
    ContractName("language", .places),
    ContractName("length", .parameter),
    ContractName("master", .setting, note: "the former name of `primary`"),
    ContractName("maxFacetHits", .setting),
    ContractName("maxValuesPerFacet", .parameter, .setting),
    ContractName("minProximity", .parameter, .setting),
    ContractName("minWordSizefor1Typo", .parameter, .setting),
    ContractName("minWordSizefor2Typos", .parameter, .setting),
    ContractName("minimumAroundRadius", .parameter),
    ignored(
      "mode", [.parameter, .setting], "there is no neural search", neutral: ["keywordSearch"]),
    ContractName(
      "naturalLanguages", .parameter,
      note: "sets `removeStopWords`, `ignorePlurals` and `removeWordsIfNoResults`"),
    ContractName("numericAttributesForFiltering", .setting),
    ContractName(
      "numericAttributesToIndex", .setting,
      note: "the former name of `numericAttributesForFiltering`"),
    ContractName("numericFilters", .parameter),
    ContractName("offset", .parameter),
    ContractName("optionalFilters", .parameter),
    ContractName("optionalWords", .parameter, .setting),
    ContractName("page", .parameter),
    ContractName("paginationLimitedTo", .setting),
    ignored(
      "percentileComputation", [.parameter], "the engine keeps no statistics", isReported: false),
    ignored(
      "personalizationImpact", [.parameter], "there are no profiles of users", isReported: false,
      neutral: [0]),
    ContractName(
      "primary", .setting, note: "the engine sets it for a replica, and ignores other values"),
    ContractName("query", .parameter, .places),
    ContractName("queryLanguages", .parameter, .setting),
    ContractName("queryType", .parameter, .setting),
    ContractName("ranking", .parameter, .setting),
    ignored(
      "reRankingApplyFilter", [.parameter, .setting], "there is no re-ranking", isReported: false),
    ignored(
      "relevancyStrictness", [.parameter, .setting], "a virtual replica is a standard one",
      neutral: [100]),
    ContractName("removeStopWords", .parameter, .setting),
    ContractName("removeWordsIfNoResults", .parameter, .setting),
    ContractName("renderingContent", .parameter, .setting, note: "returned as it is"),
    ContractName("replaceSynonymsInHighlight", .parameter, .setting),
    ContractName("replicas", .setting, note: "a virtual replica is a standard one"),
    ContractName("responseFields", .parameter, .setting),
    ContractName("restrictHighlightAndSnippetArrays", .parameter, .setting),
    ContractName("restrictSearchableAttributes", .parameter, .places),
    ignored("ruleContexts", [.parameter], "rules are stored and not applied", isReported: false),
    ContractName("searchableAttributes", .setting),
    ignored("semanticSearch", [.parameter, .setting], "there is no neural search"),
    ContractName("separatorsToIndex", .setting),
    ContractName("similarQuery", .parameter),
    ContractName("slaves", .setting, note: "the former name of `replicas`"),
    ContractName("snippetEllipsisText", .parameter, .setting),
    ContractName("sortFacetValuesBy", .parameter, .setting),
    ContractName("sumOrFiltersScores", .parameter),
    ContractName("synonyms", .parameter),
    ContractName("tagFilters", .parameter),
    ContractName("type", .places),
    ContractName("typoTolerance", .parameter, .setting),
    ContractName("unretrievableAttributes", .setting),
    ContractName("userData", .setting, note: "returned as it is"),
    ignored("userToken", [.parameter], "the engine does not distinguish users", isReported: false),
    ignored(
      "version", [.setting], "it describes the form of an export", isReported: false,
      neutral: [1, 2]),
  ]
}
