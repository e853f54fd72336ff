/// The state machine of ``BatchingTransport``: the batches being collected and those in flight.
struct BatchStateMachine: StateMachine {
  /// A call and the waiter for its response.
  struct Member: Sendable {
    let number: UInt64
    let call: BatchableCall
    let waiter: Waiter<TransportResponse>
  }

  /// Identifies a call of a batch.
  struct MemberID: Sendable, Hashable {
    let batch: UInt64
    let number: UInt64
  }

  /// An action to perform after an event, in order.
  enum Action: Sendable {
    /// Sends a complete batch and cancels its timer.
    case send(UInt64)
    /// Starts the timer of a new batch: the window in which calls can be added to it.
    case startTimer(UInt64)
    /// Cancels the timer and the request of a batch.
    case cancel(UInt64)
    /// Resumes a caller with the outcome of its call.
    case resume(Waiter<TransportResponse>, Result<TransportResponse, any Error>)
  }

  /// Identifies a task by its batch.
  enum TaskKey: Sendable, Hashable {
    case timer(UInt64)
    case sending(UInt64)
  }

  static func startedTask(by action: Action) -> TaskKey? {
    switch action {
    case .send(let id): .sending(id)
    case .startTimer(let id): .timer(id)
    case .cancel, .resume: nil
    }
  }

  private struct Batch: Sendable {
    /// The grouping key of the batch while it is open for more calls; `nil` once it is closed.
    var key: BatchKey?
    /// The calls without a response yet.
    var members = LinkedDictionary<UInt64, Member>()
    var queryCount = 0
  }

  let maximumBatch: Int
  private var batches: [UInt64: Batch] = [:]
  /// The batch that is open for more calls, by grouping key.
  private var open: [BatchKey: UInt64] = [:]
  private var nextNumber: UInt64 = 0

  init(maximumBatch: Int) {
    self.maximumBatch = maximumBatch
  }

  /// Whether no batch is being collected or in flight.
  var isIdle: Bool { batches.isEmpty && open.isEmpty }

  // MARK: - Collecting

  /// A call of at most ``maximumBatch`` queries arrived. If it does not fit into the open batch, it
  /// closes that batch and opens the next one.
  mutating func callArrived(
    _ call: BatchableCall, _ key: BatchKey, _ waiter: Waiter<TransportResponse>
  ) -> (memberID: MemberID, actions: [Action]) {
    var actions: [Action] = []
    if let id = open[key], let batch = batches[id],
      batch.queryCount + call.queries.count > maximumBatch
    {
      close(id)
      actions.append(.send(id))
    }
    let collecting = open[key]
    let id = collecting ?? makeNumber()
    if collecting == nil {
      batches[id] = Batch(key: key)
      open[key] = id
    }
    let number = makeNumber()
    batches[id]?.members[number] = Member(number: number, call: call, waiter: waiter)
    batches[id]?.queryCount += call.queries.count
    if batches[id]?.queryCount == maximumBatch {
      close(id)
      actions.append(.send(id))
    } else if collecting == nil {
      actions.append(.startTimer(id))
    }
    return (MemberID(batch: id, number: number), actions)
  }

  /// The window of a batch has elapsed.
  mutating func windowElapsed(for id: UInt64) -> [Action] {
    guard batches[id]?.key != nil else { return [] }
    close(id)
    return [.send(id)]
  }

  // MARK: - Sending

  /// The calls of a batch that are waiting, in order of arrival.
  func members(of id: UInt64) -> [Member] {
    batches[id]?.members.values ?? []
  }

  /// The calls that are still waiting, in halves. Each half is sent in a separate request if the
  /// server rejects a request because of its content.
  func waitingHalves(of members: [Member], in id: UInt64) -> [[Member]] {
    let waiting = members.filter { batches[id]?.members[$0.number] != nil }
    let half = waiting.count / 2
    return [waiting[..<half], waiting[half...]].filter { !$0.isEmpty }.map(Array.init)
  }

  /// Calls of a batch have their responses or errors, in the order of the calls.
  mutating func callsEnded(
    _ members: [Member], of id: UInt64, with outcomes: [Result<TransportResponse, any Error>]
  ) -> [Action] {
    let ended = zip(members, outcomes).filter { member, _ in
      batches[id]?.members.remove(member.number) != nil
    }
    if batches[id]?.members.isEmpty == true { batches[id] = nil }
    return ended.map { .resume($0.waiter, $1) }
  }

  /// A caller stopped waiting. The last caller to leave cancels the batch.
  mutating func callerLeft(_ memberID: MemberID) -> [Action] {
    guard let member = batches[memberID.batch]?.members.remove(memberID.number) else { return [] }
    batches[memberID.batch]?.queryCount -= member.call.queries.count
    guard batches[memberID.batch]?.members.isEmpty == true else { return [] }
    close(memberID.batch)
    batches[memberID.batch] = nil
    return [.cancel(memberID.batch)]
  }

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  private mutating func close(_ id: UInt64) {
    guard let key = batches[id]?.key else { return }
    batches[id]?.key = nil
    open[key] = nil
  }
}
