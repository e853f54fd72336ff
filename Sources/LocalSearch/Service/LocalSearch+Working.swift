import AsyncInstantSearch

extension LocalSearch {
  /// Runs work for the processor on the threads of the engine, or on the executor of the
  /// configuration.
  ///
  /// A cancellation and the deadline end the call at once before the work begins, and at its next
  /// checkpoint afterwards.
  func working<Result: Sendable>(
    _ kind: EngineThreads.Kind, until deadline: Deadline?,
    _ body: @escaping @Sendable (Checkpoint) throws -> Result
  ) async throws -> Result {
    // The work does not belong to the task of the caller.
    let cancellation = CancellationFlag()
    let work: @Sendable (Leftovers) throws -> Result = { [configuration] leftovers in
      let checkpoint = Checkpoint(
        cancellation: cancellation, deadline: deadline,
        interval: configuration.checkpointInterval,
        maximumAnswerSize: configuration.maximumAnswerSize, leftovers: leftovers)
      try checkpoint.check()
      return try body(checkpoint)
    }
    return try await withTaskCancellationHandler {
      if let executor = configuration.executor {
        return try await withTaskExecutorPreference(executor) { try work(Leftovers()) }
      }
      return try await configuration.threads.run(kind, until: deadline, work)
    } onCancel: {
      cancellation.set()
    }
  }
}
