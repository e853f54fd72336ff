import InstantSearchAPI

// The time of a call, and work that must be done also if the call ends before.
extension Cluster {
  /// The time for work that is done after a call has ended, and for a change under a lock.
  static let extraTime = Duration.seconds(30)

  /// Does work that must be done, in the time of the call. If the call ends before, the work is
  /// done again after it, as far as half a minute is enough.
  ///
  /// - Parameters:
  ///   - wait: How long the work waits for something else.
  ///   - work: Has the same effect if it is done twice.
  func finish(
    waiting wait: Duration = .zero,
    _ work: @escaping @concurrent @Sendable (Cluster) async throws -> Void
  ) async {
    do {
      try await work(self)
    } catch {
      var cluster = limited(to: Self.extraTime + wait, outlastsCall: true)
      cluster.attemptTimeout = nil
      let later = cluster
      TaskBag.start { try? await work(later) }
    }
  }

  /// Returns the same cluster with another deadline.
  ///
  /// - Parameter outlastsCall: Whether it may be later than the deadline of the call.
  func limited(to time: Duration, outlastsCall: Bool = false) -> Cluster {
    var cluster = self
    cluster.deadline = Deadline(
      after: outlastsCall ? time : min(time, deadline.remaining), clock: clock)
    return cluster
  }
}
