/// Who may call, and when: a value without time, tasks and locks.
///
/// Calls take turns by lane, and within a lane in the order in which they came. Times are those of the
/// transport's clock; all arithmetic is that of `Duration`, in whole units of 10⁻¹⁸ seconds.
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

  /// What is to be done after an event.
  struct Turn: Sendable {
    /// The calls that may begin now.
    var granted: [Waiter<Void>] = []
    /// The timer that is to be started.
    var timer: (number: UInt64, end: Duration)?
    /// The timer that is not needed any more.
    var cancelled: Task<Void, Never>?
  }

  private struct Running: Sendable {
    let beginning: Duration
    let refusals: Int
  }

  private struct Timer: Sendable {
    let number: UInt64
    let end: Duration
    var task: Task<Void, Never>?
  }

  private let limits: Limits
  /// The calls that wait; the lane whose turn is next stands first, and no lane is empty.
  private var lanes = OrderedEntries<String, OrderedEntries<UInt64, Waiter<Void>>>()
  private var waitingCount = 0
  /// The calls that were refused and wait to try again, in the order in which they came; there are
  /// never more than were running at once.
  private var refused: [(ticket: Ticket, refusals: Int, waiter: Waiter<Void>)] = []
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
  var waitingCalls: Int { waitingCount }

  /// Whether a timer runs, or is about to.
  var hasTimer: Bool { timer != nil }

  // MARK: - Events

  /// A call comes; without a ticket when it would have to wait and there is no room for it.
  mutating func arrive(
    in lane: String, _ waiter: Waiter<Void>, now: Duration
  ) -> (ticket: Ticket?, turn: Turn) {
    let ticket = Ticket(number: makeNumber(), lane: lane)
    if lanes.change(lane, { $0.append(ticket.number, waiter) }) == nil {
      var calls = OrderedEntries<UInt64, Waiter<Void>>()
      calls.append(ticket.number, waiter)
      lanes.append(lane, calls)
    }
    waitingCount += 1
    // Turns that are due make room, and may be the call's own.
    let granted = grantTurns(now: now)
    let isTooMany = running[ticket.number] == nil && waitingCount > limits.waitingCalls
    if isTooMany { _ = takeWaiting(ticket.number, in: lane) }
    return (isTooMany ? nil : ticket, setTimer(now: now, after: granted))
  }

  /// A call waits no more. One that had its turn in that moment gives it back.
  ///
  /// - Complexity: O(1), or O(calls that were refused and wait) for one of them.
  mutating func leave(_ ticket: Ticket, now: Duration) -> Turn {
    if running.removeValue(forKey: ticket.number) != nil {
      fullTime -= limits.interval
    } else if let position = refused.firstIndex(where: { $0.ticket == ticket }) {
      refused.remove(at: position)
    } else {
      _ = takeWaiting(ticket.number, in: ticket.lane)
    }
    return turn(now: now)
  }

  /// A call has ended with anything but a refusal. Only an answer shows that the service takes calls
  /// again: an error of the network, or a caller who gave up, says nothing of it.
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
  ///   - waiter: Who waits for another try, if the call may have one.
  /// - Returns: Whether it may: not when it has had its tries, nor when its time ends first.
  /// - Complexity: O(calls that were refused and wait).
  mutating func refuse(
    _ ticket: Ticket, retryAfter: Duration?, remaining: Duration?, _ waiter: Waiter<Void>,
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
    let isInTime = remaining.map { nextTime < now + $0 } ?? true
    let triesAgain = isInTime && call.refusals < limits.retries
    if triesAgain {
      let position =
        refused.firstIndex { $0.ticket.number > ticket.number } ?? refused.endIndex
      refused.insert((ticket, call.refusals + 1, waiter), at: position)
    }
    return (triesAgain, turn(now: now))
  }

  /// A timer has ended.
  mutating func wake(_ number: UInt64, now: Duration) -> Turn {
    if timer?.number == number { timer = nil }
    return turn(now: now)
  }

  /// Notes the task of a timer; `false` when it is not needed any more.
  mutating func attach(_ task: Task<Void, Never>, toTimer number: UInt64) -> Bool {
    guard timer?.number == number else { return false }
    timer?.task = task
    return true
  }

  // MARK: - Turns

  private var isAnybodyWaiting: Bool { waitingCount > 0 || !refused.isEmpty }

  /// When the next call may begin, as far as the rate and the pause are concerned.
  private var nextTime: Duration {
    max(pauseEnd, fullTime - limits.interval * (limits.burst - 1))
  }

  /// Lets calls begin as far as the limits allow, and sets the timer for the next.
  private mutating func turn(now: Duration) -> Turn {
    let granted = grantTurns(now: now)
    return setTimer(now: now, after: granted)
  }

  private mutating func grantTurns(now: Duration) -> [Waiter<Void>] {
    var granted: [Waiter<Void>] = []
    while running.count < limits.concurrentCalls, now >= nextTime,
      let (number, refusals, waiter) = takeNext()
    {
      fullTime = max(fullTime, now) + limits.interval
      running[number] = Running(beginning: now, refusals: refusals)
      granted.append(waiter)
    }
    return granted
  }

  /// Sets the timer for those who wait for a time, and not for the end of another call.
  private mutating func setTimer(now: Duration, after granted: [Waiter<Void>]) -> Turn {
    var turn = Turn(granted: granted)
    let isTimeAwaited = isAnybodyWaiting && running.count < limits.concurrentCalls
    let wakeTime = isTimeAwaited ? nextTime : nil
    if wakeTime != timer?.end {
      turn.cancelled = timer?.task
      timer = wakeTime.map { Timer(number: makeNumber(), end: $0) }
      turn.timer = timer.map { ($0.number, $0.end) }
    }
    return turn
  }

  /// Takes the call whose turn is next: one that was refused, else the first of the next lane.
  private mutating func takeNext() -> (number: UInt64, refusals: Int, waiter: Waiter<Void>)? {
    if !refused.isEmpty {
      let call = refused.removeFirst()
      return (call.ticket.number, call.refusals, call.waiter)
    }
    guard let lane = lanes.firstKey, let number = lanes[lane]?.firstKey,
      let waiter = takeWaiting(number, in: lane)
    else { return nil }
    lanes.moveToEnd(lane)
    return (number, 0, waiter)
  }

  private mutating func takeWaiting(_ number: UInt64, in lane: String) -> Waiter<Void>? {
    guard let waiter = lanes.change(lane, { $0.remove(number) }) ?? nil else { return nil }
    if lanes[lane]?.isEmpty == true { lanes.remove(lane) }
    waitingCount -= 1
    return waiter
  }

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }
}
