// A search from its start to its end, its timers and its observers.

extension SearcherCore {
  /// Starts a search of the current request without waiting for the debounce, or for its response.
  nonisolated func submit() {
    _ = change({ $0 }, ifRefused: ()) { core, _ in (core.machine.submitRequested(), ()) }
  }

  /// Stops the pending search. The streams stay open.
  nonisolated func cancel() {
    send { $0.cancelRequested() }
  }

  /// Changes the request, searches it, and returns the outcome of exactly that search when every
  /// observer shows it.
  ///
  /// - Parameters:
  ///   - streamsWait: Whether the streams wait for the response, even if the request stays equal.
  ///   - change: The change. It runs again when the request was changed in the meantime.
  nonisolated func search(
    forStreams streamsWait: Bool, changing change: (Request) -> Request
  ) async -> Outcome {
    let slot = Lock<UInt64?>(nil)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Cancellation before the slot is filled is handled here, later cancellation by the
        // handler.
        let begun = self.change(change, ifRefused: Result<UInt64, SearchError>.failure(.refused)) {
          core, request in
          guard
            let actions = core.machine.searchRequested(request, forStreams: streamsWait)
          else {
            return ([], .failure(SearchError(.cancelled, "The searcher was released.")))
          }
          core.wait(continuation)
          return (actions, .success(core.machine.generation))
        }
        switch begun.flatMap({ $0 }) {
        case .failure(let error): continuation.resume(returning: .failure(error))
        case .success(let generation):
          slot.withLock { $0 = generation }
          if Task.isCancelled { send { $0.callerCancelled(generation) } }
        }
      }
    } onCancel: {
      if let generation = slot.withLock({ $0 }) {
        send { $0.callerCancelled(generation) }
      }
    }
    return await presented(outcome)
  }

  /// Searches, on the search's own task.
  nonisolated func search(_ request: Request, _ generation: UInt64) async {
    // A newer search may have superseded it before it began.
    guard enter({ $0.machine.wants(generation) }) else { return }
    guard shouldSearch(request) else {
      send { $0.refused(generation) }
      return
    }
    let now = clock.now()
    send { $0.begun(generation, now: now) }
    let outcome = await execute(request, context(of: generation))
    await end(generation, outcome)
  }

  /// Begins a search of the current request that another searcher performs and ``end(_:_:)``s.
  ///
  /// - Parameter isWanted: Whether that searcher still needs the search; called just before the
  ///   search supersedes the previous one. It is called in the section, and enters the section of
  ///   the searcher that performs the search.
  /// - Returns: The request and its context; `nil` if the request is rejected or not needed.
  nonisolated func begin(
    while isWanted: @Sendable () -> Bool
  ) -> (request: Request, context: SearchContext)? {
    let begun: Begun
    do throws(SearchError) {
      begun = try owner.change {
        let request = request
        return (request: request, isAllowed: shouldSearch(request))
      } commit: { checked in
        guard checked.isAllowed else { return .refused }
        let request = checked.request
        let now = clock.now()
        return decide { core -> ([Machine.Action], Begun?) in
          guard core.machine.request == request else { return ([], nil) }
          guard isWanted() else { return ([], .unneeded) }
          let actions = core.machine.joined(now: now)
          let generation = core.machine.generation
          return (actions, actions.isEmpty ? .unneeded : .search(request, generation: generation))
        }
      }
    } catch {
      report(error)
      begun = .refused
    }
    switch begun {
    case .search(let request, let generation): return (request, context(of: generation))
    case .unneeded: return nil
    case .refused:
      endDeferral()
      return nil
    }
  }

  private enum Begun {
    case search(Request, generation: UInt64)
    case unneeded
    case refused
  }

  private nonisolated func context(of generation: UInt64) -> SearchContext {
    SearchContext(generation: generation) { [weak self] error in
      self?.send { $0.decodingFailed(generation, error) }
    } isWanted: { [weak self] in
      self?.enter { $0.machine.wants(generation) } ?? false
    } hasSuccessor: { [weak self] in
      self?.enter { $0.machine.isPending && !$0.machine.wants(generation) } ?? false
    }
  }

  /// Ends a search, including one begun by ``begin(while:)``. The outcome is ignored unless the
  /// search is the newest.
  ///
  /// A response is decoded for the observers first, and published when all of them can show it at
  /// once.
  nonisolated func end(_ generation: UInt64, _ outcome: Outcome) async {
    guard case .success(let response) = outcome else { return fail(generation, outcome) }
    var ready: Set<UInt64> = []
    while true {
      let unready = decide { [ready] core -> ([Machine.Action], [UInt64: Observer]) in
        guard core.machine.wants(generation) else { return ([], [:]) }
        let unready = core.observers.filter { !ready.contains($0.key) }
        return (unready.isEmpty ? core.machine.ended(generation, outcome) : [], unready)
      }
      if unready.isEmpty { return }
      await Self.prepare(Array(unready.values), for: response)
      ready.formUnion(unready.keys)
    }
  }

  /// Ends a search without a response.
  nonisolated func fail(_ generation: UInt64, _ outcome: Outcome) {
    send { $0.ended(generation, outcome) }
  }

  private static func prepare(_ observers: [Observer], for response: Response) async {
    if observers.count == 1 { return await observers[0].prepare(response) }
    await withTaskGroup { group in
      for observer in observers { group.addTask { await observer.prepare(response) } }
    }
  }
}

