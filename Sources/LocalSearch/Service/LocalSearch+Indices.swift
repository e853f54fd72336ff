public import AsyncInstantSearch
import InstantSearchJSON

extension LocalSearch {
  /// The names of the indices, sorted.
  public var indexNames: [String] { store.snapshots.keys.sorted() }

  /// How many records an index has; `nil` when there is no such index.
  public func recordCount(of indexName: String) -> Int? {
    store.snapshots[indexName]?.recordCount
  }

  /// The settings of an index.
  ///
  /// - Throws: `SearchError` of code `indexNotFound` when there is no such index.
  public func settings(of indexName: String) throws(SearchError) -> IndexSettings {
    do throws(APIError) {
      return try store.snapshot(of: indexName).settings
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// Sets all settings of an index; a missing index is made.
  ///
  /// To change one setting, begin with those that the index has:
  ///
  /// ```swift
  /// var settings = try engine.settings(of: "films")
  /// settings.hitsPerPage = 50
  /// try await engine.setSettings(settings, of: "films")
  /// ```
  ///
  /// Records are read again when the settings change what is indexed, such as the searchable
  /// attributes, the facets or the ranking. Searches meanwhile see the index as it was.
  ///
  /// - Parameters:
  ///   - settings: The settings, in place of all that the index had.
  ///   - indexName: The index; any name but the empty one and `*`.
  ///   - deadline: When the write must be done; none by default.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing changed, when a setting has a
  ///   value that the engine does not understand, such as a custom ranking without a direction, or
  ///   is larger than its limit; under ``Configuration/rejectsMistakes`` also when there is no such
  ///   setting.
  @concurrent
  public func setSettings(
    _ settings: IndexSettings, of indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { [self] checkpoint in
      try check(settings, checkpoint)
      return PreparedWrite(
        to: [indexName], replicaNames: settings.replicaNames,
        changes: { try $0.apply(settings, to: indexName) }, result: {})
    }
  }

  /// Refuses settings with a wrong value and, where the configuration says so, unknown ones.
  func check(_ settings: IndexSettings, _ checkpoint: Checkpoint) throws {
    try settings.check(checkpoint)
    try checkSizes(of: settings, checkpoint)
    guard configuration.rejectsMistakes else { return }
    var mistakes = Mistakes()
    settings.noteUnknownSettings(in: &mistakes)
    if let message = mistakes.message { throw APIError("Invalid settings: \(message)") }
  }

  /// The most bytes of `userData` and of `renderingContent` in settings: those that an answer to as
  /// many queries as one call may have repeats take a quarter of an answer.
  private var maximumCarriedSize: Int {
    configuration.maximumAnswerSize / (4 * IndexReader.maximumQueryCount)
  }

  /// Refuses what every answer would carry along and is too large for that.
  private func checkSizes(of settings: IndexSettings, _ checkpoint: Checkpoint) throws {
    let limit = maximumCarriedSize
    if let userData = settings.userData {
      // Found too large before it is written, as far as that can be known.
      guard try !checkpoint.isLarger(userData, than: limit) else { throw tooLarge("userData", nil) }
      var writer = JSONWriter()
      try checkpoint.write(userData, to: &writer)
      guard writer.count <= limit else { throw tooLarge("userData", writer.count) }
    }
    if let content = settings.renderingContent {
      let size = content.compactJSON.count
      try checkpoint.count(bytes: size)
      guard size <= limit else { throw tooLarge("renderingContent", size) }
    }
  }

  private func tooLarge(_ name: String, _ size: Int?) -> APIError {
    APIError.invalidValue(
      of: name,
      expected: "at most \(maximumCarriedSize) bytes of JSON, for every answer carries it",
      got: size.map { "\($0) bytes" } ?? "more")
  }

  /// Removes an index with its records and settings.
  ///
  /// - Throws: `SearchError` of code `indexNotFound` when there is no such index.
  @concurrent
  public func deleteIndex(
    _ indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { _ in
      PreparedWrite(to: [indexName], changes: { try $0.removeIndex(indexName) }, result: {})
    }
  }
}
