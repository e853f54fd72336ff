import AsyncInstantSearch
import InstantSearchJSON

extension IndexSettings {
  /// Refuses settings that the engine could not act upon as they are written.
  ///
  /// - Throws: An `APIError` that names the setting, what it may be and what it was.
  func check(_ checkpoint: Checkpoint) throws {
    try checkLimits()
    try checkUnknown(checkpoint)
    try ParameterCheck.integer(paginationLimitedTo, "paginationLimitedTo", 0...20_000)
    try ParameterCheck.integer(maxFacetHits, "maxFacetHits", 0...FacetSearch.maximumLimit)
    try parameters.check()
    try ParameterCheck.customRanking(customRanking)
    try checkAttributes(checkpoint)
    for name in replicaNames { try ParameterCheck.indexName(name) }
    try checkUserData(checkpoint)
  }

  /// Refuses additional settings that are too many or too large, and those that are parameters when
  /// a query would be refused for them.
  private func checkUnknown(_ checkpoint: Checkpoint) throws {
    let isReplica = additionalSettings[WriteTransaction.primarySetting] != nil
    // What the engine adds to a replica does not make one too many.
    let count = additionalSettings.count - (isReplica ? 1 : 0)
    guard !additionalSettings.isEmpty else { return }
    try ParameterLimits.check(unknownCount: count, size: 0, name: "", in: "settings")
    var names = Array(additionalSettings.keys)
    try checkpoint.sort(&names, length: { $0.utf8.count }, by: <)
    var size = 0
    var query = SearchQuery()
    for name in names {
      guard let value = additionalSettings[name] else { continue }
      var writer = JSONWriter(capacity: 64)
      try checkpoint.write(value, to: &writer)
      size += name.utf8.count + writer.count
      try checkpoint.count(bytes: name.utf8.count + writer.count)
      try ParameterLimits.check(unknownCount: count, size: size, name: name, in: "settings")
      guard Self.storedNames.contains(name), let parameter = SearchParameter.named(name),
        value != .null
      else { continue }
      do {
        try query.set(parameter, to: checkpoint.stored(writer.bytes[...]))
      } catch let error as SearchError where error.code == .invalidRequest {
        throw APIError(error.message)
      }
    }
    try query.check()
    _ = try FilterSet(query, checkpoint)
  }

  /// Every answer carries the user data, so it must leave an answer readable.
  private func checkUserData(_ checkpoint: Checkpoint) throws {
    guard let userData else { return }
    guard try !checkpoint.isNested(userData, deeperThan: RecordText.maximumDepth) else {
      throw APIError(
        "Invalid value for \"userData\" parameter,"
          + " expected at most \(RecordText.maximumDepth) nested arrays and objects")
    }
  }

  private func checkAttributes(_ checkpoint: Checkpoint) throws {
    try ParameterCheck.attributes(
      searchableAttributes.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        .map(String.init),
      "searchableAttributes", functions: ["ordered", "unordered"], checkpoint)
    try ParameterCheck.attributes(
      numericAttributesForFiltering ?? [], "numericAttributesForFiltering",
      functions: ["equalOnly"], checkpoint)
    try ParameterCheck.attributes(
      attributesForFaceting, "attributesForFaceting",
      functions: ["filterOnly", "searchable", "afterDistinct"], checkpoint)
    for declaration in attributesForFaceting.map({ FacetDeclaration($0) })
    where declaration.isFilterOnly && declaration.isSearchable {
      throw APIError(
        "Invalid value for \"attributesForFaceting\" parameter,"
          + " \(declaration.attribute) cannot be both filterOnly and searchable")
    }
  }
}

extension SearchQuery {
  /// Refuses parameters that the engine could not act upon as they are written.
  ///
  /// The settings that are parameters are checked by this, too.
  func check() throws(APIError) {
    try checkLimits()
    try ParameterCheck.ranking(ranking)
    try ParameterCheck.integer(hitsPerPage, "hitsPerPage", 0...Pagination.maximumLength)
    try ParameterCheck.integer(maxValuesPerFacet, "maxValuesPerFacet", 0...1000)
    try ParameterCheck.integer(distinct?.givenCount, "distinct", 0...4, orBoolean: true)
    if let responseFields { _ = try ResponseFields(responseFields) }
    try ParameterCheck.integer(minProximity, "minProximity", 1...7)
    try ParameterCheck.integer(minWordSizefor1Typo, "minWordSizefor1Typo", 0...Int.max)
    try ParameterCheck.integer(minWordSizefor2Typos, "minWordSizefor2Typos", 0...Int.max)
    try ParameterCheck.value(queryType, "queryType", among: .known)
    try ParameterCheck.value(
      removeWordsIfNoResults, "removeWordsIfNoResults", among: .known)
    try ParameterCheck.value(
      exactOnSingleWordQuery, "exactOnSingleWordQuery", among: .known)
    try ParameterCheck.value(sortFacetValuesBy, "sortFacetValuesBy", among: .known)
  }
}

// The values of the open types that the engine knows; another one would count as the default.

extension [QueryType] {
  fileprivate static let known: Self = [.prefixLast, .prefixAll, .prefixNone]
}

extension [RemoveWordsIfNoResults] {
  fileprivate static let known: Self = [.none, .lastWords, .firstWords, .allOptional]
}

extension [ExactOnSingleWordQuery] {
  fileprivate static let known: Self = [.attribute, .none, .word]
}

extension [SortFacetValuesBy] {
  fileprivate static let known: Self = [.count, .alphabetical]
}
