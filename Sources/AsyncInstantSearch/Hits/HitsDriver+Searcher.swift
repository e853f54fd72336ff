/// The connection of a hits interactor to what it shows: a searcher, or one index of several.
struct HitsLink: Sendable {
  let id: UInt64
  /// What the interactor is connected to, so that it is not connected again.
  weak var source: (any AnyObject & Sendable)?
  let pageLoader: PageLoader
  /// Filters the searches by a filter state; `nil` when there is nothing to be filtered.
  let filter: @Sendable (FilterState) -> Connection?
  let connection: Connection
  /// The list's own observation of the searcher; a section has none.
  var observation: SearcherObservation
}

/// The connection of a hits interactor to the filter state of its searcher.
struct FilterLink: Sendable {
  var id: UInt64 = 0
  weak var filterState: FilterState?
  /// What the user holds.
  var connection: Connection?
  /// The interactor's connection between searcher and filter state.
  var made: Connection?
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
    if !link.observation.isBegun { observe(feed, on: link.id) }
    return link.connection
  }

  private func observe(_ feed: some HitsFeed, on link: UInt64) {
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
    let isWanted = state.withLock { state in
      state.link?.id == link && state.link?.observation.begin(stop) == true
    }
    if !isWanted { stop() }
  }

  /// Takes over the status of a link's searcher; an answer that is not decoded yet is shown later.
  private func stageAndDecode(
    _ status: HitsSearcherStatus, on link: UInt64
  ) -> [Effect] {
    let (effects, decoding) = stage { state -> ([Machine.Action], [Effect]) in
      guard state.link?.id == link else { return ([], []) }
      let answer = state.machine.needsAnswer(of: status) ? status.answer : nil
      let page = answer?.decodedPage(of: Record.self)
      let undecoded = page == nil ? answer : nil
      let actions = state.machine.statusChanged(status, page: page)
      let decoding = state.link?.observation.statusTaken(undecoded: undecoded?.generation) {
        if let undecoded { await self.decode(undecoded, on: link) }
      }
      return (actions, decoding ?? [])
    }
    return effects + decoding
  }

  /// Decodes the answer that a searcher had when it was connected, and shows it.
  @concurrent
  private func decode(_ answer: HitsResponse, on link: UInt64) async {
    let page = await answer.page(of: Record.self)
    let previous = apply { state -> ([Machine.Action], Connection?) in
      guard state.link?.id == link, state.link?.observation.decoded(answer.generation) == true
      else { return ([], nil) }
      return (state.machine.answered(page, response: answer), state.endedConnection)
    }
    previous?.disconnect()
  }

  private func searcherEnded(_ link: UInt64) {
    let connection = state.withLock { state -> Connection? in
      guard state.link?.id == link else { return nil }
      state.link?.observation.searcherEnded()
      return state.endedConnection
    }
    connection?.disconnect()
  }

  /// Waits until the views show what the list shows; `false` when the task is cancelled before.
  func present() async -> Bool {
    await controllers.present(revisions.current)
  }

  /// Makes a link in place of the one before, unless there is one to the same source; `nil` is the
  /// same as none.
  ///
  /// - Returns: The link, and what is to be done without any lock.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader, for observer: UInt64? = nil,
    filter: @escaping @Sendable (FilterState) -> Connection?
  ) -> (link: HitsLink, effects: [Effect]) {
    let (effects, (link, after)) = stage(for: observer) {
      state -> ([Machine.Action], (HitsLink, [Effect])) in
      let compared = state.link?.source
      // What is compared with may have no other reference: it is released after the lock.
      let release: Effect = { withExtendedLifetime(compared) {} }
      let filterSearcher: Effect = { self.filterSearcher() }
      if let source, let link = state.link, compared === source {
        return ([], (link, link.observation.isBegun ? [release] : [release, filterSearcher]))
      }
      let id = state.makeID()
      let link = HitsLink(
        id: id, source: source, pageLoader: pageLoader, filter: filter,
        connection: Connection { [weak self] in self?.detach(id) },
        observation: SearcherObservation(executor: executor))
      let previous = state.takeLink()
      state.link = link
      return (
        previous == nil ? [] : state.machine.disconnected(),
        (link, [release, { previous?.end() }, filterSearcher])
      )
    }
    return (link, effects + after)
  }

  private func detach(_ id: UInt64) {
    for effect in detach(id, for: nil) { effect() }
  }

  /// Undoes a link, if it is the newest; returns what is to be done without any lock.
  func detach(_ id: UInt64, for observer: UInt64?) -> [Effect] {
    let (effects, previous) = stage(for: observer) { state -> ([Machine.Action], PreviousLink?) in
      guard state.link?.id == id else { return ([], nil) }
      return (state.machine.disconnected(), state.takeLink())
    }
    // What the link holds is released here, not under the lock.
    return effects + [{ previous?.end() }]
  }
}

