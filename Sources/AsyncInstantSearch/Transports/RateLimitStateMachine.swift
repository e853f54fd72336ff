/// Who may call, and when: a value without time, tasks and locks.
///
/// Calls take turns by lane, and within a lane in the order in which they came. Times are those of
/// the transport's clock; all arithmetic is that of `Duration`, in whole units of 10⁻¹⁸ seconds.
struct RateLimitStateMachine: Sendable {
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
  struct CallID: Sendable, Hashable {
    let number: UInt64
    let lane: String
  }

  typealias Caller = FairQueue.Caller

  /// What a caller is told.
  typealias CallerResult = (caller: Caller, result: Result<Bool, any Error>)

  /// What is to be done after an event.
  struct Effects: Sendable {
    /// What callers are told now.
    var results: [CallerResult] = []
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
  private struct RateLimitedCall: Sendable {
    let callID: CallID
    let refusals: Int
    /// When its time ends; `nil` for never.
    let end: Duration?
    let caller: Caller

    func canRetry(at time: Duration) -> Bool { end.map { time < $0 } ?? true }
  }

  private struct Timer: Sendable {
    let number: UInt64
    let end: Duration
  }

  private let limits: Limits
  private var queue = FairQueue()
  /// The calls that were refused and wait to try again, in the order in which they came; there are
  /// never more than were running at once.
  private var refused: [RateLimitedCall] = []
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

  /// How many calls wait for their first effects.
  var waitingCalls: Int { queue.count }

  /// Whether a timer runs, or is about to.
  var hasTimer: Bool { timer != nil }

  // MARK: - Events

  /// A call comes. When it would have to wait and there is no room for it, the newest call of the
  /// longest lane has to go, which may be this one.
  mutating func enqueue(
    in lane: String, _ caller: Caller, now: Duration
  ) -> (callID: CallID, effects: Effects) {
    let callID = CallID(number: makeNumber(), lane: lane)
    queue.enqueue(callID.number, in: lane, caller)
    // Turns that are due make room, and may be the call's own.
    var effects = Effects(results: admitCalls(now: now))
    if queue.count > limits.waitingCalls, let caller = queue.evictNewest(favoring: lane) {
      effects.results.append((caller, .failure(Self.queueFullError)))
    }
    setTimer(&effects)
    return (callID, effects)
  }

  private static let queueFullError = SearchError(
    .rateLimited, "Too many calls wait for their turn already.")

  /// A call waits no more. One that had its turn in that moment gives it back.
  ///
  /// - Complexity: O(1), or O(calls that were refused and wait) for one of them.
  mutating func leave(_ callID: CallID, now: Duration) -> Effects {
    if running.removeValue(forKey: callID.number) != nil {
      fullTime -= limits.interval
    } else if let position = refused.firstIndex(where: { $0.callID == callID }) {
      refused.remove(at: position)
    } else {
      queue.remove(callID.number, in: callID.lane)
    }
    return effects(now: now)
  }

