/// Makes one HTTP exchange: sends a request to the one host it names and gives back the answer.
///
/// This is where another HTTP library is plugged in. It gives back every answer, whatever its
/// status, with the body decompressed, and follows no redirect. When there is no answer it throws:
///
/// - ``HTTPExchangeError``, or any error it does not know how to sort: the next host is asked;
/// - `SearchError`: no other host is asked, and the error reaches the caller as it is.
///
/// The transport waits no longer than ``HTTPExchangeRequest/timeout``, and not at all once the call
/// is cancelled: it then cancels the exchange's task and does not wait for it. An exchange that
/// heeds cancellation saves a connection; one that does not is still correct.
public typealias HTTPExchange =
  @concurrent @Sendable (HTTPExchangeRequest) async throws -> HTTPExchangeResponse
