import Synchronization

/// Events from any thread for one reader, which takes all that came since it last looked.
final class EventQueue<Event: Sendable>: Sendable {
  /// An event and when it was sent.
  struct Entry: Sendable {
    let event: Event
    let time: ContinuousClock.Instant
  }

  private let entries = Mutex<[Entry]>([])
  private let wake: AsyncStream<Void>.Continuation
  /// One element whenever there are new events.
  let arrivals: AsyncStream<Void>

  init() {
    (arrivals, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func send(_ event: Event) {
    entries.withLock { $0.append(Entry(event: event, time: .now)) }
    wake.yield()
  }

  /// Returns the events in order, and forgets them.
  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
