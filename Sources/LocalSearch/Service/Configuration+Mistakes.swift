import AsyncInstantSearch

extension LocalSearch.Configuration {
  /// Refuses parameters that the contract does not know, where the configuration says so.
  func checkParameters(_ query: SearchQuery) throws(APIError) {
    guard rejectsUnknownParameters || rejectsMistakes,
      let name = query.additionalParameters.keys.min()
    else { return }
    throw APIError("Unknown parameter: \(name)\(ResolvedSearch.parameterHint(for: name))")
  }

  /// The mistakes of a search; refuses it for one where the configuration says so.
  func mistakes(
    of search: ResolvedSearch, in snapshot: Snapshot, _ checkpoint: Checkpoint
  ) throws -> Mistakes {
    try checkParameters(search.query)
    let mistakes = try search.mistakes(in: snapshot, checkpoint)
    if rejectsMistakes, let message = mistakes.message { throw APIError(message) }
    return mistakes
  }

  /// Refuses a search for a mistake of its own, where the configuration says so; what is wrong with
  /// the settings alone does not count.
  ///
  /// For calls whose answers have no `message`.
  func refuseMistakes(
    of search: ResolvedSearch, in snapshot: Snapshot, _ checkpoint: Checkpoint
  ) throws {
    try checkParameters(search.query)
    guard rejectsMistakes else { return }
    let mistakes = try search.ownMistakes(in: snapshot, checkpoint)
    if let message = mistakes.message { throw APIError(message) }
  }
}
