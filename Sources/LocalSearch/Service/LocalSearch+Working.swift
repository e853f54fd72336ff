import AsyncInstantSearch

extension LocalSearch {
  /// Runs work for the processor on the threads of the engine, or on the executor of the
  /// configuration.
  ///
  /// It begins when it has a place; until then it can be cancelled, and its deadline can pass, at
  /// once.
  func working<Result: Sendable>(
    _ kind: WorkPlaces.Kind, until deadline: Deadline?,
    _ body: @Sendable (Checkpoint) throws -> Result
  ) async throws -> Result {
    if let executor = configuration.executor {
      return try await withTaskExecutorPreference(executor) {
        try configuration.checkpoint(until: deadline).running(body)
      }
    }
    let threads = configuration.threads
    let place = threads.places.join(kind)
    do {
      try await threads.places.wait(for: place, until: deadline)
    } catch {
      threads.places.end(place)
      throw error
    }
    return try await withTaskExecutorPreference(threads) {
      defer { threads.places.end(place) }
      return try configuration.checkpoint(until: deadline).running(body)
    }
  }
}

extension LocalSearch.Configuration {
  /// The checkpoint of a call.
  fileprivate func checkpoint(until deadline: Deadline?) -> Checkpoint {
    Checkpoint(
      deadline: deadline, interval: checkpointInterval, maximumAnswerSize: maximumAnswerSize)
  }
}

extension Checkpoint {
  /// Runs work unless it is over already.
  fileprivate func running<Result>(_ body: (Checkpoint) throws -> Result) throws -> Result {
    try check()
    return try body(self)
  }
}
