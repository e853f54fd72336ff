import InstantSearchJSON

/// The maximum sizes of texts and lists in queries and settings.
///
/// A call reads each list once, and its work does not multiply with the length of a list. So the
/// limits are far above what a search needs. A setting has the limits of the parameter of the same
/// name.
enum ParameterLimits {
  /// The maximum length of a tag, of the ellipsis, and of a setting made of characters, in bytes.
  static let maximumTextLength = 512
  /// The maximum length of a query text, in bytes.
  static let maximumQueryLength = 512
  /// The maximum number of entries of a list of names.
  static let maximumEntryCount = 1000
  /// The maximum number of entries of a list of words.
  static let maximumWordCount = 10_000
  /// The maximum number of criteria of `ranking` or `customRanking`. Each is a pass over the
  /// records.
  static let maximumCriterionCount = 100
  /// The maximum length of a list entry, in bytes.
  static let maximumEntryLength = 1000

  /// The maximum length of a text in a known parameter, and of the filters or words of one
  /// parameter together, in bytes.
  static let maximumTotalLength = 1 << 20
  /// The maximum length of URL-encoded parameters, in bytes.
  static let maximumParamsLength = 1 << 22
  /// The maximum number of values in all parameters of a query, counting arrays and objects.
  static let maximumValueCount = 250_000

  /// The maximum number of filters in all parameters of a query.
  static let maximumFilterCount = FilterParser.maximumCount
  /// The maximum number of boxes of a query.
  static let maximumBoxCount = 1000
  /// The maximum number of points in all polygons of a query.
  static let maximumPointCount = 10_000
  /// The maximum number of hits of a response.
  static let maximumHitCount = 1000
  /// The maximum number of facet values that a search for them returns.
  static let maximumFacetHitCount = 100

  /// The maximum number of unknown parameters or settings.
  static let maximumUnknownCount = 1000
  /// The maximum length of all unknown parameters, including names, in bytes.
  static let maximumUnknownLength = maximumParamsLength

  /// The parameters that contain filters.
  static let filterNames: Set<String> = [
    "facetFilters", "numericFilters", "tagFilters", "optionalFilters", "reRankingApplyFilter",
  ]
  /// The maximum number of entries of parameters and settings that are lists, by name.
  static let maximumCounts: [String: Int] = {
    var counts = [
      "customRanking": maximumCriterionCount, "ranking": maximumCriterionCount,
      "optionalWords": maximumWordCount, "disableTypoToleranceOnWords": maximumWordCount,
      "aroundPrecision": maximumEntryCount, "ignorePlurals": maximumEntryCount,
      "removeStopWords": maximumEntryCount,
    ]
    for (name, _) in SearchQuery.lists { counts[name] = maximumEntryCount }
    for (name, _) in IndexSettings.lists { counts[name] = maximumEntryCount }
    return counts
  }()
  /// The maximum number of numbers in a parameter that is a text of numbers.
  static let maximumNumberCounts = [
    "insideBoundingBox": 4 * maximumBoxCount,
    "insidePolygon": 2 * maximumPointCount,
  ]

  /// Rejects more filters than a query can have.
  static func check(filterCount count: Int) throws(APIError) {
    guard count <= maximumFilterCount else {
      throw APIError(
        "Too many filters: expected at most \(maximumFilterCount) in all parameters of a query together"
      )
    }
  }

  /// Rejects unknown parameters or settings that are too many or too long.
  ///
  /// - Parameters:
  ///   - count: The number of them.
  ///   - size: Their length with names, in bytes.
  ///   - name: The name of one of them.
  ///   - owner: Their name in messages.
  static func check(
    unknownCount count: Int, size: Int, name: String, in owner: String
  ) throws(APIError) {
    guard count <= maximumUnknownCount else {
      throw APIError(
        "Too many unknown names: expected at most \(maximumUnknownCount) in all \(owner) together")
    }
    guard name.utf8.count <= maximumEntryLength else {
      throw APIError(
        "A name among the \(owner) is too long: expected at most \(maximumEntryLength) bytes, got"
          + " \(name.utf8.count) bytes")
    }
    guard size <= maximumUnknownLength else {
      throw APIError(
        "The values of unknown names are too long: expected at most \(maximumUnknownLength) bytes in all"
          + " \(owner) together, got \(size) bytes or more")
    }
  }

  /// Rejects a text that is too long. `nil` means no text.
  static func check(
    text: String?, _ name: String, maximumLength: Int = maximumTextLength
  ) throws(APIError) {
    guard let count = text?.utf8.count, count > maximumLength else { return }
    throw .invalidValue(
      of: name, expected: "at most \(maximumLength) bytes", got: "\(count) bytes")
  }

  /// Rejects a list with too many entries, or with an entry that is too long. `nil` means no list.
  static func check(
    list: [String]?, _ name: String, maximumCount: Int = maximumEntryCount
  ) throws(APIError) {
    guard let list else { return }
    try ParameterCheck.count(list.count, name, limit: maximumCount)
    for (number, entry) in list.enumerated() where entry.utf8.count > maximumEntryLength {
      throw .invalidValue(
        of: name, expected: "entries of at most \(maximumEntryLength) bytes",
        got: "\(entry.utf8.count) bytes at \(number)")
    }
  }
}

