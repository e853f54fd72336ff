extension [SearchHost] {
  /// Returns Algolia's hosts for an application, in the order in which they are tried while none
  /// has failed.
  ///
  /// Reads begin at the host of the distributed network, writes at the primary host. Both are
  /// followed by the same three hosts of another domain, so that the failure of one DNS provider
  /// does not make all hosts unavailable. Their order is drawn here, once, to spread the load of
  /// many clients.
  static func algolia(
    appID: String, using generator: inout some RandomNumberGenerator
  ) -> [SearchHost] {
    let fallbacks = (1...3).map { SearchHost("\(appID)-\($0).algolianet.com") }
    return [
      SearchHost("\(appID)-dsn.algolia.net", callTypes: [.read]),
      SearchHost("\(appID).algolia.net", callTypes: [.write]),
    ] + fallbacks.shuffled(using: &generator)
  }
}
