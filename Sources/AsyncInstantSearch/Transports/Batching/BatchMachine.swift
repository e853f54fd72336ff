/// The batches that are being collected and those under way: a value without time, tasks and locks.
struct BatchMachine: Sendable {
  /// A call and who waits for its answer.
  struct Member: Sendable {
    let number: UInt64
    let call: BatchableCall
    let waiter: Waiter<TransportResponse>
  }

  /// A call's place in a batch.
  struct Seat: Sendable, Hashable {
    let batch: UInt64
    let number: UInt64
  }

  /// What is to be done after a call has come.
  enum Action: Sendable, Hashable {
    /// The batch is complete and is to be sent.
    case send(UInt64)
    /// The batch is new and is to be sent when the window has passed.
    case startTimer(UInt64)
  }

  private struct Batch: Sendable {
    /// What the calls of the batch have in common, while more of them may come.
    var openFor: BatchKind?
    /// The calls that are not answered yet.
    var members = OrderedEntries<UInt64, Member>()
    var queryCount = 0
    var timer: Task<Void, Never>?
    var sending: Task<Void, Never>?

    var tasks: [Task<Void, Never>] { [timer, sending].compactMap(\.self) }
  }

  let maximumBatch: Int
  private var batches: [UInt64: Batch] = [:]
  /// The batch that is being collected, for each kind of call.
  private var open: [BatchKind: UInt64] = [:]
  private var nextNumber: UInt64 = 0

  init(maximumBatch: Int) {
    self.maximumBatch = maximumBatch
  }

  /// Whether nothing is being collected or under way.
  var isIdle: Bool { batches.isEmpty && open.isEmpty }

  // MARK: - Collecting

  /// Takes in a call of at most ``maximumBatch`` queries. One that does not fit into the batch that
  /// is being collected completes it, and begins the next.
  mutating func arrive(
    _ call: BatchableCall, _ kind: BatchKind, _ waiter: Waiter<TransportResponse>
  ) -> (seat: Seat, actions: [Action]) {
    var actions: [Action] = []
    if let id = open[kind], let batch = batches[id],
      batch.queryCount + call.queries.count > maximumBatch
    {
      close(id)
      actions.append(.send(id))
    }
    let collecting = open[kind]
    let id = collecting ?? makeNumber()
    if collecting == nil {
      batches[id] = Batch(openFor: kind)
      open[kind] = id
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
    return (Seat(batch: id, number: number), actions)
  }

  /// Notes the timer of a batch; `false` when it is not needed any more.
  mutating func attachTimer(_ task: Task<Void, Never>, to id: UInt64) -> Bool {
    guard batches[id]?.openFor != nil else { return false }
    batches[id]?.timer = task
    return true
  }

  /// The window of a batch has passed; `true` when it is to be sent now.
  mutating func timeIsUp(for id: UInt64) -> Bool {
    guard batches[id]?.openFor != nil else { return false }
    close(id)
    return true
  }

  // MARK: - Sending

  /// Takes the timer of a batch that is about to be sent.
  mutating func takeTimer(of id: UInt64) -> Task<Void, Never>? {
    defer { batches[id]?.timer = nil }
    return batches[id]?.timer
  }

  /// Notes what sends a batch; `false` when it is not needed any more.
  mutating func attachSending(_ task: Task<Void, Never>, to id: UInt64) -> Bool {
    batches[id]?.sending = task
    return batches[id] != nil
  }

  /// The calls of a batch that wait for their answers, in the order in which they came.
  func members(of id: UInt64) -> [Member] {
    batches[id]?.members.values ?? []
  }

  /// Those of some calls that wait for their answers still.
  func waiting(_ members: [Member], of id: UInt64) -> [Member] {
    members.filter { batches[id]?.members[$0.number] != nil }
  }

  /// Takes calls that have been answered out of their batch.
  mutating func end(_ members: [Member], of id: UInt64) {
    for member in members { batches[id]?.members.remove(member.number) }
    if batches[id]?.members.isEmpty == true { batches[id] = nil }
  }

  /// Takes a call that waits no more out of its batch; gives back the batch's tasks when nobody is
  /// left.
  mutating func leave(_ seat: Seat) -> [Task<Void, Never>] {
    guard let member = batches[seat.batch]?.members.remove(seat.number) else { return [] }
    batches[seat.batch]?.queryCount -= member.call.queries.count
    guard batches[seat.batch]?.members.isEmpty == true else { return [] }
    close(seat.batch)
    return batches.removeValue(forKey: seat.batch)?.tasks ?? []
  }

  private mutating func makeNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  private mutating func close(_ id: UInt64) {
    guard let kind = batches[id]?.openFor else { return }
    batches[id]?.openFor = nil
    open[kind] = nil
  }
}