extension ParameterLimits {
  /// Rejects a list with too many attributes, counting every attribute of an entry.
  static func check(attributes list: [String], _ name: String) throws(APIError) {
    var count = 0
    for entry in list { count += entry.utf8.count { $0 == UInt8(ascii: ",") } + 1 }
    guard count > maximumEntryCount else { return }
    throw .invalidValue(
      of: name, expected: "at most \(maximumEntryCount) attributes", got: "\(count)")
  }

  /// Rejects words that are too many or too long, given as a list or as one text.
  static func check(words: OptionalWords?, _ name: String) throws(APIError) {
    switch words {
    case nil: return
    case .list(let list): try check(list: list, name, maximumCount: maximumWordCount)
    case .text(let text):
      try check(text: text, name, maximumLength: maximumTotalLength)
      var count = 0
      for word in text.utf8.split(whereSeparator: isSeparator) {
        count += 1
        guard word.count > maximumEntryLength else { continue }
        throw .invalidValue(
          of: name, expected: "words of at most \(maximumEntryLength) bytes",
          got: "\(word.count) bytes")
      }
      guard count > maximumWordCount else { return }
      throw .invalidValue(
        of: name, expected: "at most \(maximumWordCount) words", got: "\(count)")
    }
  }

  /// Whether an ASCII byte separates words.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...:
      false
    default: true
    }
  }

  /// Rejects too many languages.
  static func check(languages: (some BoolOrLanguages)?, _ name: String) throws(APIError) {
    guard case .languages(let list)? = languages?.boolOrLanguages else { return }
    try check(list: list.map(\.rawValue), name)
  }
}

extension SearchQuery {
  /// Rejects texts and lists beyond their limits.
  ///
  /// ``FilterSet`` and ``GeoSearch`` check the limits of filters and places.
  func checkLimits() throws(APIError) {
    try ParameterLimits.check(text: highlightPreTag, "highlightPreTag")
    try ParameterLimits.check(text: highlightPostTag, "highlightPostTag")
    try ParameterLimits.check(text: snippetEllipsisText, "snippetEllipsisText")
    try ParameterLimits.check(text: userToken, "userToken")
    for (name, list) in Self.lists { try ParameterLimits.check(list: list(self), name) }
    try ParameterLimits.check(
      list: ranking, "ranking", maximumCount: ParameterLimits.maximumCriterionCount)
    try ParameterLimits.check(words: optionalWords?.optional, "optionalWords")
    try ParameterLimits.check(languages: ignorePlurals, "ignorePlurals")
    try ParameterLimits.check(languages: removeStopWords, "removeStopWords")
    if case .ranges(let ranges) = aroundPrecision {
      try ParameterCheck.count(
        ranges.count, "aroundPrecision", limit: ParameterLimits.maximumEntryCount)
    }
  }

  /// The parameters that are lists of names.
  fileprivate static let lists: [(name: String, list: @Sendable (SearchQuery) -> [String]?)] = [
    ("advancedSyntaxFeatures", { $0.advancedSyntaxFeatures?.map(\.rawValue) }),
    ("alternativesAsExact", { $0.alternativesAsExact?.map(\.rawValue) }),
    ("analyticsTags", { $0.analyticsTags }),
    ("attributesToHighlight", { $0.attributesToHighlight }),
    ("attributesToRetrieve", { $0.attributesToRetrieve }),
    ("attributesToSnippet", { $0.attributesToSnippet }),
    ("disableExactOnAttributes", { $0.disableExactOnAttributes }),
    ("disableTypoToleranceOnAttributes", { $0.disableTypoToleranceOnAttributes }),
    ("explain", { $0.explain?.map(\.rawValue) }),
    ("facets", { $0.facets }),
    ("naturalLanguages", { $0.naturalLanguages?.map(\.rawValue) }),
    ("queryLanguages", { $0.queryLanguages?.map(\.rawValue) }),
    ("responseFields", { $0.responseFields }),
    ("restrictSearchableAttributes", { $0.restrictSearchableAttributes }),
    ("ruleContexts", { $0.ruleContexts }),
  ]
}

extension IndexSettings {
  /// Rejects texts and lists beyond their limits, in the settings that are not parameters.
  func checkLimits() throws(APIError) {
    try ParameterLimits.check(text: separatorsToIndex, "separatorsToIndex")
    try ParameterLimits.check(text: keepDiacriticsOnCharacters, "keepDiacriticsOnCharacters")
    try ParameterLimits.check(
      list: attributeForDistinct.map { [$0] }, "attributeForDistinct")
    for (name, list) in Self.lists { try ParameterLimits.check(list: list(self), name) }
    try ParameterLimits.check(attributes: searchableAttributes, "searchableAttributes")
    try ParameterLimits.check(
      list: customRanking, "customRanking", maximumCount: ParameterLimits.maximumCriterionCount)
    try ParameterLimits.check(
      list: disableTypoToleranceOnWords, "disableTypoToleranceOnWords",
      maximumCount: ParameterLimits.maximumWordCount)
  }

  /// The settings that are lists of names and not parameters.
  fileprivate static let lists: [(name: String, list: @Sendable (IndexSettings) -> [String]?)] = [
    ("attributesForFaceting", { $0.attributesForFaceting }),
    ("disablePrefixOnAttributes", { $0.disablePrefixOnAttributes }),
    ("numericAttributesForFiltering", { $0.numericAttributesForFiltering }),
    ("replicas", { $0.replicas }),
    ("searchableAttributes", { $0.searchableAttributes }),
    ("unretrievableAttributes", { $0.unretrievableAttributes }),
  ]
}
