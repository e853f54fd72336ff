/// The outcome of the attempt at one host.
package enum AttemptOutcome: Sendable {
  /// The host responded, with any status.
  case answered(HTTPExchangeResponse)
  /// The host did not respond. Another one may.
  case failed(HTTPExchangeError)
  /// The exchange cannot make this request, so no other host is tried.
  case refused(SearchError)
  /// The deadline of the call passed.
  case deadlinePassed
  /// The surrounding task was cancelled.
  case cancelled

  /// Runs an exchange and creates its outcome.
  init(of exchange: HTTPExchange, answering request: HTTPExchangeRequest) async {
    do {
      self = .answered(try await exchange(request))
    } catch let error as HTTPExchangeError {
      self = .failed(error)
    } catch let error as SearchError {
      self = .refused(error)
    } catch {
      // The error of another library can quote the request with the key, so only its type is kept.
      // A `CancellationError` here means that the exchange gave up by itself; cancellation of the
      // surrounding task is detected elsewhere.
      self = .failed(.network("failed with \(type(of: error))"))
    }
  }

  /// Whether a status ends the call: 2xx is a success, and 4xx would be the same on every host.
  static func isFinal(status: Int) -> Bool {
    (200...299).contains(status) || (400...499).contains(status)
  }

  /// The `Correlation-ID` of the response.
  var correlationID: String? {
    if case .answered(let response) = self {
      response.headers.firstValue(named: "Correlation-ID")
    } else {
      nil
    }
  }

  /// Whether the attempt was ended before a response came.
  var isWithoutResponse: Bool {
    switch self {
    case .deadlinePassed, .cancelled: true
    case .answered, .failed, .refused: false
    }
  }

  /// The observation about the host, or `nil` if the outcome says nothing about it.
  ///
  /// A 4xx concerns the call, a cancelled attempt the caller, a stale connection the connection,
  /// and a lack of descriptors this process.
  var observation: HostStates.Observation? {
    switch self {
    case .answered(let response) where (200...299).contains(response.status): .answered
    case .answered(let response): Self.isFinal(status: response.status) ? nil : .failed
    case .failed(let error):
      error.isStaleConnection || error.isLocal ? nil : error.isTimeout ? .timedOut : .failed
    case .refused, .deadlinePassed, .cancelled: nil
    }
  }
}
