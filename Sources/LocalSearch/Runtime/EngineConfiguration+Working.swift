extension EngineConfiguration {
  /// Runs the work of a call on the threads of the engine, or on the executor of the configuration.
  ///
  /// Cancellation and the deadline end the call at once before the work starts, and at its next
  /// check after that.
  ///
  /// - Parameters:
  ///   - client: The client of a service for whom the call is made.
  ///   - isShort: Whether the work is so short that it runs in the caller's task instead.
  func working<Result: Sendable>(
    _ kind: EngineThreads.Kind, of client: CallClient? = nil, until deadline: Deadline?,
    isShort: Bool = false, _ body: @escaping @Sendable (CancellationCheck) throws -> Result
  ) async throws -> Result {
    let owner = CallOwner(engine: owner, client: client?.name)
    // On the pool it has no place among the reads, so it does not pause.
    let isOnPool = isShort && executor == nil && threads === EngineThreads.shared
    let flag = CancellationFlag()
    let work: @Sendable (DeferredReleases) throws -> Result = { leftovers in
      let cancellation = CancellationCheck(
        flag: flag, deadline: deadline, interval: checkInterval,
        maximumResponseSize: maximumResponseSize, client: client,
        budget: kind == .read ? readBudget : .max,
        turns: kind == .read && executor == nil && !isOnPool ? threads.turns(of: owner) : nil,
        leftovers: leftovers)
      try cancellation.check()
      return try body(cancellation)
    }
    return try await withTaskCancellationHandler {
      if let executor {
        return try await withTaskExecutorPreference(executor) { try work(DeferredReleases()) }
      }
      if isOnPool { return try await Self.onPool(work) }
      return try await threads.run(kind, of: owner, until: deadline, work)
    } onCancel: {
      flag.set()
    }
  }

  /// Runs short work in the caller's task, outside its actor.
  @concurrent private static func onPool<Result>(
    _ work: @Sendable (DeferredReleases) throws -> Result
  ) async throws -> Result {
    try work(DeferredReleases())
  }

  /// Runs work for which no call waits.
  func runInBackground<Result: Sendable>(
    _ kind: EngineThreads.BackgroundKind, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    guard let executor else { return try await threads.runInBackground(kind, body) }
    return try await withTaskExecutorPreference(executor) { try body() }
  }
}
