package import InstantSearchAPI
import InstantSearchJSON

extension EngineState {
  /// Rejects settings with an invalid value and, if configured, settings that are unknown or have
  /// no effect.
  func check(_ settings: IndexSettings, _ cancellation: CancellationCheck) throws {
    try settings.check(cancellation)
    try checkSizes(of: settings, cancellation)
    var mistakes = Mistakes()
    if configuration.accepts != .everything || configuration.rejectsMistakes {
      settings.noteUnknownSettings(in: &mistakes)
    }
    if configuration.accepts == .honored {
      var settings = settings
      // A segmenter gets it.
      if configuration.segmenter != nil {
        settings.additionalSettings["indexLanguages"] = nil
      }
      try settings.noteWithoutEffect(in: &mistakes)
    }
    if let message = mistakes.message { throw APIError("Invalid settings: \(message)") }
  }

  /// The maximum size of `userData` and of `renderingContent`, in bytes. If a call has the maximum
  /// number of queries, their copies take a quarter of a response.
  private var maximumCarriedSize: Int {
    configuration.maximumResponseSize / (4 * Endpoint.maximumQueryCount)
  }

  /// Rejects settings that are part of every response and too large for that.
  private func checkSizes(of settings: IndexSettings, _ cancellation: CancellationCheck) throws {
    let limit = maximumCarriedSize
    if let userData = settings.userData {
      // Rejects most large values before they are written.
      guard try !cancellation.isLarger(userData, than: limit) else {
        throw tooLarge("userData", nil)
      }
      var writer = JSONWriter()
      try cancellation.write(userData, to: &writer)
      guard writer.count <= limit else { throw tooLarge("userData", writer.count) }
    }
    if let content = settings.renderingContent {
      let size = content.compactJSON.count
      try cancellation.count(bytes: size)
      guard size <= limit else { throw tooLarge("renderingContent", size) }
    }
  }

  private func tooLarge(_ name: String, _ size: Int?) -> APIError {
    APIError.invalidValue(
      of: name,
      expected: "at most \(maximumCarriedSize) bytes of JSON, because every response contains it",
      got: size.map { "\($0) bytes" } ?? "more")
  }
}

extension IndexSettings {
  /// Rejects settings with values that the engine cannot apply.
  ///
  /// - Throws: An `APIError` with the setting, its allowed values and its value.
  package func check(_ cancellation: CancellationCheck) throws {
    try checkLimits()
    try checkFormerNames()
    try checkUnknown(cancellation)
    try checkNumbers()
    try parameters.check()
    try ParameterCheck.customRanking(customRanking)
    try checkAttributes(cancellation)
    for name in replicaNames { try ParameterCheck.indexName(name) }
    try checkUserData(cancellation)
    try checkWords(cancellation)
  }

  /// Rejects numbers that are out of range. This is the only check for settings from a file, which
  /// another version with other limits may have written.
  func checkNumbers() throws(APIError) {
    try ParameterCheck.integer(paginationLimitedTo, "paginationLimitedTo", 0...20_000)
    try ParameterCheck.integer(
      maxFacetHits, "maxFacetHits", 0...ParameterLimits.maximumFacetHitCount)
    try parameters.checkNumbers()
  }

  /// Rejects additional settings that are too many, too large, or whose value a query could not
  /// have as a parameter.
  private func checkUnknown(_ cancellation: CancellationCheck) throws {
    let isReplica = additionalSettings[Self.primarySetting] != nil
    // The setting that the engine adds to a replica does not count.
    let count = additionalSettings.count - (isReplica ? 1 : 0)
    guard !additionalSettings.isEmpty else { return }
    try ParameterLimits.check(unknownCount: count, size: 0, name: "", in: "settings")
    var names = Array(additionalSettings.keys)
    try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
    var size = 0
    var query = SearchQuery()
    for name in names {
      guard let value = additionalSettings[name] else { continue }
      var writer = JSONWriter(capacity: 64)
      try cancellation.write(value, to: &writer)
      if name != Self.primarySetting { size += name.utf8.count + writer.count }
      try cancellation.count(bytes: name.utf8.count + writer.count)
      try ParameterLimits.check(unknownCount: count, size: size, name: name, in: "settings")
      guard ContractName.named(name, in: .setting) != nil,
        let parameter = SearchParameter.named(name), value != .null
      else { continue }
      do {
        try query.set(parameter, to: cancellation.stored(writer.bytes[...]))
      } catch let error as SearchError where error.code == .invalidRequest {
        throw APIError(error.message)
      }
    }
    try query.check()
    _ = try FilterSet(query, cancellation)
  }

  /// Rejects user data that is nested too deeply, because every response contains it.
  private func checkUserData(_ cancellation: CancellationCheck) throws {
    guard let userData else { return }
    guard try !cancellation.isNested(userData, deeperThan: CancellationCheck.maximumDepth) else {
      throw APIError(
        "Invalid value for \"userData\" parameter,"
          + " expected at most \(CancellationCheck.maximumDepth) nested arrays and objects")
    }
  }

  private func checkAttributes(_ cancellation: CancellationCheck) throws {
    try ParameterCheck.attributes(
      searchableAttributes.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        .map(String.init),
      "searchableAttributes", functions: ["ordered", "unordered"], cancellation)
    try ParameterCheck.attributes(
      numericAttributesForFiltering ?? [], "numericAttributesForFiltering",
      functions: ["equalOnly"], cancellation)
    try ParameterCheck.attributes(
      attributesForFaceting, "attributesForFaceting",
      functions: ["filterOnly", "searchable", "afterDistinct"], cancellation)
    for declaration in attributesForFaceting.map({ FacetDeclaration($0) })
    where declaration.isFilterOnly && declaration.isSearchable {
      throw APIError(
        "Invalid value for \"attributesForFaceting\" parameter,"
          + " \(declaration.attribute) cannot be both filterOnly and searchable")
    }
  }
}
