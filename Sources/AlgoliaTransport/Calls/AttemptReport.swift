/// What one attempt at one host was, and how it ended: for logs, metrics and traces.
///
/// A call is reported with one report for each host it asked, in order, and those of one call have
/// the same ``requestID``. Nothing in a report is secret.
public struct AttemptReport: Sendable, Hashable {
  /// How an attempt ended.
  public enum Outcome: Sendable, Hashable {
    /// The host answered; the size is that of the body, decompressed, in bytes.
    case answered(status: Int, bodySize: Int)
    /// The host did not answer in the time of the attempt.
    case timedOut
    /// There was no connection, or it was lost.
    case failed(reason: String)
    /// The request cannot be made, at no host.
    case refused(SearchError.Code)
    /// The deadline of the call passed.
    case deadlinePassed
    /// The task of the caller was cancelled.
    case cancelled
  }

  /// The call as method and path, such as `POST /1/indexes/films/query`.
  public var request: String
  /// The ID that all attempts of the call were sent with; `nil` when it was sent without.
  public var requestID: String?
  /// Whether it was a read or a write.
  public var callType: TransportRequest.CallType
  /// The host, with its port where one is set.
  public var host: String
  /// Which attempt of the call it was, from 1.
  public var number: Int
  /// How long the host was given.
  public var timeout: Duration
  /// How long the attempt took, on the transport's clock.
  public var duration: Duration
  /// How it ended.
  public var outcome: Outcome
  /// The `Correlation-ID` of the answer, where there was one.
  public var correlationID: String?
}

extension AttemptReport: CustomStringConvertible {
  /// One line, as for a log:
  /// `POST /1/indexes/films/query at example.com: status 200 (0.02 seconds)`.
  public var description: String { "\(request) at \(host): \(outcome) (\(duration))" }
}

extension AttemptReport.Outcome: CustomStringConvertible {
  /// The outcome in a few words.
  public var description: String {
    switch self {
    case .answered(let status, _): "status \(status)"
    case .timedOut: "timed out"
    case .failed(let reason): reason
    case .refused(let code): "refused, \(code)"
    case .deadlinePassed: "no answer before the deadline"
    case .cancelled: "cancelled"
    }
  }
}

/// What the hosts did during one call, for the error it may end in.
struct AttemptLog: Sendable {
  private let call: PreparedCall
  private var attempts: [SearchError.Attempt] = []
  private var allTimedOut = true
  private var lastStatus: Int?
  private var lastCorrelationID: String?

  /// How many attempts there were.
  var count: Int { attempts.count }

  /// Begins an empty log.
  init(call: PreparedCall) {
    self.call = call
  }

  /// Records an answer that does not end the call.
  mutating func record(_ response: HTTPExchangeResponse, from host: AlgoliaHost) {
    allTimedOut = false
    lastStatus = response.status
    lastCorrelationID =
      response.headers.firstValue(named: "Correlation-ID").map(call.secrets.redacting)
      ?? lastCorrelationID
    add("status \(response.status)", host)
  }

  /// Records that there was no answer.
  mutating func record(_ error: HTTPExchangeError, from host: AlgoliaHost) {
    if !error.isTimeout { allTimedOut = false }
    add(call.secrets.redacting(error.reason), host)
  }

  /// Records the host that was being asked when the deadline passed.
  mutating func recordDeadline(at host: AlgoliaHost) {
    add("no answer before the deadline", host)
  }

  /// The error of a call whose deadline has passed.
  func deadlinePassed() -> SearchError {
    error(.timedOut, "The deadline passed before a host had answered.")
  }

  /// The error of a call that has asked every host.
  func allHostsFailed() -> SearchError {
    if attempts.isEmpty {
      return SearchError(
        .invalidRequest, "No host of the transport takes calls of this type.", request: call.summary
      )
    }
    return allTimedOut
      ? error(.timedOut, "No host answered in time.")
      : error(.unreachable, "No host gave an answer.")
  }

  private mutating func add(_ outcome: String, _ host: AlgoliaHost) {
    attempts.append(SearchError.Attempt(host: host.description, outcome: outcome))
  }

  private func error(_ code: SearchError.Code, _ message: String) -> SearchError {
    SearchError(
      code, message, request: call.summary, status: lastStatus,
      correlationID: lastCorrelationID, attempts: attempts)
  }
}
