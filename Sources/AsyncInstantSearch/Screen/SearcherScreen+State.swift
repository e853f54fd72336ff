// The state of a searcher's screen, and its changes.

extension HitsSearcherStatus {
  /// Whether widgets show both in the same way.
  func isShownLike(_ other: HitsSearcherStatus) -> Bool {
    requestRevision == other.requestRevision && generation == other.generation
      && isPending == other.isPending && responseGeneration == other.responseGeneration
      && state == other.state
  }
}

extension SearcherScreen.State {
  /// The number of the newest search that has ended; 0 while one is pending.
  var newestGeneration: UInt64 {
    newest?.isPending == true ? 0 : newest?.generation ?? 0
  }

  var isUpToDate: Bool { inbox.isEmpty && !screen.hasUnshownInputs }

  /// The screen receives everything that has happened.
  mutating func receiveAll() {
    let inbox = inbox
    self.inbox = SearcherScreen.Inbox()
    for (position, response) in inbox.responses.enumerated() {
      screen.receive(response, isReplay: position == 0 && inbox.isReplay)
    }
    for (slot, number, response) in inbox.own { screen.receive(response, of: slot, number) }
  }

  /// Makes the views that have changed, and the requests of widgets.
  func refreshed() -> SearcherScreen.Refreshed {
    var (copy, number) = (self, lastID)
    let changes = copy.screen.refresh(lastID: &number)
    copy.lastID = number
    let stagings = observers.values.map { $0.staging(copy.screen) }
    return SearcherScreen.Refreshed(state: copy, changes: changes, stagings: stagings)
  }

  /// Removes a widget. Returns the tasks for which no widget waits.
  mutating func remove(_ id: UInt64) -> [UInt64] {
    let number = screen.slot(id)?.own.number
    screen.disconnect(id)
    clicks[id] = nil
    observers[id] = nil
    connections[id] = nil
    return forget(id, number)
  }

  /// A widget no longer waits for a request. Returns the tasks for which no widget waits.
  mutating func forget(_ slot: UInt64, _ number: UInt64?) -> [UInt64] {
    var unwanted = [number].compactMap { $0 }
    for (call, waiting) in calls where waiting.contains(slot) {
      calls[call]?.remove(slot)
      if calls[call]?.isEmpty == true {
        calls[call] = nil
        unwanted.append(call)
      }
    }
    return unwanted
  }
}

extension SearcherScreen {
  /// A state with its views, and the effects that follow.
  struct Refreshed: Sendable {
    let state: State
    var changes = SearchScreen.Changes()
    /// The observers' work under the lock.
    var stagings: [@Sendable () -> Effect] = []
  }
}
