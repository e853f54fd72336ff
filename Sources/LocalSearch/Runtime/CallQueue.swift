import InstantSearchAPI

/// The owner of calls to an engine: a client of a service, or else the program itself.
package struct CallOwner: Hashable, Sendable {
  let engine: ObjectIdentifier?
  let client: String?

  /// Creates an owner.
  package init(engine: ObjectIdentifier? = nil, client: String? = nil) {
    self.engine = engine
    self.client = client
  }
}

/// Limits how many calls run at once, and lets their owners take turns.
///
/// The calls of an owner begin in the order of arrival. Its paused calls are a second line. The
/// lines take turns, and three of four turns are for owners without calls in flight, so that many
/// or expensive calls of one owner do not keep the others waiting. A waiting call can be removed at
/// any time. All operations take constant time on average, except that ``begin()`` looks at each
/// line of new calls that the limits of calls in flight hold back.
package struct CallQueue<Call> {
  /// The waiting calls of an owner, or its paused calls.
  private struct Line: Hashable {
    let owner: CallOwner
    let isPaused: Bool
  }

  /// The numbers of the waiting calls in the order of arrival, and of some removed calls.
  private struct Numbers {
    var order = Queue<UInt64>()
    var count = 0
  }

  /// The maximum number of calls that run at once.
  package let limit: Int
  /// The maximum number of calls in flight (begun and not ended) of one owner, and of all owners.
  private let ownerLimit: Int
  private let begunLimit: Int
  /// The number of calls that run.
  package private(set) var workingCount = 0
  private var lastNumber: UInt64 = 0
  /// The waiting calls, by number.
  private var waiting: [UInt64: (call: Call, line: Line)] = [:]
  private var lines: [Line: Numbers] = [:]
  /// The number of waiting calls of each owner.
  private var waitingCounts: [CallOwner: Int] = [:]
  /// The lines that have entries, the next one first.
  private var turns = Queue<Line>()
  /// The lines of owners without calls in flight. They take three of four turns.
  private var newcomers = Queue<Line>()
  /// The number of turns that newcomers take before one of the others.
  private var turnsOfNewcomers = Self.newcomersShare
  private static var newcomersShare: Int { 3 }
  /// The number of calls in flight of each owner.
  private var begun: [CallOwner: Int] = [:]
  private var begunCount = 0

  /// Creates an empty queue.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of calls that run at once, at least one.
  ///   - ownerLimit: The maximum number of calls of one owner that run or have paused.
  ///   - begunLimit: The maximum number of all calls that run or have paused. A third of it is for
  ///     the first call of each owner.
  package init(limit: Int, ownerLimit: Int = .max, begunLimit: Int = .max) {
    self.limit = max(1, limit)
    self.ownerLimit = ownerLimit
    self.begunLimit = begunLimit
  }

  /// The number of waiting calls.
  package var waitingCount: Int { waiting.count }

  /// The number of queue entries, including entries of removed calls.
  package var keptCount: Int { lines.values.reduce(0) { $0 + $1.order.count } }

  /// Adds a call, and returns the number to remove it by.
  package mutating func append(_ call: Call, of owner: CallOwner = CallOwner()) -> UInt64 {
    append(call, to: Line(owner: owner, isPaused: false))
  }

  private mutating func append(_ call: Call, to line: Line) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = (call, line)
    waitingCounts[line.owner, default: 0] += 1
    if lines[line] == nil {
      if !line.isPaused, begun[line.owner] == nil {
        newcomers.append(line)
      } else {
        turns.append(line)
      }
    }
    lines[line, default: Numbers()].order.append(lastNumber)
    lines[line]?.count += 1
    return lastNumber
  }

  /// Removes a waiting call. Returns `nil` if it has begun.
  package mutating func remove(_ number: UInt64) -> Call? {
    guard let (call, line) = removeWaiting(number) else { return nil }
    lines[line]?.count -= 1
    // Removed numbers are dropped when they outnumber the waiting ones.
    if let numbers = lines[line], numbers.order.count > 2 * numbers.count + 16 {
      var old = numbers.order
      var rest = Queue<UInt64>()
      while let number = old.popFirst() {
        if waiting[number] != nil { rest.append(number) }
      }
      lines[line]?.order = rest
    }
    return call
  }

  /// Begins the next call if the limits allow. Report its end with ``end(of:)``.
  package mutating func begin() -> Call? {
    guard workingCount < limit else { return nil }
    var full: [Line] = []
    // Lines of newcomers go back to the newcomers.
    defer {
      for line in full {
        if begun[line.owner] == nil { newcomers.append(line) } else { turns.append(line) }
      }
    }
    while let line = nextLine() {
      if !line.isPaused, !mayBegin(line.owner) {
        full.append(line)
        continue
      }
      guard let call = popFirst(of: line) else { continue }
      if !line.isPaused {
        begun[line.owner, default: 0] += 1
        begunCount += 1
      }
      workingCount += 1
      return call
    }
    return nil
  }

  private mutating func nextLine() -> Line? {
    if turnsOfNewcomers > 0 || turns.first == nil, let line = newcomers.popFirst() {
      turnsOfNewcomers -= 1
      return line
    }
    turnsOfNewcomers = Self.newcomersShare
    return turns.popFirst()
  }

  private func mayBegin(_ owner: CallOwner) -> Bool {
    let count = begun[owner, default: 0]
    return count < ownerLimit && begunCount < (count == 0 ? begunLimit : begunLimit / 3 * 2)
  }

  /// Removes the first call of a line, and puts the line behind the others.
  private mutating func popFirst(of line: Line) -> Call? {
    while let number = lines[line]?.order.popFirst() {
      guard let (call, _) = removeWaiting(number) else { continue }
      lines[line]?.count -= 1
      turns.append(line)
      return call
    }
    lines[line] = nil
    return nil
  }

  private mutating func removeWaiting(_ number: UInt64) -> (call: Call, line: Line)? {
    guard let entry = waiting.removeValue(forKey: number) else { return nil }
    let count = waitingCounts[entry.line.owner, default: 0] - 1
    waitingCounts[entry.line.owner] = count > 0 ? count : nil
    return entry
  }

  /// Gives up the place of a call that runs, if others wait. It waits until `resumption` begins.
  ///
  /// - Parameter forOwn: Whether calls of the same owner count as others. Defaults to `true`.
  package mutating func pause(
    of owner: CallOwner, forOwn: Bool = true, _ resumption: Call
  ) -> Bool {
    let own = forOwn ? 0 : waitingCounts[owner] ?? 0
    guard waiting.count > own else { return false }
    workingCount -= 1
    _ = append(resumption, to: Line(owner: owner, isPaused: true))
    return true
  }

  /// Begins calls that are not in the queue, as long as they leave places for the waiting calls.
  /// Report the end of each with ``giveBack()``.
  package mutating func take(atMost count: Int) -> Int {
    let taken = max(0, min(count, limit - workingCount - waiting.count))
    workingCount += taken
    return taken
  }

  /// Ends a call that was taken.
  package mutating func giveBack() { workingCount -= 1 }

  /// Ends a call that was begun.
  package mutating func end(of owner: CallOwner = CallOwner()) {
    workingCount -= 1
    let count = begun[owner, default: 0] - 1
    begun[owner] = count > 0 ? count : nil
    begunCount -= 1
  }
}

extension CallQueue: Sendable where Call: Sendable {}
