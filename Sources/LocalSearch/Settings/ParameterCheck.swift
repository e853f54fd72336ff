/// Rejects values of settings and parameters that the engine could only ignore.
enum ParameterCheck {
  /// Rejects an integer outside a range. `nil` means no value.
  static func integer(
    _ value: Int?, _ name: String, _ range: ClosedRange<Int>, orBoolean: Bool = false
  ) throws(APIError) {
    guard let value, !range.contains(value) else { return }
    let kind = orBoolean ? "boolean or integer" : "integer"
    throw .invalidValue(
      of: name,
      expected: range.upperBound == .max
        ? "\(kind) of at least \(range.lowerBound)"
        : "\(kind) between \(range.lowerBound) and \(range.upperBound)",
      got: "\(value)")
  }

  /// Rejects more entries than a limit.
  static func count(_ count: Int, _ name: String, limit: Int) throws(APIError) {
    guard count > limit else { return }
    throw .invalidValue(of: name, expected: "at most \(limit) entries", got: "\(count)")
  }

  /// Rejects a value that the engine does not know.
  static func value<Value: RawRepresentable<String> & Equatable>(
    _ value: Value?, _ name: String, among known: [Value]
  ) throws(APIError) {
    guard let value, !known.contains(value) else { return }
    throw .invalidValue(
      of: name, expected: "one of \(known.map(\.rawValue).joined(separator: ", "))",
      got: value.rawValue)
  }

  /// Rejects an entry of `ranking` that is not a criterion.
  static func ranking(_ entries: [String]?) throws(APIError) {
    for entry in entries ?? [] where RankingCriterion(entry) == nil {
      throw .invalidValue(
        of: "ranking",
        expected: "typo, geo, words, filters, proximity, attribute, exact, custom,"
          + " asc(attribute) or desc(attribute)",
        got: entry)
    }
  }

  /// Rejects an entry of `customRanking` without a direction.
  static func customRanking(_ entries: [String]) throws(APIError) {
    for entry in entries where SortCriterion(entry) == nil {
      throw .invalidValue(
        of: "customRanking", expected: "asc(attribute) or desc(attribute)", got: entry)
    }
  }

  /// Rejects an entry that is not an attribute, alone or inside the functions of the setting.
  ///
  /// A name directly before a parenthesis is a function. So `size (cm)` is an attribute, and
  /// `serchable(size)` is an error.
  static func attributes(
    _ entries: [String], _ name: String, functions: [String], _ cancellation: CancellationCheck
  ) throws {
    for entry in entries {
      try cancellation.count(bytes: entry.utf8.count)
      var rest = Substring(entry.trimmingSpaces())
      while let part = rest.argument(of: functions) {
        rest = Substring(String(part.argument).trimmingSpaces())
      }
      let opening = rest.utf8.firstIndex(of: UInt8(ascii: "("))
      let function = opening.map { rest[..<$0] } ?? ""
      let isCall = rest.hasSuffix(")") && function.last?.isWhitespace == false
      let isBalanced =
        rest.utf8.count { $0 == UInt8(ascii: "(") } == rest.utf8.count { $0 == UInt8(ascii: ")") }
      guard !rest.isEmpty, isBalanced, !isCall else {
        throw APIError.invalidValue(
          of: name,
          expected: (["attribute"] + functions.map { "\($0)(attribute)" })
            .joined(separator: " or "),
          got: entry)
      }
    }
  }

  /// Rejects an entry of `attributesToSnippet` with an invalid length.
  static func snippets(_ entries: [String]?) throws(APIError) {
    for entry in entries ?? [] {
      guard let colon = entry.utf8.lastIndex(of: UInt8(ascii: ":")) else { continue }
      let length = Int(entry[entry.utf8.index(after: colon)...])
      guard length ?? -1 >= 0 else {
        throw .invalidValue(
          of: "attributesToSnippet", expected: "attribute or attribute:number of words", got: entry)
      }
    }
  }

