private import Synchronization

// The consequences of a searcher's results.

extension SearcherScreen {
  /// Whether the caller is the first that observes the searcher.
  func beginObservation() -> Bool {
    change { state in
      defer { state.isObserved = true }
      return !state.isObserved
    }
  }

  /// Shows a searcher's results in all widgets. It does not retain the searcher.
  func searcherObserver(_ searcher: HitsSearcher) -> HitsObserver {
    let isFirst = Atomic(true)
    return HitsObserver(
      prepare: { [weak self] response in self?.prepare(response.results) },
      stage: { [weak self, weak searcher] status in
        let isFirst = isFirst.exchange(false, ordering: .relaxed)
        guard let self, stage(status, isFirst: isFirst) else { return {} }
        return { if let searcher { self.drain(searcher) } }
      },
      present: { [weak self, weak searcher] in
        guard let self, let searcher else { return true }
        drain(searcher)
        return await present()
      },
      end: { [weak self] in self?.disconnectAll() })
  }

  /// The searcher was released.
  private func disconnectAll() {
    let connections = state.withLock { $0.connections.values.map(\.self) }
    for connection in connections { connection.disconnect() }
  }

  private func prepare(_ results: IndexResults) {
    let nodes = state.withLock { $0.screen.nodes }
    for node in nodes { for slot in node.slots { slot.entry.prepare(results) } }
  }

  /// Waits until the controllers of all widgets show the newest views; `false` if the task is
  /// cancelled first.
  private func present() async -> Bool {
    let nodes = state.withLock { $0.screen.nodes }
    for node in nodes {
      for slot in node.slots where slot.watch?.isOn == true && slot.entry.hasControllers {
        guard await slot.entry.present() else { return false }
      }
    }
    return true
  }

  /// Brings all views up to date, and makes the changes and the search that follow from results.
  func drain(_ searcher: HitsSearcher) {
    refresh()
    // In the closure of a change that change does it at its end.
    while !searcher.core.owner.isChanging, state.withLock({ $0.screen.hasFollowUps }) {
      do throws(SearchError) {
        try searcher.change { screen in
          screen.followActivity()
          return screen.repeats() ? .again : .none
        }
      } catch {
        searcher.core.report(error)
        return
      }
    }
  }
}
