/// The progress of a call that writes many records, as a sequence of its newest states.
///
/// Pass it to the call, and read it in another task:
///
///     let progress = IndexingProgress()
///     async let report = client.save(films, in: "films", progress: progress)
///     for await state in progress {
///       bar.show(state.fraction ?? 0)
///     }
///     try await report
///
/// Each loop receives the current state first, then newer ones, and ends with the call. A slow loop
/// skips states, but never the last state. One progress belongs to one call at a time.
public final class IndexingProgress: Sendable, AsyncSequence {
  /// The states of the call.
  public typealias Element = State
  /// The sequence never fails.
  public typealias Failure = Never

  /// The progress of the call.
  public struct State: Sendable, Hashable {
    /// The number of records that the service has accepted.
    public var saved = 0
    /// The number of records that were rejected or could not be encoded.
    public var failed = 0
    /// The size of the accepted records, in bytes of JSON.
    public var bytes = 0
    /// The number of records of the call, if its sequence knows it.
    public var total: Int?

    /// The part of the records that is done, from 0 to 1; `nil` if their number is unknown.
    public var fraction: Double? {
      guard let total else { return nil }
      return total > 0 ? Swift.min(Double(saved + failed) / Double(total), 1) : 1
    }
  }

  private let hub = StreamHub<State>(
    initial: State(), replaysCurrent: true, areEqual: { $0 == $1 })

  /// Creates a progress of nothing.
  public init() {}

  /// The newest state.
  public var state: State { hub.current ?? State() }

  /// Returns the states from the current one on.
  public func makeAsyncIterator() -> AsyncStream<State>.AsyncIterator {
    hub.stream().makeAsyncIterator()
  }

  func update(_ state: State) { hub.send(state) }

  func finish() { hub.finish() }

  deinit { hub.finish() }
}

/// The outcome of a call that writes many records.
public struct IndexingReport: Sendable {
  /// The number of records that the service accepted.
  public internal(set) var saved = 0
  /// Their size, in bytes of JSON.
  public internal(set) var bytes = 0
  /// The IDs of the accepted records in the order of the records, generated ones included. Empty
  /// for an async sequence, whose records may be more than memory holds.
  public internal(set) var objectIDs: [String] = []
  /// The newest task of the call; `nil` if nothing was written.
  public internal(set) var task: IndexTask?

  /// Waits until the records are applied, as ``IndexTask/wait(timeout:)`` does.
  @concurrent
  public func wait(timeout: Duration = .seconds(600)) async throws(SearchError) {
    try await task?.wait(timeout: timeout)
  }
}

extension IndexingReport: CustomStringConvertible {
  /// One line with the numbers and the task, without the IDs, such as
  /// `IndexingReport(saved: 5000, bytes: 61034, task 12 of products)`.
  public var description: String {
    let task = task.map { ", \($0)" } ?? ""
    return "IndexingReport(saved: \(saved), bytes: \(bytes)\(task))"
  }
}
