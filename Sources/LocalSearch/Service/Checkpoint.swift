import AsyncInstantSearch

/// Where long work asks whether it is still wanted.
struct Checkpoint: Sendable {
  /// When the call must have ended.
  var deadline: Deadline?

  /// Throws `CancellationError` when the task was cancelled, and a `SearchError` of code `timedOut`
  /// when the deadline has passed.
  func check() throws {
    try Task.checkCancellation()
    if let deadline, deadline.hasPassed {
      throw SearchError(.timedOut, "the deadline passed before the engine was done")
    }
  }
}
