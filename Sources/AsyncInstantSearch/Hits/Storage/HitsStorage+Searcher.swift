/// The connection of a hits interactor to what it shows: a searcher, or one index of several.
struct HitsLink: Sendable {
  let id: UInt64
  /// Tells what the interactor is connected to, so that it is not connected again.
  weak var source: (any AnyObject & Sendable)?
  let pageLoader: PageLoader
  /// Filters the searches by a filter state; `nil` when there is nothing to be filtered.
  let filter: @Sendable (FilterState) -> Connection?
  let connection: Connection
  /// Ends the observation of the searcher.
  var stopObserving: (@Sendable () -> Void)?
  /// Decodes the answer that a searcher had when it was connected.
  var decoding: (generation: UInt64, task: Task<Void, Never>?)?
  /// Whether the searcher is gone, and only its answer is waited for.
  var endsWithAnswer = false
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

extension HitsStorage {
  /// Shows the hits of a searcher instead of the one before; the same one again changes nothing.
  func connect(_ feed: some HitsFeed) -> Connection {
    let (link, isNew) = attach(to: feed, pageLoader: feed.pageLoader) { [weak feed] in
      feed?.follow($0)
    }
    guard isNew else { return link.connection }
    let id = link.id
    let observer = HitsObserver(
      prepare: { _ = await $0.page(of: Record.self) },
      stage: { [weak self] status in
        guard let self else { return {} }
        let effects = self.stageAndDecode(status, on: id)
        // The list is released after the searcher's lock, should this be the last reference.
        return { withExtendedLifetime(self) { for effect in effects { effect() } } }
      },
      present: { [weak self] in await self?.present() },
      end: { [weak self] in self?.searcherEnded(id) })
    guard let observation = feed.addObserver(observer) else { return link.connection }
    let stopObserving: @Sendable () -> Void = { [weak feed] in feed?.removeObserver(observation) }
    let isWanted = state.withLock { state in
      guard state.link?.id == id else { return false }
      state.link?.stopObserving = stopObserving
      return true
    }
    if !isWanted { stopObserving() }
    return link.connection
  }

  /// Takes over the status of a link's searcher; an answer that is not decoded yet is shown later.
  private func stageAndDecode(
    _ status: HitsSearcherStatus, on link: UInt64
  ) -> [Effect] {
    var (effects, answer) = stage { state -> ([Machine.Action], HitsResponse?) in
      guard state.link?.id == link else { return ([], nil) }
      let answer = state.machine.needsAnswer(of: status) ? status.answer : nil
      let page = answer?.decodedPage(of: Record.self)
      let actions = state.machine.statusChanged(status, page: page)
      guard page == nil, let answer, state.link?.decoding?.generation != answer.generation else {
        return (actions, nil)
      }
      state.link?.decoding = (answer.generation, nil)
      return (actions, answer)
    }
    if let answer { effects.append { self.decode(answer, on: link) } }
    return effects
  }

  /// Decodes the answer that a searcher had when it was connected, and shows it.
  private func decode(_ answer: HitsResponse, on link: UInt64) {
    let task = Task(executorPreference: executor) {
      let page = await answer.page(of: Record.self)
      let connection = self.apply { state -> ([Machine.Action], Connection?) in
        guard state.link?.id == link else { return ([], nil) }
        let actions = state.machine.answered(page, response: answer)
        return (actions, state.link?.endsWithAnswer == true ? state.link?.connection : nil)
      }
      connection?.disconnect()
    }
    let isWanted = state.withLock { state in
      guard state.link?.id == link, state.link?.decoding?.generation == answer.generation else {
        return false
      }
      state.link?.decoding?.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  /// The searcher is gone. The answer that it had is still shown: there will be no newer one.
  private func searcherEnded(_ link: UInt64) {
    let connection = state.withLock { state -> Connection? in
      guard state.link?.id == link else { return nil }
      if state.machine.awaitsAnswer {
        state.link?.endsWithAnswer = true
        return nil
      }
      return state.link?.connection
    }
    connection?.disconnect()
  }

  /// Waits until the views show what the list shows.
  func present() async {
    await controllers.present(revisions.current)
  }

  /// Makes a link in place of the one before, unless there is one to the same source; `nil` is the
  /// same as none.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader,
    filter: @escaping @Sendable (FilterState) -> Connection?
  ) -> (link: HitsLink, isNew: Bool) {
    // The source that is compared with may be held by nobody else: it is released after the lock.
    let (link, former, isNew, compared) = apply {
      state -> ([Machine.Action], (HitsLink, FormerLink?, Bool, (any AnyObject & Sendable)?)) in
      let compared = state.link?.source
      if let source, let link = state.link, compared === source {
        return ([], (link, nil, false, compared))
      }
      let id = state.makeID()
      let link = HitsLink(
        id: id, source: source, pageLoader: pageLoader, filter: filter,
        connection: Connection { [weak self] in self?.detach(id) })
      let former = state.takeLink()
      state.link = link
      return (former == nil ? [] : state.machine.disconnected(), (link, former, true, compared))
    }
    withExtendedLifetime(compared) {}
    if isNew {
      former?.end()
      filterSearcher()
    }
    return (link, isNew)
  }

  private func detach(_ id: UInt64) {
    // What the link holds is released here, not under the lock.
    let former = apply { state -> ([Machine.Action], FormerLink?) in
      guard state.link?.id == id else { return ([], nil) }
      return (state.machine.disconnected(), state.takeLink())
    }
    former?.end()
  }
}

/// What there was between an interactor and a searcher that it does not show any more.
private struct FormerLink: Sendable {
  let link: HitsLink
  /// The interactor's connection between that searcher and the filter state.
  let filtering: Connection?

  func end() {
    link.stopObserving?()
    link.decoding?.task?.cancel()
    link.connection.disconnect()
    filtering?.disconnect()
  }
}

extension HitsStorage.State {
  fileprivate mutating func takeLink() -> FormerLink? {
    guard let link else { return nil }
    defer {
      self.link = nil
      filters.made = nil
    }
    return FormerLink(link: link, filtering: filters.made)
  }
}

// MARK: - The filter state

extension HitsStorage {
  /// Filters the searches of the searcher that is followed, and of each that is followed later.
  func connectFilterState(_ filterState: FilterState) -> Connection {
    // The state that is compared with may be held by nobody else: it is released after the lock.
    let (connection, former, compared) = state.withLock {
      state -> (Connection, FilterLink?, FilterState?) in
      let compared = state.filters.filterState
      if compared === filterState, let connection = state.filters.connection {
        return (connection, nil, compared)
      }
      let former = state.filters
      let id = state.makeID()
      let connection = Connection { [weak self] in self?.endFiltering(id) }
      state.filters = FilterLink(id: id, filterState: filterState, connection: connection)
      return (connection, former, compared)
    }
    withExtendedLifetime(compared) {}
    if let former {
      former.made?.disconnect()
      former.connection?.disconnect()
      filterSearcher()
    }
    return connection
  }

  private func filterSearcher() {
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
