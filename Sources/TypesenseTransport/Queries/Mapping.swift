import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// What becomes of a search parameter or a setting of the contract on the cluster.
///
/// ``all`` is the only list: checks and the report read it, and the table of differences in the
/// documentation is generated from it.
package struct Mapping: Sendable {
  /// The requests that have a name.
  package enum Use: String, Sendable, CaseIterable {
    case parameter, setting
  }

  /// What becomes of a name.
  package enum State: Sendable, Hashable {
    /// It has the effect that the contract describes.
    case exact
    /// It has an effect that differs as described.
    case differs(String)
    /// It is valid, and nothing depends on it.
    case ignored(String)
    /// It is an error unless its value is one of these. The text says what to do instead.
    case refused(String, unless: [JSON])
  }

  package let name: String
  package let uses: Set<Use>
  package let state: State

  private init(_ name: String, _ uses: Set<Use>, _ state: State) {
    self.name = name
    self.uses = uses
    self.state = state
  }

  private static let both: Set<Use> = [.parameter, .setting]

  private static func exact(_ names: String..., uses: Set<Use>) -> [Mapping] {
    names.map { Mapping($0, uses, .exact) }
  }

  private static func differs(_ name: String, _ uses: Set<Use>, _ note: String) -> [Mapping] {
    [Mapping(name, uses, .differs(note))]
  }

  private static func ignored(_ names: String..., uses: Set<Use>, _ note: String) -> [Mapping] {
    names.map { Mapping($0, uses, .ignored(note)) }
  }

  private static func refused(
    _ name: String, _ uses: Set<Use>, _ advice: String, unless neutral: JSON...
  ) -> [Mapping] {
    [Mapping(name, uses, .refused(advice, unless: neutral))]
  }
}

extension Mapping {
  /// All names, sorted.
  package static let all: [Mapping] = lists.flatMap(\.self).sorted { $0.name < $1.name }

  private static let lists: [[Mapping]] = [
    exact(
      "advancedSyntax", "advancedSyntaxFeatures", "attributesToHighlight", "attributesToRetrieve",
      "attributesToSnippet", "highlightPostTag", "highlightPreTag", "hitsPerPage",
      "maxValuesPerFacet", "removeStopWords", "renderingContent", "responseFields",
      "restrictHighlightAndSnippetArrays", "snippetEllipsisText", "sortFacetValuesBy",
      "queryLanguages", uses: both),
    exact(
      "facets", "facetFilters", "filters", "length", "numericFilters", "offset", "page", "query",
      "tagFilters", uses: [.parameter]),
    exact(
      "attributeForDistinct", "attributesForFaceting", "attributesToIndex", "customNormalization",
      "master", "maxFacetHits", "numericAttributesForFiltering", "numericAttributesToIndex",
      "paginationLimitedTo", "primary", "replicas", "slaves",
      "unretrievableAttributes", "userData", "version", uses: [.setting]),
    searching, ranking, grouping, geography, words, others,
  ]

  private static let searching =
    differs(
      "searchableAttributes", [.setting],
      "the positions of words do not rank, as in `unordered(attribute)`; ranks after the 14th are equal; without a list, all texts of a record rank alike"
    )
    + differs(
      "typoTolerance", both,
      "other records, see Typos above: a typo in the first letter counts as one, a letter too many or too few is often not found, and typos are counted in bytes; `min` stops at the first number of typos with hits; `strict` is refused"
    )
    + differs(
      "queryType", both,
      "`prefixLast` and `prefixNone` are exact; `prefixAll` is refused")
    + exact("minWordSizefor1Typo", "minWordSizefor2Typos", uses: both)
    + differs(
      "disableTypoToleranceOnAttributes", both, "needs the setting `searchableAttributes`")
    + differs(
      "restrictSearchableAttributes", [.parameter], "needs the setting `searchableAttributes`")
    + differs("disablePrefixOnAttributes", [.setting], "needs the setting `searchableAttributes`")
    + differs(
      "exactOnSingleWordQuery", both,
      "`attribute` ranks a whole value first, `none` does not; `word` is refused")
    + refused(
      "allowTyposOnNumericTokens", both, "leave it on, or turn typos off for the attribute",
      unless: true)
    + refused(
      "disableTypoToleranceOnWords", [.setting],
      "turn typos off for an attribute with disableTypoToleranceOnAttributes", unless: [])

  private static let ranking =
    differs(
      "ranking", both,
      "the textual criteria are one score of the server, in the standard order; other criteria come before or after it; three at most, where the ones that follow each other in the settings are one"
    )
    + differs(
      "customRanking", [.setting],
      "a text that is a single criterion ranks by its first seven bytes in a search with two others, such as words and a distance"
    )
    + differs(
      "optionalFilters", [.parameter],
      "a record that matches one of them ranks before the text, all such records alike")
    + refused(
      "sumOrFiltersScores", [.parameter], "the server has no scores of filters", unless: false)
    + refused(
      "getRankingInfo", [.parameter], "the server tells too little about its ranking", unless: false
    )
    + refused("minProximity", both, "the server has no minimum distance", unless: 1)
    + refused(
      "attributeCriteriaComputedByMinProximity", both, "the server chooses the attribute itself",
      unless: false)
    + refused("disableExactOnAttributes", both, "the server knows no such attributes", unless: [])
    + refused(
      "alternativesAsExact", both, "leave the default",
      unless: ["ignorePlurals", "singleWordSynonym"]
    )
    + refused(
      "relevancyStrictness", both, "the server shows every matching record", unless: 100)