  /// Rejects a radius or a precision that isn't a distance.
  static func distances(in query: SearchQuery) throws(APIError) {
    if case .meters(let meters) = query.aroundRadius, meters < 1 {
      throw .invalidValue(
        of: "aroundRadius", expected: "positive integer or \"all\"", got: "\(meters)")
    }
    if let meters = query.minimumAroundRadius, meters < 1 {
      throw .invalidValue(
        of: "minimumAroundRadius", expected: "positive integer", got: "\(meters)")
    }
    switch query.aroundPrecision {
    case .meters(let meters): try integer(meters, "aroundPrecision", 0...Int.max)
    case .ranges(let ranges):
      for range in ranges {
        try integer(range.from, "aroundPrecision", 0...Int.max)
        try integer(range.value, "aroundPrecision", 0...Int.max)
      }
    case nil: break
    }
  }

  /// Rejects a name that the REST contract cannot address.
  static func indexName(_ name: String) throws(APIError) {
    guard !name.isEmpty, name != "*" else { throw APIError("Invalid index name \"\(name)\"") }
  }
}

extension Distinct {
  /// The given number, even if it is not valid.
  var givenCount: Int {
    switch self {
    case .enabled: hitsPerGroup
    case .count(let count): count
    }
  }
}

extension SearchQuery {
  /// Rejects parameters with values that the engine cannot apply.
  ///
  /// This checks the settings that are parameters too.
  func check() throws(APIError) {
    try checkLimits()
    try ParameterCheck.ranking(ranking)
    try checkNumbers()
    if let responseFields { _ = try ResponseFields(responseFields) }
    try ParameterCheck.distances(in: self)
    try ParameterCheck.snippets(attributesToSnippet)
    try ParameterCheck.value(mode, "mode", among: .known)
    for feature in advancedSyntaxFeatures ?? [] {
      try ParameterCheck.value(feature, "advancedSyntaxFeatures", among: .known)
    }
    for alternative in alternativesAsExact ?? [] {
      try ParameterCheck.value(alternative, "alternativesAsExact", among: .known)
    }
    for module in explain ?? [] {
      try ParameterCheck.value(module, "explain", among: .known)
    }
    try ParameterCheck.value(queryType, "queryType", among: .known)
    try ParameterCheck.value(
      removeWordsIfNoResults, "removeWordsIfNoResults", among: .known)
    try ParameterCheck.value(
      exactOnSingleWordQuery, "exactOnSingleWordQuery", among: .known)
    try ParameterCheck.value(sortFacetValuesBy, "sortFacetValuesBy", among: .known)
  }

  /// Rejects numbers that are out of their ranges.
  func checkNumbers() throws(APIError) {
    try ParameterCheck.integer(hitsPerPage, "hitsPerPage", 0...ParameterLimits.maximumHitCount)
    try ParameterCheck.integer(maxValuesPerFacet, "maxValuesPerFacet", 0...1000)
    try ParameterCheck.integer(distinct?.givenCount, "distinct", 0...4, orBoolean: true)
    try ParameterCheck.integer(minProximity, "minProximity", 1...7)
    try ParameterCheck.integer(minWordSizefor1Typo, "minWordSizefor1Typo", 0...Int.max)
    try ParameterCheck.integer(minWordSizefor2Typos, "minWordSizefor2Typos", 0...Int.max)
    try ParameterCheck.integer(personalizationImpact, "personalizationImpact", 0...100)
    try ParameterCheck.integer(relevancyStrictness, "relevancyStrictness", 0...100)
  }
}

// The known values of the open types. Other values would count as the default.

extension [QueryType] {
  fileprivate static let known: Self = [.prefixLast, .prefixAll, .prefixNone]
}

extension [RemoveWordsIfNoResults] {
  fileprivate static let known: Self = [.none, .lastWords, .firstWords, .allOptional]
}

extension [ExactOnSingleWordQuery] {
  fileprivate static let known: Self = [.attribute, .none, .word]
}

extension [SearchMode] {
  fileprivate static let known: Self = [.keywordSearch, .neuralSearch]
}

extension [AdvancedSyntaxFeature] {
  fileprivate static let known: Self = [.exactPhrase, .excludeWords]
}

extension [ExplainModule] {
  /// Rules have nothing to explain, because they are not applied.
  fileprivate static let known: Self = [.matchAlternatives, "params.rules"]
}

extension [AlternativeAsExact] {
  fileprivate static let known: Self = [
    .ignorePlurals, .singleWordSynonym, .multiWordsSynonym, .ignoreConjugations,
  ]
}

extension [SortFacetValuesBy] {
  fileprivate static let known: Self = [.count, .alphabetical]
}
