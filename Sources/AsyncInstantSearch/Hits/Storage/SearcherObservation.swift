/// What a list, or a list of sections, keeps of the searcher that it shows, under its own lock.
///
/// A searcher publishes an answer when its observers have decoded it, so a list shows an answer at
/// that moment. The exception is an answer that was there when the list was connected: the list
/// decodes it in a task of its own and shows it then, even if the searcher is gone by that time.
///
/// Several threads may begin the observation of one link at once: each adds an observer and returns
/// when that is there, and all but the first to ``begin(_:)`` remove theirs. So no thread waits for
/// another.
struct SearcherObservation: Sendable {
  typealias Effect = @Sendable () -> Void

  private struct Decoding: Sendable {
    let generation: UInt64
    /// The key of its task.
    let key: UInt64
  }

  /// Whether a status of the searcher was taken over.
  private(set) var hasStatus = false
  /// Removes the observer.
  private var stop: Effect?
  private var decoding: Decoding?
  private var decodingCount: UInt64 = 0
  private var isSearcherGone = false
  private let tasks: TaskBag<UInt64>

  /// Creates an observation that has not begun.
  ///
  /// - Parameter executor: Runs the decoding. Defaults to the global executor.
  init(executor: (any TaskExecutor)?) {
    tasks = TaskBag(executor: executor)
  }

  /// Whether an observer was added and stays.
  var isBegun: Bool { stop != nil }

  /// Whether the link ends: the searcher is gone, and its answer is shown.
  var isOver: Bool { isSearcherGone && decoding == nil }

  /// Keeps an observer until the end; returns whether it is the first.
  mutating func begin(_ stop: @escaping Effect) -> Bool {
    if isBegun { return false }
    self.stop = stop
    return true
  }

  /// A status was taken over.
  ///
  /// - Parameters:
  ///   - undecoded: The generation of its answer if that is to be shown and not decoded yet.
  ///   - decode: Decodes the answer, in a task.
  /// - Returns: Effects to perform without any lock.
  mutating func statusTaken(
    undecoded: UInt64?, decode: @escaping @concurrent @Sendable () async -> Void
  ) -> [Effect] {
    hasStatus = true
    if undecoded != nil, decoding?.generation == undecoded { return [] }
    var effects: [Effect] = []
    if let key = decoding?.key { effects.append { [tasks] in tasks.cancel(key) } }
    decoding = undecoded.map { generation in
      decodingCount += 1
      let key = decodingCount
      tasks.reserve(key)
      effects.append { [tasks] in tasks.start(key, decode) }
      return Decoding(generation: generation, key: key)
    }
    return effects
  }

  /// An answer was decoded; returns whether it is wanted.
  mutating func decoded(_ generation: UInt64) -> Bool {
    guard decoding?.generation == generation else { return false }
    decoding = nil
    return true
  }

  /// The searcher is gone. The answer that it had is still shown: there will be no newer one.
  mutating func searcherEnded() {
    isSearcherGone = true
  }

  /// Removes the observer and ends the decoding. No lock may be held.
  func end() {
    stop?()
    tasks.cancelAll()
  }
}
