import InstantSearchAPI

/// The progress of a load of records, as a sequence of its newest states.
///
/// Give one to the load, and read it in another task:
///
///     let progress = LoadProgress()
///     async let ids = engine.load(contentsOf: file, into: "films", progress: progress)
///     for await state in progress {
///       bar.show(state.fraction)
///     }
///     try await ids
///
/// Each loop receives the current state first, then newer ones, and ends with the load. A slow loop
/// skips states; the last one is never skipped. One progress belongs to one load.
public final class LoadProgress: Sendable, AsyncSequence {
  /// The states of the load.
  public typealias Element = State
  /// The sequence never fails.
  public typealias Failure = Never

  /// A state of a load.
  public struct State: Sendable, Hashable {
    /// The number of records that were read and indexed.
    public var records = 0
    /// The number of bytes that were read.
    public var bytes = 0
    /// The size of the file or of the bytes; `nil` before the file is open.
    public var total: Int?
    /// Whether searches see the records.
    public var isVisible = false

    /// The part of the work that is done, from 0 to 1. It is 1 only when searches see the records.
    public var fraction: Double {
      if isVisible { return 1 }
      guard let total, total > 0 else { return 0 }
      return Self.readingPart * Swift.min(Double(bytes) / Double(total), 1)
    }

    /// The part of the work before all bytes are read.
    private static let readingPart = 0.75
  }

  /// The number of states of a load of many bytes, and the bytes between two states of a short one.
  private static let (stateCount, minimumStep) = (200, 1 << 16)

  private let hub = StreamHub<State>(
    initial: State(), replaysCurrent: true, areEqual: { $0 == $1 })

  /// Creates a progress before its load.
  public init() {}

  /// The newest state.
  public var state: State { hub.current ?? State() }

  /// Returns the states from the current one on.
  public func makeAsyncIterator() -> AsyncStream<State>.AsyncIterator {
    hub.stream().makeAsyncIterator()
  }

  /// Records that some records were read.
  func update(records: Int, bytes: Int, of total: Int) {
    let last = state
    guard
      last.total == nil || bytes == total
        || bytes - last.bytes >= Swift.max(Self.minimumStep, total / Self.stateCount)
    else { return }
    hub.send(State(records: records, bytes: bytes, total: total))
  }

  /// Records that searches see the records.
  func setVisible() {
    var last = state
    last.isVisible = true
    hub.send(last)
  }

  func finish() { hub.finish() }

  deinit { hub.finish() }
}