  /// A call has ended with anything but a refusal. Only an answer shows that the service takes
  /// calls again: an error of the network, or a caller who gave up, says nothing of it.
  mutating func end(_ callID: CallID, isAnswered: Bool, now: Duration) -> Effects {
    if let call = running.removeValue(forKey: callID.number), isAnswered,
      call.beginning > pauseBeginning
    {
      nextPause = limits.firstPause
    }
    return effects(now: now)
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
  mutating func rateLimited(
    _ callID: CallID, retryAfter: Duration?, remaining: Duration?, _ caller: Caller,
    now: Duration
  ) -> (willRetry: Bool, effects: Effects) {
    guard let call = running.removeValue(forKey: callID.number) else {
      return (false, effects(now: now))
    }
    if let retryAfter {
      pauseEnd = max(pauseEnd, now + min(max(retryAfter, .zero), limits.longestPause))
      pauseBeginning = now
    } else if call.beginning > pauseBeginning {
      pauseEnd = max(pauseEnd, now + nextPause)
      pauseBeginning = now
      nextPause = min(nextPause * 2, limits.longestPause)
    }
    let expired = removeExpired()
    let entry = RateLimitedCall(
      callID: callID, refusals: call.refusals + 1, end: remaining.map { now + $0 }, caller: caller)
    let willRetry = entry.canRetry(at: nextTime) && call.refusals < limits.retries
    if willRetry {
      let position =
        refused.firstIndex { $0.callID.number > callID.number } ?? refused.endIndex
      refused.insert(entry, at: position)
    }
    return (willRetry, effects(now: now, adding: expired))
  }

  /// Takes out the refused calls whose time ends before they could try again.
  private mutating func removeExpired() -> [CallerResult] {
    let time = nextTime
    let expired = refused.filter { !$0.canRetry(at: time) }
    if !expired.isEmpty { refused.removeAll { !$0.canRetry(at: time) } }
    return expired.map { ($0.caller, .success(false)) }
  }

  /// A timer has ended.
  mutating func timerFired(_ number: UInt64, now: Duration) -> Effects {
    if timer?.number == number { timer = nil }
    return effects(now: now)
  }

  // MARK: - Turns

  private var hasWaiters: Bool { queue.count > 0 || !refused.isEmpty }

  /// When the next call may begin, as far as the rate and the pause are concerned.
  private var nextTime: Duration {
    max(pauseEnd, fullTime - limits.interval * (limits.burst - 1))
  }

  /// Lets calls begin as far as the limits allow, and sets the timer for the next.
  private mutating func effects(now: Duration, adding results: [CallerResult] = []) -> Effects {
    var effects = Effects(results: results + admitCalls(now: now))
    setTimer(&effects)
    return effects
  }

  private mutating func admitCalls(now: Duration) -> [CallerResult] {
    var granted: [CallerResult] = []
    while running.count < limits.concurrentCalls, now >= nextTime,
      let (number, refusals, caller) = dequeue()
    {
      fullTime = max(fullTime, now) + limits.interval
      running[number] = Running(beginning: now, refusals: refusals)
      granted.append((caller, .success(true)))
    }
    return granted
  }

  /// Sets the timer for those who wait for a time, and not for the end of another call.
  private mutating func setTimer(_ effects: inout Effects) {
    let isTimeAwaited = hasWaiters && running.count < limits.concurrentCalls
    let wakeTime = isTimeAwaited ? nextTime : nil
    if wakeTime != timer?.end {
      effects.cancelled = timer?.number
      timer = wakeTime.map { Timer(number: makeNumber(), end: $0) }
      effects.timer = timer.map { ($0.number, $0.end) }
    }
  }

  /// Takes the call whose turn is next: one that was refused, else the first of the next lane.
  private mutating func dequeue() -> (number: UInt64, refusals: Int, caller: Caller)? {
    if !refused.isEmpty {
      let call = refused.removeFirst()
      return (call.callID.number, call.refusals, call.caller)
    }
    return queue.dequeue().map { ($0.number, 0, $0.caller) }
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
package struct FairQueue: Sendable {
  /// Who waits to make a call: for word whether it may begin. If not, the refusal it had stands.
  package typealias Caller = Waiter<Bool>

  /// The lane whose turn is next stands first, and no lane is empty.
  private var lanes = LinkedDictionary<String, LinkedDictionary<UInt64, Caller>>()
  /// The lanes by the number of their calls. As that changes by one at a time, the greatest number
  /// is known without a search.
  private var lanesByLength: [Int: LinkedDictionary<String, Void>] = [:]
  private var greatestLength = 0

  /// How many calls wait.
  package private(set) var count = 0

  /// Creates a room in which nobody waits.
  package init() {}

  /// A call comes, as the last of its lane.
  package mutating func enqueue(_ number: UInt64, in lane: String, _ caller: Caller) {
    if lanes[lane] == nil { lanes.append(lane, LinkedDictionary()) }
    let length = lanes.change(lane) { calls in
      calls.append(number, caller)
      return calls.count
    }
    if let length { recordLength(length, of: lane, after: length - 1) }
    count += 1
  }

  /// Takes a call out; `nil` when it does not wait.
  @discardableResult
  package mutating func remove(_ number: UInt64, in lane: String) -> Caller? {
    let taken = lanes.change(lane) { calls in
      calls.remove(number).map { (caller: $0, length: calls.count) }
    }
    guard let (caller, length) = taken ?? nil else { return nil }
    if length == 0 { lanes.remove(lane) }
    recordLength(length, of: lane, after: length + 1)
    count -= 1
    return caller
  }

  /// Takes the first call of the lane whose turn it is, which has its next turn after all others.
  package mutating func dequeue() -> (number: UInt64, caller: Caller)? {
    guard let lane = lanes.firstKey, let number = lanes[lane]?.firstKey,
      let caller = remove(number, in: lane)
    else { return nil }
    lanes.moveToEnd(lane)
    return (number, caller)
  }

  /// Takes the newest call of the longest lane, which makes room for one that has come in `lane`.
  /// Of several such lanes it is that one, so that nobody has to go for a lane that is as long.
  package mutating func evictNewest(favoring lane: String) -> Caller? {
    let isLongest = lanes[lane]?.count == greatestLength
    guard let longest = isLongest ? lane : lanesByLength[greatestLength]?.firstKey,
      let number = lanes[longest]?.lastKey
    else { return nil }
    return remove(number, in: longest)
  }

  private mutating func recordLength(_ length: Int, of lane: String, after previous: Int) {
    lanesByLength[previous]?.remove(lane)
    if lanesByLength[previous]?.isEmpty == true { lanesByLength[previous] = nil }
    if length > 0 { lanesByLength[length, default: LinkedDictionary()].append(lane, ()) }
    if length > greatestLength || lanesByLength[greatestLength] == nil { greatestLength = length }
  }
}
