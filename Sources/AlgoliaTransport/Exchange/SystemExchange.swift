extension AlgoliaTransport.Configuration {
  /// The exchange that a transport is given when it is given no other.
  ///
  /// On Apple platforms it is ``URLSessionExchange/shared``. On Linux it is libcurl, on which
  /// `URLSession` there is made, asked directly, as that can be cancelled safely; where libcurl
  /// cannot be asked, it is `URLSession` there too, on which three kinds of answers end the process
  /// there; see ``URLSessionExchange``.
  public static let systemExchange: HTTPExchange = {
    #if os(Linux)
      if let exchange = CurlExchange.shared { return { try await exchange.send($0) } }
    #endif
    return { try await URLSessionExchange.shared.send($0) }
  }()
}
