/// Who may call, and when: a value without time, tasks and locks.
///
/// Calls take turns by lane, and within a lane in the order in which they came. Times are those of
/// the transport's clock; all arithmetic is that of `Duration`, in whole units of 10⁻¹⁸ seconds.
struct RateMachine: Sendable {
  /// The limits of a transport; see ``RateLimitingTransport``.
  struct Limits: Sendable {
    let interval: Duration
    let burst: Int
    let concurrentCalls: Int
    let waitingCalls: Int
    let retries: Int
    let firstPause: Duration
    let longestPause: Duration
  }

  /// A call that takes part.
  struct Ticket: Sendable, Hashable {
    let number: UInt64
    let lane: String
  }

  typealias Caller = WaitingRoom.Caller

  /// What a caller is told.
  typealias Word = (caller: Caller, word: Result<Bool, any Error>)

  /// What is to be done after an event.
  struct Turn: Sendable {
    /// What callers are told now.
    var told: [Word] = []
    /// The timer that is to be started.
    var timer: (number: UInt64, end: Duration)?
    /// The timer that is not needed any more.
    var cancelled: UInt64?
  }

  private struct Running: Sendable {
    let beginning: Duration
    let refusals: Int
  }

  /// A call that was refused and waits to try again.
  private struct Refused: Sendable {
    let ticket: Ticket
    let refusals: Int
    /// When its time ends; `nil` for never.
    let end: Duration?
    let caller: Caller

    func isInTime(at time: Duration) -> Bool { end.map { time < $0 } ?? true }
  }

  private struct Timer: Sendable {
    let number: UInt64
    let end: Duration
  }

  private let limits: Limits
  private var room = WaitingRoom()
  /// The calls that were refused and wait to try again, in the order in which they came; there are
  /// never more than were running at once.
  private var refused: [Refused] = []
  private var running: [UInt64: Running] = [:]

  /// When the bucket is full again, if nobody calls.
  private var fullTime = Duration.zero
  private var pauseEnd = Duration.zero
  /// When the newest pause was asked for; calls that began before it know nothing newer.
  private var pauseBeginning = Duration.zero - .seconds(1)
  private var nextPause: Duration

  private var timer: Timer?
  private var nextNumber: UInt64 = 0

  init(_ limits: Limits) {
    self.limits = limits
    nextPause = limits.firstPause
  }

  /// How many calls wait for their first turn.
  var waitingCalls: Int { room.count }

  /// Whether a timer runs, or is about to.
  var hasTimer: Bool { timer != nil }

  // MARK: - Events

  /// A call comes. When it would have to wait and there is no room for it, the newest call of the
  /// longest lane has to go, which may be this one.
  mutating func arrive(
    in lane: String, _ caller: Caller, now: Duration
  ) -> (ticket: Ticket, turn: Turn) {
    let ticket = Ticket(number: makeNumber(), lane: lane)
    room.enter(ticket.number, in: lane, caller)
    // Turns that are due make room, and may be the call's own.
    var turn = Turn(told: grantTurns(now: now))
    if room.count > limits.waitingCalls, let caller = room.takeOneTooMany(afterOneIn: lane) {
      turn.told.append((caller, .failure(Self.noRoom)))
    }
    setTimer(&turn)
    return (ticket, turn)
  }

  private static let noRoom = SearchError(
    .rateLimited, "Too many calls wait for their turn already.")

  /// A call waits no more. One that had its turn in that moment gives it back.
  ///
  /// - Complexity: O(1), or O(calls that were refused and wait) for one of them.
  mutating func leave(_ ticket: Ticket, now: Duration) -> Turn {
    if running.removeValue(forKey: ticket.number) != nil {
      fullTime -= limits.interval
    } else if let position = refused.firstIndex(where: { $0.ticket == ticket }) {
      refused.remove(at: position)
    } else {
      room.take(ticket.number, in: ticket.lane)
    }
    return turn(now: now)
  }

  /// A call has ended with anything but a refusal. Only an answer shows that the service takes
  /// calls again: an error of the network, or a caller who gave up, says nothing of it.
  mutating func end(_ ticket: Ticket, isAnswered: Bool, now: Duration) -> Turn {
    if let call = running.removeValue(forKey: ticket.number), isAnswered,
      call.beginning > pauseBeginning
    {
      nextPause = limits.firstPause
    }
    return turn(now: now)
  }

  /// A call was refused because there are too many: all of them pause.
  ///
  /// - Parameters:
  ///   - retryAfter: How long, if the server says so. Otherwise twice as long as the last time.
  ///   - remaining: How much time the call has left; `nil` without a deadline.
  ///   - caller: Who waits for another try, if the call may have one.
  /// - Returns: Whether it may: not when it has had its tries, nor when its time ends first. Others
  ///   that were refused and whose time ends before a pause that is longer now are told so.
  /// - Complexity: O(calls that were refused and wait).
  mutating func refuse(
    _ ticket: Ticket, retryAfter: Duration?, remaining: Duration?, _ caller: Caller,
    now: Duration
  ) -> (triesAgain: Bool, turn: Turn) {
    guard let call = running.removeValue(forKey: ticket.number) else {
      return (false, turn(now: now))
    }
    if let retryAfter {
      pauseEnd = max(pauseEnd, now + min(max(retryAfter, .zero), limits.longestPause))
      pauseBeginning = now
    } else if call.beginning > pauseBeginning {
      pauseEnd = max(pauseEnd, now + nextPause)
      pauseBeginning = now
      nextPause = min(nextPause * 2, limits.longestPause)
    }
    let late = takeLate()
    let entry = Refused(
      ticket: ticket, refusals: call.refusals + 1, end: remaining.map { now + $0 }, caller: caller)
    let triesAgain = entry.isInTime(at: nextTime) && call.refusals < limits.retries
    if triesAgain {
      let position =
        refused.firstIndex { $0.ticket.number > ticket.number } ?? refused.endIndex
      refused.insert(entry, at: position)
    }
    return (triesAgain, turn(now: now, telling: late))
  }

