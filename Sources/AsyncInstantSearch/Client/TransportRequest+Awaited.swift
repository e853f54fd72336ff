extension TransportRequest {
  /// Ends a call without a waiting caller: its task is cancelled already, or its deadline has
  /// passed.
  ///
  /// - Throws: `CancellationError`, or ``SearchError`` of code `timedOut`.
  package func checkIsAwaited() throws {
    try Task.checkCancellation()
    if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
  }
}
