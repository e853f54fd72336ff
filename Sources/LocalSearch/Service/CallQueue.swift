import AsyncInstantSearch

/// Decides which calls may work at once, first come, first served.
///
/// A call that waits can be removed at any time. All takes constant time on average.
package struct CallQueue<Call> {
  /// How many calls may work at once.
  package let limit: Int
  /// How many calls work.
  package private(set) var workingCount = 0
  private var lastNumber: UInt64 = 0
  /// The calls that wait, by number.
  private var waiting: [UInt64: Call] = [:]
  /// Their numbers in the order in which they came, and those of some that were removed.
  private var order = Queue<UInt64>()

  /// Creates an empty queue whose limit is at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// How many calls wait.
  package var waitingCount: Int { waiting.count }

  /// How many places it takes to keep them, those of removed calls counted.
  package var keptCount: Int { order.count }

  /// Adds a call, and returns a number to remove it by.
  package mutating func append(_ call: Call) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = call
    order.append(lastNumber)
    return lastNumber
  }

  /// Removes a call that waits; `nil` if it has begun.
  package mutating func remove(_ number: UInt64) -> Call? {
    guard let call = waiting.removeValue(forKey: number) else { return nil }
    // Removed numbers are forgotten when they are more than those that wait.
    if order.count > 2 * waiting.count + 16 {
      var rest = Queue<UInt64>()
      for number in waiting.keys.sorted() { rest.append(number) }
      order = rest
    }
    return call
  }

  /// Lets the call begin that waits longest, if one more may work; its end has to be reported with
  /// ``end()``.
  package mutating func begin() -> Call? {
    guard workingCount < limit else { return nil }
    while let number = order.popFirst() {
      guard let call = waiting.removeValue(forKey: number) else { continue }
      workingCount += 1
      return call
    }
    return nil
  }

  /// Ends a call that has begun.
  package mutating func end() { workingCount -= 1 }
}

extension CallQueue: Sendable where Call: Sendable {}