/// The link of an interactor to a searcher that it does not show any more.
private struct PreviousLink: Sendable {
  let link: HitsLink
  /// The interactor's connection between that searcher and the filter state.
  let filtering: Connection?

  func end() {
    link.observation.end()
    link.connection.disconnect()
    filtering?.disconnect()
  }
}

extension HitsDriver.State {
  /// The connection, if its searcher is gone and its answer is shown.
  fileprivate var endedConnection: Connection? {
    link?.observation.isOver == true ? link?.connection : nil
  }

  fileprivate mutating func takeLink() -> PreviousLink? {
    guard let link else { return nil }
    defer {
      self.link = nil
      filters.made = nil
    }
    return PreviousLink(link: link, filtering: filters.made)
  }
}

// MARK: - The filter state

extension HitsDriver {
  /// Filters the searches of the searcher that is followed, and of each that is followed later.
  func connectFilterState(_ filterState: FilterState) -> Connection {
    let (connection, previous, isMade, compared) = state.withLock {
      state -> (Connection, FilterLink?, Bool, FilterState?) in
      let compared = state.filters.filterState
      if compared === filterState, let connection = state.filters.connection {
        return (connection, nil, state.filters.made != nil, compared)
      }
      let previous = state.filters
      let id = state.makeID()
      let connection = Connection { [weak self] in self?.endFiltering(id) }
      state.filters = FilterLink(id: id, filterState: filterState, connection: connection)
      return (connection, previous, false, compared)
    }
    // What is compared with may have no other reference: it is released after the lock.
    withExtendedLifetime(compared) {}
    previous?.made?.disconnect()
    previous?.connection?.disconnect()
    if !isMade { filterSearcher() }
    return connection
  }

  /// Connects the filter state with the searcher of the link, if there are both. It may be called
  /// by several threads at once.
  func filterSearcher() {
    let (link, filterState) = state.withLock { ($0.link, $0.filters.filterState) }
    guard let link, let filterState, let made = link.filter(filterState) else { return }
    // What is not wanted: this connection, or an equal one that was made at the same time.
    let (unwanted, compared) = state.withLock { state -> (Connection?, FilterState?) in
      let compared = state.filters.filterState
      guard state.link?.id == link.id, compared === filterState else { return (made, compared) }
      defer { state.filters.made = made }
      return (state.filters.made, compared)
    }
    unwanted?.disconnect()
    withExtendedLifetime(compared) {}
  }

  private func endFiltering(_ id: UInt64) {
    let link = state.withLock { state -> FilterLink? in
      guard state.filters.id == id else { return nil }
      defer { state.filters = FilterLink() }
      return state.filters
    }
    link?.made?.disconnect()
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
  mutating func searcherEnded() {
    isSearcherGone = true
  }

  /// Removes the observer and ends the decoding. No lock may be held.
  func end() {
    stop?()
    tasks.cancelAll()
  }
}