// MARK: - Timers

extension SearcherCore {
  /// The next step of a timer's task that has woken.
  private enum Wakeup {
    case sleepAgain(until: Duration)
    case search(Request, generation: UInt64)
    case end
  }

  /// Sleeps for a timer. The task that sleeps for the debounce becomes the task of the search.
  nonisolated func sleep(_ id: UInt64, until deadline: Duration) async {
    var deadline = deadline
    while await clock.waitUntil(deadline) {
      switch decide({ $0.woke(id) }) {
      case .sleepAgain(let later): deadline = later
      case .search(let request, let generation): return await search(request, generation)
      case .end: return
      }
    }
  }

  private func woke(_ id: UInt64) -> ([Machine.Action], Wakeup) {
    switch debounce.woke(id) {
    case .sleepAgain(let later): return ([], .sleepAgain(until: later))
    case .end: return ([], .end)
    case .due(let target):
      guard case .start(let generation, let request)? = machine.due(target.generation).first else {
        return ([], .end)
      }
      work = Work(id: id, generation: generation)
      return ([], .search(request, generation: generation))
    case nil: break
    }
    switch stallCheck.woke(id) {
    case .sleepAgain(let later): return ([], .sleepAgain(until: later))
    case .due(let target): return (machine.stalled(target.generation), .end)
    case .end, nil: return ([], .end)
    }
  }
}

// MARK: - Observers

extension SearcherCore {
  /// Passes the searcher's status and responses to an observer until it is removed, starting with
  /// the current status.
  ///
  /// - Returns: The observer's ID; `nil` if the searcher was released.
  nonisolated func addObserver(_ observer: Observer) -> UInt64? {
    let (id, effect) = enter { core -> (UInt64?, Effect) in
      if core.isClosed { return (nil, observer.end) }
      let id = core.makeID()
      core.observers[id] = observer
      return (id, observer.stage(core.machine.status))
    }
    effect()
    return id
  }

  /// Removes an observer. Later calls have no effect.
  nonisolated func removeObserver(_ id: UInt64) {
    // Its captured objects are released here, not in the section.
    let observer = enter { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(observer) {}
  }

  /// Waits until the views of all observers show the outcome of a search, if observers show such an
  /// outcome. Returns a cancellation if the task is cancelled first.
  private nonisolated func presented(_ outcome: Outcome) async -> Outcome {
    if case .failure(let error) = outcome, [.superseded, .cancelled].contains(error.code) {
      return outcome
    }
    return await present() ? outcome : .failure(.cancelledBeforeViews)
  }

  /// Waits until no search is pending and all observers show the newest response.
  nonisolated func settled() async throws(SearchError) {
    for await progress in streams.progress.stream() where !progress.isPending {
      guard await present() else { throw .cancelledBeforeViews }
      // A widget may have needed another search.
      if isPending { continue }
      if let failure = progress.failure { throw failure }
      return
    }
    throw SearchError(
      .cancelled, Task.isCancelled ? "The task was cancelled." : "The searcher was released.")
  }

  /// Waits until the views of all observers are up to date; `false` if the task is cancelled first.
  nonisolated func present() async -> Bool {
    let observers = enter { Array($0.observers.values) }
    for observer in observers {
      guard await observer.present() else { return false }
    }
    return true
  }
}

extension SearchError {
  /// Throws if the task is cancelled before a search.
  static func checkNotCancelled() throws(SearchError) {
    if Task.isCancelled {
      throw SearchError(.cancelled, "The task was cancelled before the search.")
    }
  }

  /// `shouldSearch` rejected the request.
  static var refused: SearchError {
    SearchError(.cancelled, "shouldSearch refused the request.")
  }

  /// The task was cancelled while it waited for the views.
  static var cancelledBeforeViews: SearchError {
    SearchError(.cancelled, "The task was cancelled before the views showed the rows.")
  }
}
