/// The link of a list to its searcher, or to one index of a searcher for several.
typealias HitsLink = Link<any AnyObject & Sendable, LinkedSearcher>

/// The searcher of a list, as far as the list needs it while they are connected.
struct LinkedSearcher: Sendable {
  let pageLoader: PageLoader
  /// Filters the searches by a filter state; `nil` if the searcher was deallocated.
  let filter: @Sendable (FilterState) -> Connection?
  /// The list's observation of the searcher. The section of a list of sections has none.
  var observation: SearcherObservation
  /// The connection that the list made between the searcher and the list's filter state.
  var filtering: Connection?

  /// Ends the observation and the filtering. No lock may be held.
  func end() {
    observation.end()
    filtering?.disconnect()
  }
}

// MARK: - The searcher

extension HitsDriver {
  /// Shows the hits of a searcher instead of the one before; the same one again changes nothing.
  ///
  /// The list observes the searcher when this returns, also if another thread began the connection.
  func connect(_ feed: some HitsFeed) -> Connection {
    let (link, effects) = attach(to: feed, pageLoader: feed.pageLoader) { [weak feed] in
      feed?.follow($0)
    }
    for effect in effects { effect() }
    filterSearcher()
    if !link.content.observation.isBegun { observe(feed, on: link.connection) }
    return link.connection
  }

  private func observe(_ feed: some HitsFeed, on link: Connection) {
    let observer = HitsObserver(
      prepare: { _ = await $0.page(of: Record.self) },
      stage: { [weak self] status in
        guard let self else { return {} }
        let effects = self.stageAndDecode(status, on: link)
        // The list is released after the searcher's lock, should this be the last reference.
        return { withExtendedLifetime(self) { for effect in effects { effect() } } }
      },
      present: { [weak self] in await self?.present() ?? true },
      end: { [weak self] in self?.searcherEnded(link) })
    guard let observation = feed.addObserver(observer) else { return }
    let stop: Effect = { [weak feed] in feed?.removeObserver(observation) }
    let isWanted = state.withLock { $0.link[link]?.observation.begin(stop) == true }
    if !isWanted { stop() }
  }

  /// Takes over the status of a link's searcher; an answer that is not decoded yet is shown later.
  private func stageAndDecode(
    _ status: HitsSearcherStatus, on link: Connection
  ) -> [Effect] {
    let (effects, decoding) = stage { state -> ([Machine.Action], [Effect]) in
      guard state.link.connection === link else { return ([], []) }
      let answer = state.machine.needsAnswer(of: status) ? status.answer : nil
      let page = answer?.decodedPage(of: Record.self)
      let undecoded = page == nil ? answer : nil
      let actions = state.machine.statusChanged(status, page: page)
      let decoding = state.link.content?.observation.statusTaken(undecoded: undecoded?.generation) {
        if let undecoded { await self.decode(undecoded, on: link) }
      }
      return (actions, decoding ?? [])
    }
    return effects + decoding
  }

  /// Decodes the answer that a searcher had when it was connected, and shows it.
  @concurrent
  private func decode(_ answer: HitsResponse, on link: Connection) async {
    let page = await answer.page(of: Record.self)
    let isOver = apply { state in
      guard state.link[link]?.observation.decoded(answer.generation) == true else {
        return ([], false)
      }
      return (
        state.machine.answered(page, response: answer),
        state.link[link]?.observation.isOver == true
      )
    }
    if isOver { link.disconnect() }
  }

  private func searcherEnded(_ link: Connection) {
    if state.withLock({ $0.link[link]?.observation.searcherEnded() }) == true { link.disconnect() }
  }

  /// Waits until the views show what the list shows; `false` when the task is cancelled before.
  func present() async -> Bool {
    await controllers.present(revisions.current)
  }

  /// Connects to a source in place of the one before, unless it is the same; `nil` is the same as
  /// none.
  ///
  /// - Returns: The link, and what is to be done without any lock.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader, for observer: UInt64? = nil,
    filter: @escaping @Sendable (FilterState) -> Connection?
  ) -> (link: HitsLink.Outcome, effects: [Effect]) {
    let (effects, link) = stage(for: observer) { state -> ([Machine.Action], HitsLink.Outcome) in
      let link = state.link.connect(to: source) {
        LinkedSearcher(
          pageLoader: pageLoader, filter: filter,
          observation: SearcherObservation(executor: executor))
      } undo: { [weak self] link in
        for effect in self?.detach(link, for: nil) ?? [] { effect() }
      }
      return (link.replacesPrevious ? state.machine.disconnected() : [], link)
    }
    return (link, effects + [link.effect])
  }

  /// Ends a link if it is the newest; returns what is to be done without any lock.
  func detach(_ link: Connection, for observer: UInt64?) -> [Effect] {
    let (effects, end) = stage(for: observer) { state -> ([Machine.Action], Effect?) in
      guard let end = state.link.disconnect(link) else { return ([], nil) }
      return (state.machine.disconnected(), end)
    }
    return effects + (end.map { [$0] } ?? [])
  }
}