  private static let grouping =
    differs(
      "distinct", both, "the number of groups is an estimate from version 29 of the server on")
    + differs(
      "facetingAfterDistinct", [.parameter],
      "counts the groups with a record that has the value, not the shown records")

  private static let geography =
    differs(
      "aroundLatLng", [.parameter],
      "distance ranks before the words; a search of a radius uses the server's radius of the Earth, which is 1 m longer"
    )
    + differs(
      "aroundRadius", [.parameter], "an automatic radius takes one request more")
    + exact("minimumAroundRadius", uses: [.parameter])
    + refused("aroundPrecision", [.parameter], "distances are compared exactly", unless: 1)
    + refused("aroundLatLngViaIP", [.parameter], "set aroundLatLng", unless: false)
    + differs(
      "insideBoundingBox", [.parameter],
      "edges between two meridians one degree apart are great circles, 10 m away at most")
    + differs("insidePolygon", [.parameter], "edges as of `insideBoundingBox`")

  private static let words =
    refused("optionalWords", both, "the server needs every word", unless: [], "")
    + refused("similarQuery", [.parameter], "the server needs every word", unless: "")
    + differs(
      "removeWordsIfNoResults", both,
      "`lastWords` and `firstWords` take one request more; `allOptional` drops words from the ends only"
    )
    + refused("ignorePlurals", both, "save the forms as synonyms", unless: false, [])
    + differs(
      "naturalLanguages", [.parameter],
      "removes stop words and words without hits; forms of words are not found")
    + differs(
      "synonyms", [.parameter],
      "synonyms have no typos and no prefixes, and rank like the words of the query; a replica has the ones of its index; `false` needs version 27 of the server"
    )
    + refused(
      "replaceSynonymsInHighlight", both, "highlights show the words of the record", unless: false)
    + refused(
      "camelCaseAttributes", [.setting], "write the parts of the words into the records", unless: []
    )
    + ignored("decompoundQuery", uses: both, "no attribute has compound words")
    + refused(
      "decompoundedAttributes", [.setting], "write the parts of the words into the records",
      unless: [:])
    + refused(
      "separatorsToIndex", [.setting],
      "the server's words are letters and digits; filter by a facet that has the text", unless: "")
    + refused(
      "keepDiacriticsOnCharacters", [.setting], "the server ignores diacritics", unless: "")
    + refused(
      "attributesToTransliterate", [.setting], "write the readings into the records", unless: [])
    + refused(
      "indexLanguages", [.setting],
      "texts without spaces are found by pairs of characters, in any language", unless: [])

  private static let others =
    ignored(
      "analytics", "analyticsTags", "enableABTest", "percentileComputation",
      uses: [.parameter], "the cluster does not count searches")
    + ignored("enableReRanking", uses: both, "there is no re-ranking")
    + differs(
      "enableRules", both, "rules promote and hide records, and do nothing else")
    + ignored("userToken", uses: [.parameter], "there are no profiles of users")
    + ignored("personalizationImpact", uses: [.parameter], "there are no profiles of users")
    + ignored(
      "allowCompressionOfIntegerArray", uses: [.setting], "the order of integers is kept")
    + refused("clickAnalytics", [.parameter], "there is no queryID", unless: false)
    + refused("enablePersonalization", both, "there are no profiles of users", unless: false)
    + refused("explain", [.parameter], "the server does not explain", unless: [])
    + refused("mode", both, "the server compares words", unless: "keywordSearch")
    + refused("semanticSearch", both, "the server compares words")
    + refused("reRankingApplyFilter", both, "there is no re-ranking", unless: [])
    + exact("ruleContexts", uses: [.parameter])
}

extension Mapping {
  private static let byName: [Use: [String: Mapping]] = {
    var result: [Use: [String: Mapping]] = [:]
    for entry in all {
      for use in entry.uses { result[use, default: [:]][entry.name] = entry }
    }
    return result
  }()

  /// Returns the entry of a name.
  package static func named(_ name: String, in use: Use) -> Mapping? { byName[use]?[name] }

  /// Rejects a search with a parameter that has no effect here.
  static func check(_ query: SearchQuery) throws {
    let names = query.parameterNames.filter { name in
      if case .refused? = named(name, in: .parameter)?.state { true } else { false }
    }
    if !names.isEmpty {
      let values = try JSON(encoding: query)
      for name in names {
        if let value = values[name], let advice = refusal(of: value, named: name, in: .parameter) {
          throw APIError("The parameter \"\(name)\" is not possible on this cluster: \(advice)")
        }
      }
    }
    if query.queryType == .prefixAll {
      throw APIError("The queryType \"prefixAll\" is not possible on this cluster: use prefixLast")
    }
    if query.exactOnSingleWordQuery == .word {
      throw APIError(
        "The exactOnSingleWordQuery \"word\" is not possible on this cluster: use attribute or none"
      )
    }
    if query.typoTolerance == .strict {
      throw APIError(
        "The typoTolerance \"strict\" is not possible on this cluster: use min or true")
    }
  }

  /// Returns what to do instead of a value, or `nil` if it is possible.
  static func refusal(of value: JSON, named name: String, in use: Use) -> String? {
    guard case .refused(let advice, let neutral)? = named(name, in: use)?.state, value != .null,
      !neutral.contains(value)
    else { return nil }
    return advice
  }
}
