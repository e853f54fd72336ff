/// The default exchange of a transport.
///
/// On Apple platforms this is ``URLSessionExchange/shared``. On Linux it calls libcurl directly,
/// the library beneath `URLSession` there, because that can be cancelled safely. Without libcurl it
/// is `URLSession` on Linux too, where three kinds of responses end the process; see
/// ``URLSessionExchange``.
public enum SystemExchange {
  /// Makes one exchange.
  public static let send: HTTPExchange = {
    #if os(Linux)
      if let exchange = CurlExchange.shared { return { try await exchange.send($0) } }
    #endif
    return { try await URLSessionExchange.shared.send($0) }
  }()
}