// MARK: - The filter state

extension HitsDriver {
  /// Filters the searches of the searcher that is followed, and of each that is followed later.
  func connectFilterState(_ filterState: FilterState) -> Connection {
    let (filters, previous) = state.withLock { state in
      let filters = state.filters.connect(to: filterState, content: {}) { [weak self] in
        self?.endFiltering($0)
      }
      return (filters, filters.isNew ? state.link.content?.filtering.take() : nil)
    }
    previous?.disconnect()
    filters.effect()
    filterSearcher()
    return filters.connection
  }

  /// Connects the filter state with the searcher of the link, if there are both and they are not
  /// connected. Several threads may call it at once.
  func filterSearcher() {
    let (link, searcher, filters, filterState) = state.withLock {
      ($0.link.connection, $0.link.content, $0.filters.connection, $0.filters.source)
    }
    guard let link, let searcher, searcher.filtering == nil, let filterState,
      let filtering = searcher.filter(filterState)
    else { return }
    let isWanted = state.withLock { state in
      guard state.filters.connection === filters, let searcher = state.link[link],
        searcher.filtering == nil
      else { return false }
      state.link[link]?.filtering = filtering
      return true
    }
    if !isWanted { filtering.disconnect() }
  }

  private func endFiltering(_ filters: Connection) {
    let filtering = state.withLock { state in
      state.filters.disconnect(filters) == nil ? nil : state.link.content?.filtering.take()
    }
    filtering?.disconnect()
  }
}

/// What a list, or a list of sections, keeps of the searcher that it shows, under its own lock.
///
/// A searcher publishes an answer when its observers have decoded it, so a list shows an answer at
/// that moment. The exception is an answer that was there when the list was connected: the list
/// decodes it in a task of its own and shows it then, even if the searcher is gone by that time.
///
/// Several threads may begin the observation of one link at once: each adds an observer and returns
/// when that is there, and all but the first to ``begin(_:)`` remove theirs. So no thread waits for
/// another.
struct SearcherObservation: Sendable {
  typealias Effect = @Sendable () -> Void

  private struct Decoding: Sendable {
    let generation: UInt64
    /// The key of its task.
    let key: UInt64
  }

  /// Whether a status of the searcher was taken over.
  private(set) var hasStatus = false
  /// Removes the observer.
  private var stop: Effect?
  private var decoding: Decoding?
  private var decodingCount: UInt64 = 0
  private var isSearcherGone = false
  private let tasks: TaskBag<UInt64>

  /// Creates an observation that has not begun.
  ///
  /// - Parameter executor: Runs the decoding. Defaults to the global executor.
  init(executor: (any TaskExecutor)?) {
    tasks = TaskBag(executor: executor)
  }

  /// Whether an observer was added and stays.
  var isBegun: Bool { stop != nil }

  /// Whether the link ends: the searcher is gone, and its answer is shown.
  var isOver: Bool { isSearcherGone && decoding == nil }

  /// Keeps an observer until the end; returns whether it is the first.
  mutating func begin(_ stop: @escaping Effect) -> Bool {
    if isBegun { return false }
    self.stop = stop
    return true
  }

  /// A status was taken over.
  ///
  /// - Parameters:
  ///   - undecoded: The generation of its answer if that is to be shown and not decoded yet.
  ///   - decode: Decodes the answer, in a task.
  /// - Returns: Effects to perform without any lock.
  mutating func statusTaken(
    undecoded: UInt64?, decode: @escaping @concurrent @Sendable () async -> Void
  ) -> [Effect] {
    hasStatus = true
    if undecoded != nil, decoding?.generation == undecoded { return [] }
    var effects: [Effect] = []
    if let key = decoding?.key { effects.append { [tasks] in tasks.cancel(key) } }
    decoding = undecoded.map { generation in
      decodingCount += 1
      let key = decodingCount
      tasks.reserve(key)
      effects.append { [tasks] in tasks.start(key, decode) }
      return Decoding(generation: generation, key: key)
    }
    return effects
  }

  /// An answer was decoded; returns whether it is wanted.
  mutating func decoded(_ generation: UInt64) -> Bool {
    guard decoding?.generation == generation else { return false }
    decoding = nil
    return true
  }

  /// The searcher is gone. The answer that it had is still shown: there will be no newer one.
  ///
  /// - Returns: Whether the link ends at once.
  mutating func searcherEnded() -> Bool {
    isSearcherGone = true
    return isOver
  }

  /// Removes the observer and ends the decoding. No lock may be held.
  func end() {
    stop?()
    tasks.cancelAll()
  }
}
