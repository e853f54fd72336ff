import AsyncInstantSearch

/// How the attempt at one host ended.
enum AttemptOutcome: Sendable {
  /// The host answered, with whatever status.
  case answered(HTTPExchangeResponse)
  /// The host gave no answer; another may.
  case failed(HTTPExchangeError)
  /// The exchange cannot make this request; no other host is asked.
  case refused(SearchError)
  /// The deadline of the call passed.
  case deadlinePassed
  /// The surrounding task was cancelled.
  case cancelled

  /// Runs an exchange to its end.
  init(of exchange: HTTPExchange, answering request: HTTPExchangeRequest) async {
    do {
      self = .answered(try await exchange(request))
    } catch let error as HTTPExchangeError {
      self = .failed(error)
    } catch let error as SearchError {
      self = .refused(error)
    } catch {
      // Another library's error may quote the request, key included: only its type is kept. This
      // holds for `CancellationError` too: that of the surrounding task is noticed elsewhere, so
      // here it is an exchange that gave up by itself.
      self = .failed(.network("failed with \(type(of: error))"))
    }
  }

  /// Whether the call has its answer: 2xx is success, 4xx would be the same on every host.
  static func isFinal(status: Int) -> Bool {
    (200...299).contains(status) || (400...499).contains(status)
  }

  /// The `Correlation-ID` of the answer.
  var correlationID: String? {
    if case .answered(let response) = self {
      response.headers.firstValue(named: "Correlation-ID")
    } else {
      nil
    }
  }

  /// What the outcome says about the host; `nil` when it says nothing.
  ///
  /// A 4xx is about the call, and an attempt that was cut short is about the caller.
  var report: HostStates.Report? {
    switch self {
    case .answered(let response) where (200...299).contains(response.status): .answered
    case .answered(let response): Self.isFinal(status: response.status) ? nil : .failed
    case .failed(let error): error.isTimeout ? .timedOut : .failed
    case .refused, .deadlinePassed, .cancelled: nil
    }
  }
}
