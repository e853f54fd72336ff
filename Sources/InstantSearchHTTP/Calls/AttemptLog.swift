/// The attempts of one call, for the error that it may throw.
package struct AttemptLog: Sendable {
  private let call: PreparedCall
  private var attempts: [SearchError.Attempt] = []
  private var allTimedOut = true
  private var statusCount = 0
  private var lastStatus: Int?
  private var lastCorrelationID: String?

  /// The number of attempts.
  package var count: Int { attempts.count }

  /// Creates an empty log.
  package init(call: PreparedCall) {
    self.call = call
  }

  /// Records a response that does not end the call.
  package mutating func record(_ response: HTTPExchangeResponse, from host: SearchHost) {
    allTimedOut = false
    statusCount += 1
    lastStatus = response.status
    lastCorrelationID =
      response.headers.firstValue(named: "Correlation-ID").map(call.secrets.redacting)
      ?? lastCorrelationID
    let body = try? JSON(parsing: call.secrets.redacting(response.body))
    let message = body?["message"]?.stringValue.map { ": \($0.prefix(200))" }
    add("status \(response.status)\(message ?? "")", host)
  }

  /// Records an attempt without a response.
  package mutating func record(_ error: HTTPExchangeError, from host: SearchHost) {
    if !error.isTimeout { allTimedOut = false }
    add(call.secrets.redacting(error.reason), host)
  }

  /// Records the host whose attempt ended with the deadline.
  package mutating func recordDeadline(at host: SearchHost) {
    add("no response before the deadline", host)
  }

  /// The error of a call whose deadline passed.
  package func deadlinePassed() -> SearchError {
    error(.timedOut, "The deadline passed before any host responded.")
  }

  /// The error of a call that has tried every host.
  package func allHostsFailed() -> SearchError {
    if attempts.isEmpty {
      return SearchError(
        .invalidRequest,
        "No configured host accepts \(call.callType == .read ? "read" : "write") calls. Check SearchHost.callTypes.",
        request: call.summary
      )
    }
    return allTimedOut
      ? error(.timedOut, "Every host timed out; see attempts.")
      : error(
        .unreachable,
        statusCount == attempts.count
          ? "Every host responded with an error; see attempts." : "No host responded; see attempts."
      )
  }

  private mutating func add(_ outcome: String, _ host: SearchHost) {
    attempts.append(SearchError.Attempt(host: host.description, outcome: outcome))
  }

  private func error(_ code: SearchError.Code, _ message: String) -> SearchError {
    SearchError(
      code, message, request: call.summary, status: lastStatus,
      correlationID: lastCorrelationID, attempts: attempts)
  }
}
