/// The state machine of ``RateLimitingTransport``: decides which call may start when.
///
/// Lanes are served round-robin, and the calls of a lane in order of arrival. A lane whose call was
/// rejected pauses, and the others go on. Times are read from the transport's clock. All arithmetic
/// uses `Duration`, in whole units of 10⁻¹⁸ seconds.
struct RateLimitStateMachine: StateMachine {
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

  /// Identifies a call.
  struct CallID: Sendable, Hashable {
    let number: UInt64
    let lane: String
  }

  typealias Caller = FairQueue.Caller

  /// An action to perform after an event, in order.
  enum Action: Sendable {
    /// Resumes a caller: its call may start (`true`), its rejection is final (`false`), or it
    /// receives an error.
    case resume(Caller, Result<Bool, any Error>)
    /// Cancels a timer.
    case cancelTimer(UInt64)
    /// Starts a timer, which sends `timerFired`.
    case startTimer(UInt64, end: Duration)
  }

  /// Timers are tasks under their numbers.
  static func startedTask(by action: Action) -> UInt64? {
    if case .startTimer(let number, _) = action { number } else { nil }
  }

  private struct Running: Sendable {
    let beginning: Duration
    let refusals: Int
  }

  /// A call that was rejected with status 429 and waits to retry.
  private struct RateLimitedCall: Sendable {
    let callID: CallID
    let refusals: Int
    /// The call's deadline; `nil` for none.
    let end: Duration?
    let caller: Caller

    func canRetry(at time: Duration) -> Bool { end.map { time < $0 } ?? true }
  }

  /// The pause of a lane, after a call of it was rejected.
  private struct Pause: Sendable {
    var end = Duration.zero
    /// The time at which it was requested. Calls that began earlier know nothing newer.
    var beginning = Duration.zero - .seconds(1)
    /// The length of the next pause, if the service does not give it.
    var next: Duration
  }

  private struct Timer: Sendable {
    let number: UInt64
    let end: Duration
  }

  private let limits: Limits
  private var queue = FairQueue()
  /// The rejected calls that wait to retry, in order of arrival. There are never more than were
  /// running at once.
  private var refused: [RateLimitedCall] = []
  private var running: [UInt64: Running] = [:]

  /// The time at which the bucket is full again if there are no more calls.
  private var fullTime = Duration.zero
  /// The pauses of lanes with rejected calls, including past pauses.
  private var pauses: [String: Pause] = [:]
  /// The number of pauses from which past pauses are removed.
  private static let keptPauseCount = 64

  private var timer: Timer?
  private var nextNumber: UInt64 = 0

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// The number of calls that wait to be admitted for the first time.
  var waitingCalls: Int { queue.count }

  /// Whether a timer is running or about to start.
  var hasTimer: Bool { timer != nil }

  // MARK: - Events

  /// Adds a call. If it would have to wait and the queue is full, the newest call of the longest
  /// lane is evicted, which may be this one.
  mutating func callArrived(
    in lane: String, _ caller: Caller, now: Duration
  ) -> (callID: CallID, actions: [Action]) {
    let callID = CallID(number: makeNumber(), lane: lane)
    queue.enqueue(callID.number, in: lane, caller)
    // Admitting the calls that are due frees slots, and may admit this call.
    var actions = admitCalls(now: now)
    if queue.count > limits.waitingCalls, let caller = queue.evictNewest(favoring: lane) {
      actions.append(.resume(caller, .failure(Self.queueFullError)))
    }
    return (callID, actions + setTimer())
  }

  private static let queueFullError = SearchError(
    .rateLimited, "The rate-limit queue is full. Retry later or raise maximumWaitingCalls.")

  /// A caller stopped waiting. A call that was just admitted releases its slot.
  ///
  /// - Complexity: O(1), or O(rejected calls that wait) for one of them.
  mutating func callerLeft(_ callID: CallID, now: Duration) -> [Action] {
    if running.removeValue(forKey: callID.number) != nil {
      fullTime -= limits.interval
    } else if let position = refused.firstIndex(where: { $0.callID == callID }) {
      refused.remove(at: position)
    } else {
      queue.remove(callID.number, in: callID.lane)
    }
    return admitAndSetTimer(now: now)
  }

  /// A call has ended without being rate limited. Only a response shows that the service accepts
  /// calls again: a network error or a cancellation does not.
  mutating func callEnded(_ callID: CallID, isAnswered: Bool, now: Duration) -> [Action] {
    if let call = running.removeValue(forKey: callID.number), isAnswered,
      let pause = pauses[callID.lane], call.beginning > pause.beginning
    {
      pauses[callID.lane]?.next = limits.firstPause
    }
    return admitAndSetTimer(now: now)
  }