  /// Takes out the refused calls whose time ends before they could try again.
  private mutating func takeLate() -> [Word] {
    let time = nextTime
    let late = refused.filter { !$0.isInTime(at: time) }
    if !late.isEmpty { refused.removeAll { !$0.isInTime(at: time) } }
    return late.map { ($0.caller, .success(false)) }
  }

  /// A timer has ended.
  mutating func wake(_ number: UInt64, now: Duration) -> Turn {
    if timer?.number == number { timer = nil }
    return turn(now: now)
  }

  // MARK: - Turns

  private var isAnybodyWaiting: Bool { room.count > 0 || !refused.isEmpty }

  /// When the next call may begin, as far as the rate and the pause are concerned.
  private var nextTime: Duration {
    max(pauseEnd, fullTime - limits.interval * (limits.burst - 1))
  }

  /// Lets calls begin as far as the limits allow, and sets the timer for the next.
  private mutating func turn(now: Duration, telling told: [Word] = []) -> Turn {
    var turn = Turn(told: told + grantTurns(now: now))
    setTimer(&turn)
    return turn
  }

  private mutating func grantTurns(now: Duration) -> [Word] {
    var granted: [Word] = []
    while running.count < limits.concurrentCalls, now >= nextTime,
      let (number, refusals, caller) = takeNext()
    {
      fullTime = max(fullTime, now) + limits.interval
      running[number] = Running(beginning: now, refusals: refusals)
      granted.append((caller, .success(true)))
    }
    return granted
  }

  /// Sets the timer for those who wait for a time, and not for the end of another call.
  private mutating func setTimer(_ turn: inout Turn) {
    let isTimeAwaited = isAnybodyWaiting && running.count < limits.concurrentCalls
    let wakeTime = isTimeAwaited ? nextTime : nil
    if wakeTime != timer?.end {
      turn.cancelled = timer?.number
      timer = wakeTime.map { Timer(number: makeNumber(), end: $0) }
      turn.timer = timer.map { ($0.number, $0.end) }
    }
  }

  /// Takes the call whose turn is next: one that was refused, else the first of the next lane.
  private mutating func takeNext() -> (number: UInt64, refusals: Int, caller: Caller)? {
    if !refused.isEmpty {
      let call = refused.removeFirst()
      return (call.ticket.number, call.refusals, call.caller)
    }
    return room.takeNext().map { ($0.number, 0, $0.caller) }
  }

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }
}

/// Calls that wait for their first turn, in lanes: a value without time.
///
/// The lanes have turns one after the other, and within one the calls in the order in which they
/// came. Every operation takes constant time, whatever the number of calls and of lanes.
package struct WaitingRoom: Sendable {
  /// Who waits to make a call: for word whether it may begin. If not, the refusal it had stands.
  package typealias Caller = Waiter<Bool>

  /// The lane whose turn is next stands first, and no lane is empty.
  private var lanes = OrderedEntries<String, OrderedEntries<UInt64, Caller>>()
  /// The lanes by the number of their calls. As that changes by one at a time, the greatest number
  /// is known without a search.
  private var lanesByLength: [Int: OrderedEntries<String, Void>] = [:]
  private var greatestLength = 0

  /// How many calls wait.
  package private(set) var count = 0

  /// Creates a room in which nobody waits.
  package init() {}

  /// A call comes, as the last of its lane.
  package mutating func enter(_ number: UInt64, in lane: String, _ caller: Caller) {
    if lanes[lane] == nil { lanes.append(lane, OrderedEntries()) }
    let length = lanes.change(lane) { calls in
      calls.append(number, caller)
      return calls.count
    }
    if let length { note(length, of: lane, after: length - 1) }
    count += 1
  }

  /// Takes a call out; `nil` when it does not wait.
  @discardableResult
  package mutating func take(_ number: UInt64, in lane: String) -> Caller? {
    let taken = lanes.change(lane) { calls in
      calls.remove(number).map { (caller: $0, length: calls.count) }
    }
    guard let (caller, length) = taken ?? nil else { return nil }
    if length == 0 { lanes.remove(lane) }
    note(length, of: lane, after: length + 1)
    count -= 1
    return caller
  }

  /// Takes the first call of the lane whose turn it is, which has its next turn after all others.
  package mutating func takeNext() -> (number: UInt64, caller: Caller)? {
    guard let lane = lanes.firstKey, let number = lanes[lane]?.firstKey,
      let caller = take(number, in: lane)
    else { return nil }
    lanes.moveToEnd(lane)
    return (number, caller)
  }

  /// Takes the newest call of the longest lane, which makes room for one that has come in `lane`.
  /// Of several such lanes it is that one, so that nobody has to go for a lane that is as long.
  package mutating func takeOneTooMany(afterOneIn lane: String) -> Caller? {
    let isLongest = lanes[lane]?.count == greatestLength
    guard let longest = isLongest ? lane : lanesByLength[greatestLength]?.firstKey,
      let number = lanes[longest]?.lastKey
    else { return nil }
    return take(number, in: longest)
  }

  private mutating func note(_ length: Int, of lane: String, after former: Int) {
    lanesByLength[former]?.remove(lane)
    if lanesByLength[former]?.isEmpty == true { lanesByLength[former] = nil }
    if length > 0 { lanesByLength[length, default: OrderedEntries()].append(lane, ()) }
    if length > greatestLength || lanesByLength[greatestLength] == nil { greatestLength = length }
  }
}
