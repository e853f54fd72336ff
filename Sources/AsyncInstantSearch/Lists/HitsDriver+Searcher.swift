/// The link of a list to its searcher, or to one index of a searcher for several.
typealias HitsLink = Link<any AnyObject & Sendable, LinkedSearcher>

/// The part of a connected searcher that a list keeps.
struct LinkedSearcher: Sendable {
  let pageLoader: PageLoader
  /// Filters the searches by a filter state while the list still needs it. Returns `nil` if the
  /// searcher was deallocated.
  typealias Filter = @Sendable (FilterState, _ isWanted: @escaping IsWanted) -> Connection?

  let filter: Filter
  /// The list's observation of the searcher. A section of a list of sections has no observation.
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
  /// Shows the hits of a searcher in place of the previous one. Connecting the same searcher again
  /// has no effect.
  ///
  /// The list observes the searcher when this method returns, even if another thread started the
  /// connection.
  func connect(_ feed: some HitsFeed) -> Connection {
    let (link, effects) = attach(to: feed, pageLoader: feed.pageLoader) { [weak feed] in
      feed?.follow($0, while: $1)
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
        // This may be the last reference to the list, which is released after the searcher's lock.
        return { withExtendedLifetime(self) { for effect in effects { effect() } } }
      },
      present: { [weak self] in await self?.present() ?? true },
      end: { [weak self] in self?.searcherEnded(link) })
    guard let observation = feed.addObserver(observer) else { return }
    let stop: Effect = { [weak feed] in feed?.removeObserver(observation) }
    let isWanted = state.withLock { $0.link[link]?.observation.begin(stop) == true }
    if !isWanted { stop() }
  }

  /// Applies the status of a link's searcher. A response that is not decoded yet is shown later.
  private func stageAndDecode(
    _ status: HitsSearcherStatus, on link: Connection
  ) -> [Effect] {
    let (effects, decoding) = stage { state -> ([Machine.Action], [Effect]) in
      guard state.link.connection === link else { return ([], []) }
      let response = state.machine.needsResponse(of: status) ? status.response : nil
      let page = response?.decodedPage(of: Record.self)
      let undecoded = page == nil ? response : nil
      let actions = state.machine.statusChanged(status, page: page)
      let decoding = state.link.update(link) {
        $0.observation.statusTaken(undecoded: undecoded?.generation) {
          if let undecoded { await self.decode(undecoded, on: link) }
        }
      }
      return (actions, decoding ?? [])
    }
    return effects + decoding
  }

  /// Decodes the response that a searcher had when it was connected, and shows it.
  @concurrent
  private func decode(_ response: SearchAnswer, on link: Connection) async {
    let page = await response.page(of: Record.self)
    let isOver = apply { state in
      guard state.link[link]?.observation.decoded(response.generation) == true else {
        return ([], false)
      }
      return (
        state.machine.responseDecoded(page, response: response),
        state.link[link]?.observation.isOver == true
      )
    }
    if isOver { link.disconnect() }
  }

  private func searcherEnded(_ link: Connection) {
    if state.withLock({ $0.link[link]?.observation.searcherEnded() }) == true { link.disconnect() }
  }

  /// Waits until the views show the state of the list. `false` if the task is cancelled first.
  func present() async -> Bool {
    await controllers.present(revisions.current)
  }

  /// Connects to a source in place of the previous one, unless it is the same. `nil` equals no
  /// source.
  ///
  /// - Returns: The link, and the effects to perform without any lock.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader, for observer: UInt64? = nil,
    filter: @escaping LinkedSearcher.Filter
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

  /// Ends a link if it is the newest. Returns the effects to perform without any lock.
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
  /// Filters the searches of the connected searcher, and of searchers that are connected later.
  func connectFilterState(_ filterState: FilterState) -> Connection {
    let (filters, previous) = state.withLock { state in
      let filters = state.filters.connect(to: filterState, content: {}) { [weak self] in
        self?.endFiltering($0)
      }
      // Another object may have connected the searcher to another filter state in the meantime.
      let isStale = filters.isNew || state.link.content?.filtering?.isConnected == false
      return (filters, isStale ? state.link.content?.filtering.take() : nil)
    }
    previous?.disconnect()
    filters.effect()
    filterSearcher()
    return filters.connection
  }

  /// Connects the filter state and the searcher of the link, if both exist and are not connected.
  /// Several threads can call it at once.
  func filterSearcher() {
    let (link, searcher, filters, filterState) = state.withLock {
      ($0.link.connection, $0.link.content, $0.filters.connection, $0.filters.source)
    }
    guard let link, let searcher, searcher.filtering == nil, let filterState else { return }
    let isWanted: IsWanted = { [weak self] in
      self?.state.withLock { $0.isUnfiltered(link, by: filters) } ?? false
    }
    guard let filtering = searcher.filter(filterState, isWanted) else { return }
    let isStored = state.withLock { state in
      guard state.isUnfiltered(link, by: filters) else { return false }
      state.link[link]?.filtering = filtering
      return true
    }
    if !isStored { filtering.disconnect() }
  }

  private func endFiltering(_ filters: Connection) {
    let filtering = state.withLock { state in
      state.filters.disconnect(filters) == nil ? nil : state.link.content?.filtering.take()
    }
    filtering?.disconnect()
  }
}

/// The observation of a searcher by a list or a list of sections, guarded by the list's lock.
///
/// A searcher publishes a response after its observers have decoded it, so the list shows it at
/// once. The exception is the response that the searcher had when it was connected. The list
/// decodes that response in a separate task before it shows it, even if the searcher is deallocated
/// first.
///
/// Several threads can start the observation of one link at once. Each adds an observer before it
/// returns, and all except the first to call ``begin(_:)`` remove their observer. So no thread
/// waits for another.
struct SearcherObservation: Sendable {
  typealias Effect = @Sendable () -> Void

  private struct Decoding: Sendable {
    let generation: UInt64
    /// The key of its task.
    let key: UInt64
  }

  /// Whether a status of the searcher was applied.
  private(set) var hasStatus = false
  /// Removes the observer.
  private var stop: Effect?
  private var decoding: Decoding?
  private var decodingCount: UInt64 = 0
  private var isSearcherGone = false
  private let tasks: TaskBag<UInt64>

  /// Creates an observation that has not started.
  ///
  /// - Parameter executor: Runs the decoding. Defaults to the global executor.
  init(executor: (any TaskExecutor)?) {
    tasks = TaskBag(executor: executor)
  }

  /// Whether an observer was added.
  var isBegun: Bool { stop != nil }

  /// Whether the link ends, because the searcher was deallocated and its response is shown.
  var isOver: Bool { isSearcherGone && decoding == nil }

  /// Stores the closure that removes an observer. Returns whether the observer is the first.
  mutating func begin(_ stop: @escaping Effect) -> Bool {
    if isBegun { return false }
    self.stop = stop
    return true
  }

  /// A status was applied.
  ///
  /// - Parameters:
  ///   - undecoded: The generation of its response, if that must be decoded before it is shown.
  ///   - decode: Decodes the response, in a task.
  /// - Returns: The effects to perform without any lock.
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

  /// A response was decoded. Returns whether to show it.
  mutating func decoded(_ generation: UInt64) -> Bool {
    guard decoding?.generation == generation else { return false }
    decoding = nil
    return true
  }

  /// The searcher was deallocated. A response that is being decoded is still shown.
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
