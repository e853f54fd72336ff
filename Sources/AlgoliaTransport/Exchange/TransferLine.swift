import AsyncInstantSearch

/// Starts transfers when it is their turn; see ``TransferQueue``.
final class TransferLine: Sendable {
  private struct State {
    var queue: TransferQueue
    var nextID: TransferQueue.ID = 0
    var starts: [TransferQueue.ID: @Sendable () -> Void] = [:]
  }

  private let state: Lock<State>

  /// Creates a line that lets so many transfers to one host go on at once.
  init(limit: Int) {
    state = Lock(State(queue: TransferQueue(limit: limit)))
  }

  /// Starts a transfer to a host, now or when others have ended; each start is to be followed by
  /// one ``leave(host:)``.
  func enter(host: String, start: @escaping @Sendable () -> Void) -> TransferQueue.ID {
    let (id, isFirst) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      let isFirst = state.queue.enter(id, host: host)
      if !isFirst { state.starts[id] = start }
      return (id, isFirst)
    }
    if isFirst { start() }
    return id
  }

  /// Notes that a transfer to a host has ended, and starts the next.
  func leave(host: String) {
    let start = state.withLock { state in
      state.queue.leave(host: host).flatMap { state.starts.removeValue(forKey: $0) }
    }
    start?()
  }

  /// Takes a transfer out that has not started; nothing happens to one that has.
  func withdraw(_ id: TransferQueue.ID) {
    let start = state.withLock { state in
      state.queue.withdraw(id) ? state.starts.removeValue(forKey: id) : nil
    }
    withExtendedLifetime(start) {}
  }
}
