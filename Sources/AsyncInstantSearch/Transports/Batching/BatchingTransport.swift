/// Makes one request of searches that are made at about the same time.
///
/// ```swift
/// let transport = BatchingTransport(wrapping: network)
/// ```
///
/// A server that answers many callers makes far fewer requests with it; each search waits for at
/// most the window.
///
/// ## Behavior
///
/// - Searches of one index, and multi-queries that are to be answered in full, are collected until
///   the window has passed since the first of them, or until there are as many queries as a request
///   may have. A multi-query is never divided; one with more queries than that goes alone.
/// - Collected together are calls with equal headers, query items and
///   ``TransportRequest/attemptTimeout``, which the request has as well. Headers of traces do not
///   count; the request has those of its first call.
/// - Everything else is passed on as it is, at once: other calls, those with a
///   ``TransportRequest/snapshot``, those to which the caller gave an ID of its own, and those
///   whose body is not what the contract says.
/// - Each caller receives the answer to its own call, in the form of that call, with the headers,
///   the snapshot and the origin of the common answer. A call that stays alone is sent as it came.
/// - Each caller has its own cancellation and its own deadline, and goes at once. One that goes
///   before the batch is sent is not in it; a batch that all have left is not sent, or is
///   cancelled. The common request itself has no deadline.
/// - A server refuses the whole of a request in which one query is wrong. So what is refused with a
///   status of 4xx is sent again by halves, down to single calls, which are sent as they came: one
///   wrong query among 50 takes some 12 requests, and the others have their answers. Not so 401,
///   402, 405, 407, 408, 425 and 429, which are no matter of one call: they, statuses of 5xx and
///   thrown errors go to every caller.
/// - A status of 403 may be about the key, which all calls of a batch have in common. To tell, the
///   first call is sent alone, and if it is refused in the same words, one about another index.
///   When both are, so are all: a key that is no longer valid costs 3 requests, whatever the number
///   of calls. So does a firewall whose answers have no message, all of which count as the same
///   words. Words that speak of an index are those of the calls about that index only, and are not
///   asked for again for each of them: a key that may use none of many indices costs up to 2
///   requests for each. What is left is sent again by halves.
/// - When a common answer has not one result for each query, every caller receives an error of code
///   `decoding`, as it would for such an answer of its own.
///
/// No value is decoded to be encoded again: bodies are joined, and answers divided, as bytes.
public final class BatchingTransport: SearchTransport {
  /// How many queries the service takes in one request.
  public static let serviceLimit = 50

  private let base: any SearchTransport
  private let maximumBatch: Int
  private let storage: BatchStorage

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: Answers the requests.
  ///   - window: How long a search waits for others; 2 milliseconds by default.
  ///   - maximumBatch: How many queries one request has at most, from 1 to the ``serviceLimit``,
  ///     which is the default.
  ///   - clock: Measures the window; a continuous clock by default.
  ///   - executor: Sends the batches; the global one by default.
  public init(
    wrapping base: some SearchTransport,
    window: Duration = .milliseconds(2),
    maximumBatch: Int = BatchingTransport.serviceLimit,
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil
  ) {
    self.base = base
    self.maximumBatch = min(max(1, maximumBatch), Self.serviceLimit)
    storage = BatchStorage(
      base: base, machine: BatchMachine(maximumBatch: self.maximumBatch),
      window: Deadline.bounded(window), clock: ErasedClock(clock), executor: executor)
  }

  /// Whether nothing is being collected or under way.
  package var isIdle: Bool { storage.isIdle }

  /// Answers a call; see ``BatchingTransport``.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled; ``SearchError`` of code
  ///   `timedOut` at once when the deadline passes; what the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkIsAwaited()
    guard let call = BatchableCall(request), call.queries.count <= maximumBatch else {
      return try await base.send(request)
    }
    return try await storage.answer(call)
  }
}

extension BatchingTransport: CustomStringConvertible, CustomReflectable {
  /// The name and the limit of a request.
  public var description: String { "BatchingTransport(at most \(maximumBatch) queries)" }

  /// A mirror of what the description shows; calls and their keys are not in it.
  public var customMirror: Mirror { Mirror(self, children: ["maximumBatch": maximumBatch]) }
}