  /// A call was rejected with status 429, so the calls of its lane pause.
  ///
  /// - Parameters:
  ///   - retryAfter: The pause that the server requested. Without it, the pause is twice as long as
  ///     the last pause.
  ///   - remaining: The time until the call's deadline; `nil` without a deadline.
  ///   - caller: The waiter for the retry, if there is one.
  /// - Returns: Whether the call will be retried; `false` if the call has no retries left or its
  ///   deadline is before the end of the pause. Other rejected calls whose deadline is before the
  ///   end of a pause that became longer receive their rejection.
  /// - Complexity: O(rejected calls that wait and lanes that pause).
  mutating func callRefused(
    _ callID: CallID, retryAfter: Duration?, remaining: Duration?, _ caller: Caller,
    now: Duration
  ) -> (willRetry: Bool, actions: [Action]) {
    guard let call = running.removeValue(forKey: callID.number) else {
      return (false, admitAndSetTimer(now: now))
    }
    forgetPauses(now: now)
    let lane = callID.lane
    var pause = pauses[lane] ?? Pause(next: limits.firstPause)
    if let retryAfter {
      pause.end = max(pause.end, now + min(max(retryAfter, .zero), limits.longestPause))
      pause.beginning = now
    } else if call.beginning > pause.beginning {
      pause.end = max(pause.end, now + pause.next)
      pause.beginning = now
      pause.next = min(pause.next * 2, limits.longestPause)
    }
    pauses[lane] = pause
    queue.hold(lane)
    let expired = removeExpired()
    let entry = RateLimitedCall(
      callID: callID, refusals: call.refusals + 1, end: remaining.map { now + $0 }, caller: caller)
    let willRetry = entry.canRetry(at: nextTime(of: lane)) && call.refusals < limits.retries
    if willRetry {
      let position =
        refused.firstIndex { $0.callID.number > callID.number } ?? refused.endIndex
      refused.insert(entry, at: position)
    }
    return (willRetry, expired + admitAndSetTimer(now: now))
  }

  /// Removes the rejected calls whose deadline is before the next possible start.
  private mutating func removeExpired() -> [Action] {
    let expired = refused.filter { !$0.canRetry(at: nextTime(of: $0.callID.lane)) }
    if !expired.isEmpty {
      let numbers = Set(expired.map(\.callID.number))
      refused.removeAll { numbers.contains($0.callID.number) }
    }
    return expired.map { .resume($0.caller, .success(false)) }
  }

  /// Forgets pauses that are over and that no running call knows less of, if there are many.
  private mutating func forgetPauses(now: Duration) {
    guard pauses.count >= Self.keptPauseCount else { return }
    let oldest = running.values.map(\.beginning).min() ?? now
    pauses = pauses.filter { $1.end > now || $1.beginning >= oldest }
  }

  /// A timer has fired.
  mutating func timerFired(_ number: UInt64, now: Duration) -> [Action] {
    if timer?.number == number { timer = nil }
    return admitAndSetTimer(now: now)
  }

  // MARK: - Admission

  private var hasWaiters: Bool { queue.count > 0 || !refused.isEmpty }

  /// The earliest start of the next call by the rate alone.
  private var rateTime: Duration { fullTime - limits.interval * (limits.burst - 1) }

  private func pauseEnd(of lane: String) -> Duration { pauses[lane]?.end ?? .zero }

  /// The earliest start of the next call of a lane by the rate and its pause.
  private func nextTime(of lane: String) -> Duration { max(pauseEnd(of: lane), rateTime) }

  /// Admits calls as far as the limits allow, and sets the timer for the next one.
  private mutating func admitAndSetTimer(now: Duration) -> [Action] {
    let admitted = admitCalls(now: now)
    return admitted + setTimer()
  }

  private mutating func admitCalls(now: Duration) -> [Action] {
    for lane in queue.heldLanes where pauseEnd(of: lane) <= now { queue.release(lane) }
    var admitted: [Action] = []
    while running.count < limits.concurrentCalls, now >= rateTime,
      let (number, refusals, caller) = dequeue(now: now)
    {
      fullTime = max(fullTime, now) + limits.interval
      running[number] = Running(beginning: now, refusals: refusals)
      admitted.append(.resume(caller, .success(true)))
    }
    return admitted
  }

  /// Sets the timer for calls that wait for a time rather than for the end of another call.
  private mutating func setTimer() -> [Action] {
    let isTimeAwaited = hasWaiters && running.count < limits.concurrentCalls
    let wakeTime = isTimeAwaited ? max(rateTime, nextPauseEnd) : nil
    if wakeTime == timer?.end { return [] }
    let previous = timer
    timer = wakeTime.map { Timer(number: makeNumber(), end: $0) }
    return [
      previous.map { .cancelTimer($0.number) }, timer.map { .startTimer($0.number, end: $0.end) },
    ].compactMap { $0 }
  }

  /// The first end of a pause that calls wait for; zero if some calls wait for no pause.
  private var nextPauseEnd: Duration {
    if queue.isServing { return .zero }
    let ends = (queue.heldLanes.filter(queue.hasCalls(in:)) + refused.map(\.callID.lane)).map(
      pauseEnd(of:))
    return ends.min() ?? .zero
  }

