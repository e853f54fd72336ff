package import AsyncInstantSearch

/// Decides which calls may work at once, first come, first served.
///
/// As many calls work as there are places. If all of them are writes, one read works besides, so
/// that reads go on beside long writes, one at a time. A call that waits has no thread, and goes as soon
/// as it is cancelled or its deadline has passed.
package final class WorkPlaces: Sendable {
  /// What a call does.
  package enum Kind: Sendable, CaseIterable {
    case read, write
  }

  /// A place that a call waits for or has; it has to be given back.
  package struct Place: Sendable {
    fileprivate let number: UInt64
    fileprivate let kind: Kind
    /// Brings the place; `nil` when it came at once.
    fileprivate let waiter: Waiter<Void>?

    /// Whether it did not come at once.
    package var waits: Bool { waiter != nil }
  }

  /// How many places there are.
  package let limit: Int
  private let state = Lock(PlaceState())

  /// Creates places, at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// How many calls work.
  package var workingCount: Int { state.withLock { $0.readCount + $0.writeCount } }

  /// How many calls wait.
  package var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Takes a place, or joins those who wait for one.
  package func join(_ kind: Kind) -> Place {
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      // A call waits only while its kind may not begin, so none is overtaken here.
      if state.mayBegin(kind, limit: limit) {
        state.begin(kind)
        return Place(number: number, kind: kind, waiter: nil)
      }
      let waiter = Waiter<Void>()
      state.wait(kind, number, waiter)
      return Place(number: number, kind: kind, waiter: waiter)
    }
  }

  /// Waits for the place; called once.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, `SearchError` of code
  ///   `timedOut` as soon as the deadline has passed. The place has to be given back nevertheless.
  package func wait(for place: Place, until deadline: Deadline? = nil) async throws {
    try await place.waiter?.value(until: deadline)
  }

  /// Gives a place back, whether it came or not.
  package func end(_ place: Place) {
    let next = state.withLock { state in
      if state.waiters.removeValue(forKey: place.number) == nil { state.end(place.kind) }
      return state.beginWaiting(limit: limit)
    }
    for waiter in next { waiter.settle(.success(())) }
  }
}

private struct PlaceState {
  var lastNumber: UInt64 = 0
  var readCount = 0
  var writeCount = 0
  /// Those who wait, by number.
  var waiters: [UInt64: Waiter<Void>] = [:]
  /// Their numbers in the order in which they came, and those of some who have gone.
  private var reads = Queue<UInt64>()
  private var writes = Queue<UInt64>()

  func mayBegin(_ kind: WorkPlaces.Kind, limit: Int) -> Bool {
    readCount + writeCount < limit || kind == .read && readCount == 0
  }

  mutating func begin(_ kind: WorkPlaces.Kind) {
    switch kind {
    case .read: readCount += 1
    case .write: writeCount += 1
    }
  }

  mutating func end(_ kind: WorkPlaces.Kind) {
    switch kind {
    case .read: readCount -= 1
    case .write: writeCount -= 1
    }
  }

  mutating func wait(_ kind: WorkPlaces.Kind, _ number: UInt64, _ waiter: Waiter<Void>) {
    waiters[number] = waiter
    switch kind {
    case .read: reads.append(number)
    case .write: writes.append(number)
    }
  }

  /// Lets those begin who may, earliest first.
  mutating func beginWaiting(limit: Int) -> [Waiter<Void>] {
    var result: [Waiter<Void>] = []
    while let kind = nextKind(limit: limit) {
      let number = kind == .read ? reads.popFirst() : writes.popFirst()
      guard let number, let waiter = waiters.removeValue(forKey: number) else { break }
      begin(kind)
      result.append(waiter)
    }
    return result
  }

  private mutating func nextKind(limit: Int) -> WorkPlaces.Kind? {
    let read = mayBegin(.read, limit: limit) ? Self.first(of: &reads, in: waiters) : nil
    let write = mayBegin(.write, limit: limit) ? Self.first(of: &writes, in: waiters) : nil
    guard let read else { return write == nil ? nil : .write }
    return write.map { $0 < read } ?? false ? .write : .read
  }

  /// The number of the first one of a queue who still waits.
  private static func first(
    of queue: inout Queue<UInt64>, in waiters: [UInt64: Waiter<Void>]
  ) -> UInt64? {
    while let number = queue.first {
      if waiters[number] != nil { return number }
      _ = queue.popFirst()
    }
    return nil
  }
}
