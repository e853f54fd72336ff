package import AsyncInstantSearch

/// Decides which calls may work at once, first come, first served.
///
/// At most `limit` calls work. If all of them are writes, one read works besides, so that reads go
/// on beside long writes, one at a time. A call that waits can be removed at any time.
package struct CallQueue<Call> {
  package typealias Kind = TransportRequest.CallType

  /// A call that may work now; its end has to be reported with ``end(_:)``.
  package struct Beginning {
    package let kind: Kind
    package let call: Call
  }

  /// How many calls may work at once, the additional read not counted.
  package let limit: Int
  private var lastNumber: UInt64 = 0
  private var readCount = 0
  private var writeCount = 0
  /// The calls that wait, by number.
  private var waiting: [UInt64: Call] = [:]
  /// Their numbers in the order in which they came, and those of some that were removed.
  private var reads = Queue<UInt64>()
  private var writes = Queue<UInt64>()

  /// Creates an empty queue whose limit is at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// How many calls work.
  package var workingCount: Int { readCount + writeCount }

  /// How many calls wait.
  package var waitingCount: Int { waiting.count }

  /// Adds a call, and returns a number to remove it by.
  package mutating func append(_ kind: Kind, _ call: Call) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = call
    switch kind {
    case .read: reads.append(lastNumber)
    case .write: writes.append(lastNumber)
    }
    return lastNumber
  }

  /// Removes a call that waits; `nil` if it has begun.
  package mutating func remove(_ number: UInt64) -> Call? { waiting.removeValue(forKey: number) }

  /// Lets the earliest call begin that may; `nil` if there is none.
  package mutating func begin() -> Beginning? {
    guard let kind = nextKind() else { return nil }
    let number = kind == .read ? reads.popFirst() : writes.popFirst()
    guard let number, let call = waiting.removeValue(forKey: number) else { return nil }
    switch kind {
    case .read: readCount += 1
    case .write: writeCount += 1
    }
    return Beginning(kind: kind, call: call)
  }

  /// Ends a call that has begun.
  package mutating func end(_ kind: Kind) {
    switch kind {
    case .read: readCount -= 1
    case .write: writeCount -= 1
    }
  }

  private mutating func nextKind() -> Kind? {
    let hasPlace = workingCount < limit
    let read = hasPlace || readCount == 0 ? Self.first(of: &reads, in: waiting) : nil
    let write = hasPlace ? Self.first(of: &writes, in: waiting) : nil
    guard let read else { return write == nil ? nil : .write }
    return write.map { $0 < read } ?? false ? .write : .read
  }

  /// The number of the first call of a queue that still waits.
  private static func first(of queue: inout Queue<UInt64>, in waiting: [UInt64: Call]) -> UInt64? {
    while let number = queue.first {
      if waiting[number] != nil { return number }
      _ = queue.popFirst()
    }
    return nil
  }
}

extension CallQueue: Sendable where Call: Sendable {}
extension CallQueue.Beginning: Sendable where Call: Sendable {}
