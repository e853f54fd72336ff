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
    var cancelled: Task<Void, Never>?
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
    var task: Task<Void, Never>?
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

  /// Notes the task of a timer; `false` when it is not needed any more.
  mutating func attach(_ task: Task<Void, Never>, toTimer number: UInt64) -> Bool {
    guard timer?.number == number else { return false }
    timer?.task = task
    return true
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
      turn.cancelled = timer?.task
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
