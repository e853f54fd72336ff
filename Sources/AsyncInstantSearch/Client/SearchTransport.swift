/// The seam between the client and whatever answers it.
///
/// `AlgoliaTransport` answers over HTTPS, `LocalSearch` in process; decorators wrap either. A type
/// of your own needs this one method:
///
/// - It **returns** every answer that was given, also one with an error status: the client turns
///   statuses into ``SearchError`` values.
/// - It **throws** when there was no answer: a ``SearchError`` (it reaches the caller as it is),
///   `CancellationError` when the surrounding task was cancelled, or any other error, which reaches
///   the caller as ``SearchError/Code-swift.struct/transport`` with that error beneath it.
/// - It returns promptly once the surrounding task is cancelled, and once the request's deadline
///   has passed, whatever its back end does.
/// - It may be called any number of times at once.
/// - It may give an answer a ``TransportResponse/snapshot``, if it can still answer from the same
///   data when others have been written.
public protocol SearchTransport: Sendable {
  /// Answers one call.
  func send(_ request: TransportRequest) async throws -> TransportResponse
}
