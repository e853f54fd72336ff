/// A report on one attempt at one host, for logs, metrics and traces.
///
/// A call produces one report for each host that it tried, in order. The reports of a call share
/// their ``requestID``. A report contains no secrets.
public struct AttemptReport: Sendable, Hashable {
  /// The outcome of an attempt.
  public enum Outcome: Sendable, Hashable {
    /// The host responded. The size refers to the decompressed body, in bytes.
    case answered(status: Int, bodySize: Int)
    /// The host did not respond within the timeout of the attempt.
    case timedOut
    /// The connection could not be made, or was lost.
    case failed(reason: String)
    /// The exchange cannot make the request at any host.
    case refused(SearchError.Code)
    /// The deadline of the call passed.
    case deadlinePassed
    /// The task of the caller was cancelled.
    case cancelled
  }

  /// The method and path of the call, such as `POST /1/indexes/films/query`.
  public var request: String
  /// The request ID that all attempts of the call carry, if any.
  public var requestID: String?
  /// Whether the call was a read or a write.
  public var callType: Endpoint.CallType
  /// The host, with its port if one is set.
  public var host: String
  /// The number of the attempt within its call, counted from 1.
  public var number: Int
  /// The timeout of the attempt.
  public var timeout: Duration
  /// The duration of the attempt, on the transport's clock.
  public var duration: Duration
  /// The outcome.
  public var outcome: Outcome
  /// The `Correlation-ID` of the response, if any.
  public var correlationID: String?
}

extension AttemptReport: CustomStringConvertible {
  /// One line for a log:
  /// `POST /1/indexes/films/query at example.com: status 200 (0.02 seconds)`.
  public var description: String { "\(request) at \(host): \(outcome) (\(duration))".onOneLine }
}

extension AttemptReport.Outcome: CustomStringConvertible {
  /// A short description of the outcome.
  public var description: String {
    switch self {
    case .answered(let status, _): "status \(status)"
    case .timedOut: "timed out"
    case .failed(let reason): reason
    case .refused(let code): "refused, \(code)"
    case .deadlinePassed: "no response before the deadline"
    case .cancelled: "cancelled"
    }
  }
}