  /// Removes the next call to admit: a rejected one, otherwise the first of the next lane.
  private mutating func dequeue(
    now: Duration
  ) -> (number: UInt64, refusals: Int, caller: Caller)? {
    if let index = refused.firstIndex(where: { pauseEnd(of: $0.callID.lane) <= now }) {
      let call = refused.remove(at: index)
      return (call.callID.number, call.refusals, call.caller)
    }
    return queue.dequeue().map { ($0.number, 0, $0.caller) }
  }

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }
}

/// Calls that wait to be admitted for the first time, in lanes: a value without a clock.
///
/// Lanes are served round-robin, and the calls of a lane in order of arrival. A lane can be on
/// hold. Every operation takes constant time, regardless of the number of calls and lanes.
package struct FairQueue: Sendable {
  /// The waiter of a call. Its value is whether the call may begin; if not, its last rejection is
  /// its result.
  package typealias Caller = Waiter<Bool>

  /// The lanes in the order in which they are served next. No lane is empty.
  private var lanes = LinkedDictionary<String, LinkedDictionary<UInt64, Caller>>()
  /// The lanes on hold, including lanes without calls.
  private var held: [String: LinkedDictionary<UInt64, Caller>] = [:]
  /// The lanes by their number of calls. Because that number changes by one at a time, the greatest
  /// number is known without a search.
  private var lanesByLength: [Int: LinkedDictionary<String, Void>] = [:]
  private var greatestLength = 0

  /// The number of waiting calls.
  package private(set) var count = 0

  /// Creates an empty queue.
  package init() {}

  /// Appends a call to its lane.
  package mutating func enqueue(_ number: UInt64, in lane: String, _ caller: Caller) {
    if held[lane] == nil, lanes[lane] == nil { lanes.append(lane, LinkedDictionary()) }
    let length = change(lane) { calls in
      calls.append(number, caller)
      return calls.count
    }
    if let length { recordLength(length, of: lane, after: length - 1) }
    count += 1
  }

  /// Removes a call; `nil` if it is not in the queue.
  @discardableResult
  package mutating func remove(_ number: UInt64, in lane: String) -> Caller? {
    let taken = change(lane) { calls in
      calls.remove(number).map { (caller: $0, length: calls.count) }
    }
    guard let (caller, length) = taken ?? nil else { return nil }
    if length == 0, held[lane] == nil { lanes.remove(lane) }
    recordLength(length, of: lane, after: length + 1)
    count -= 1
    return caller
  }

  /// Removes the first call of the lane that is served next, and moves that lane to the end.
  package mutating func dequeue() -> (number: UInt64, caller: Caller)? {
    guard let lane = lanes.firstKey, let number = lanes[lane]?.firstKey,
      let caller = remove(number, in: lane)
    else { return nil }
    lanes.moveToEnd(lane)
    return (number, caller)
  }

  /// Removes the newest call of the longest lane, to free a slot for a call of `lane`. If `lane` is
  /// one of the longest, its own newest call is removed, so that no other lane of the same length
  /// loses a call.
  package mutating func evictNewest(favoring lane: String) -> Caller? {
    let isLongest = calls(of: lane)?.count == greatestLength
    guard let longest = isLongest ? lane : lanesByLength[greatestLength]?.firstKey,
      let number = calls(of: longest)?.lastKey
    else { return nil }
    return remove(number, in: longest)
  }

  /// Puts a lane on hold: its calls wait until it is released.
  package mutating func hold(_ lane: String) {
    if held[lane] == nil { held[lane] = lanes.remove(lane) ?? LinkedDictionary() }
  }

  /// Serves the calls of a lane again, after the calls of the other lanes.
  package mutating func release(_ lane: String) {
    if let calls = held.removeValue(forKey: lane), !calls.isEmpty { lanes.append(lane, calls) }
  }

  /// The lanes on hold.
  package var heldLanes: [String] { Array(held.keys) }

  /// Whether calls wait in lanes that are not on hold.
  package var isServing: Bool { lanes.firstKey != nil }

  /// Whether calls wait in a lane.
  package func hasCalls(in lane: String) -> Bool { calls(of: lane)?.isEmpty == false }

  private func calls(of lane: String) -> LinkedDictionary<UInt64, Caller>? {
    held[lane] ?? lanes[lane]
  }

  private mutating func change<Result>(
    _ lane: String, _ change: (inout LinkedDictionary<UInt64, Caller>) -> Result
  ) -> Result? {
    if held[lane] == nil { return lanes.change(lane, change) }
    return change(&held[lane, default: LinkedDictionary()])
  }

  private mutating func recordLength(_ length: Int, of lane: String, after previous: Int) {
    lanesByLength[previous]?.remove(lane)
    if lanesByLength[previous]?.isEmpty == true { lanesByLength[previous] = nil }
    if length > 0 { lanesByLength[length, default: LinkedDictionary()].append(lane, ()) }
    if length > greatestLength || lanesByLength[greatestLength] == nil { greatestLength = length }
  }
}
