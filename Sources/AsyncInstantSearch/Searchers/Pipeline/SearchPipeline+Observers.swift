// The end of a search: its answer is decoded for everything that shows it, and published.

extension SearchPipeline {
  /// Ends a search, also one that was begun by ``begin(while:)``; its outcome counts while it is
  /// the newest. An answer is published when all observers can show it at that moment.
  func end(_ generation: UInt64, _ outcome: Outcome) async {
    guard case .success(let answer) = outcome else { return fail(generation, outcome) }
    var ready: Set<UInt64> = []
    while true {
      let unready = apply { state -> ([Machine.Action], [UInt64: Observer]) in
        guard state.machine.wants(generation) else { return ([], [:]) }
        let unready = state.observers.filter { !ready.contains($0.key) }
        return (unready.isEmpty ? state.machine.ended(generation, outcome) : [], unready)
      }
      if unready.isEmpty { return }
      await Self.prepare(Array(unready.values), for: answer)
      ready.formUnion(unready.keys)
    }
  }

  /// Ends a search without an answer.
  func fail(_ generation: UInt64, _ outcome: Outcome) {
    send { $0.ended(generation, outcome) }
  }

  private static func prepare(_ observers: [Observer], for answer: Answer) async {
    if observers.count == 1 { return await observers[0].prepare(answer) }
    await withTaskGroup { group in
      for observer in observers { group.addTask { await observer.prepare(answer) } }
    }
  }
}

extension SearchPipeline {
  /// Shows the searcher's status and answers in an observer until that is removed.
  ///
  /// The observer receives the current status now.
  ///
  /// - Returns: The observer's number; `nil` when the searcher is gone.
  func addObserver(_ observer: Observer) -> UInt64? {
    let (id, effect) = state.withLock { state -> (UInt64?, Observer.Effect) in
      if state.isClosed { return (nil, observer.end) }
      state.nextObserverID += 1
      state.observers[state.nextObserverID] = observer
      return (state.nextObserverID, observer.stage(status(of: state)))
    }
    effect()
    return id
  }

  /// Removes an observer; a second time does nothing.
  func removeObserver(_ id: UInt64) {
    // What it holds is released here, not under the lock.
    let observer = state.withLock { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(observer) {}
  }

  /// Waits until the views of all observers show the outcome of a search, unless it is shown
  /// nowhere; the outcome is a cancellation when the task is cancelled before.
  func presented(_ outcome: Outcome) async -> Outcome {
    if case .failure(let error) = outcome, [.superseded, .cancelled].contains(error.code) {
      return outcome
    }
    return await present() ? outcome : .failure(.cancelledBeforeViews)
  }

  /// Waits until the views of all observers show what those show; `false` when the task is
  /// cancelled before.
  func present() async -> Bool {
    let observers = state.withLock { Array($0.observers.values) }
    for observer in observers {
      guard await observer.present() else { return false }
    }
    return true
  }

  func status(of state: State) -> SearcherStatus<Request, Answer> {
    SearcherStatus(
      request: state.machine.searchedRequest, generation: state.machine.generation,
      isPending: state.machine.isPending, answer: answers.current, failure: state.machine.failure)
  }
}

extension SearchError {
  /// The views were to be waited for.
  static var cancelledBeforeViews: SearchError {
    SearchError(.cancelled, "The task was cancelled before the views showed the rows.")
  }
}
