import InstantSearchAPI

/// Merges the segments of indices after writes, so that no write waits for a long merge.
///
/// A merge reads segments that never change, and holds the permit of its index only to replace
/// them. Documents that were deleted in the meantime stay deleted. An index has one merge at a
/// time.
package final class MergeScheduler: Sendable {
  private struct State {
    /// The indices whose segments are being merged.
    var indexNames: Set<String> = []
    var waiters: [Promise<Void>] = []
    var isStopped = false
  }

  private let state = Lock(State())
  private let store: IndexStore
  private let scheduler: WriteScheduler
  private let configuration: EngineConfiguration
  private let flag = CancellationFlag()

  init(_ store: IndexStore, _ scheduler: WriteScheduler, _ configuration: EngineConfiguration) {
    self.store = store
    self.scheduler = scheduler
    self.configuration = configuration
  }

  /// Starts the merges that some indices need after a write.
  func start(after indexNames: some Sequence<String>) {
    for name in indexNames where store.snapshots[name]?.nextMerge != nil {
      let isNew = state.withLock { !$0.isStopped && $0.indexNames.insert(name).inserted }
      if isNew { TaskBag.start(on: configuration.executor) { await self.merge(name) } }
    }
  }

  /// Returns when no merge is in progress.
  package func finished() async {
    let promise = Promise<Void>()
    let isFinished = state.withLock { state in
      if !state.indexNames.isEmpty { state.waiters.append(promise) }
      return state.indexNames.isEmpty
    }
    if !isFinished { await promise.outcome() }
  }

  /// Ends merges in progress, and starts no more.
  func stop() {
    state.withLock { $0.isStopped = true }
    flag.set()
  }

  private func merge(_ name: String) async {
    // Only the end of the engine ends a merge with an error.
    while let isApplied = try? await mergeOnce(name), isApplied {}
    _ = state.withLock { $0.indexNames.remove(name) }
    // A write may have required a merge in the meantime.
    start(after: [name])
    let waiters = state.withLock { state in
      guard state.indexNames.isEmpty else { return [Promise<Void>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.fulfill(with: ()) }
  }

  /// Makes one merge, and returns whether one was needed.
  private func mergeOnce(_ name: String) async throws -> Bool {
    let merge = try await configuration.runInBackground(.merging) { [self] in
      let cancellation = CancellationCheck(flag: flag, interval: configuration.checkInterval)
      return try store.snapshots[name].flatMap { try SegmentMerge($0, cancellation) }
    }
    guard let merge else { return false }
    let permit = scheduler.request([name])
    defer { scheduler.release(permit) }
    try await scheduler.wait(for: permit, executor: configuration.executor)
    if let snapshot = store.snapshots[name].flatMap(merge.applied) {
      store.replace(snapshot, of: name)
    }
    return true
  }
}
