import AsyncInstantSearch

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
  func exhausted() -> SearchError {
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
