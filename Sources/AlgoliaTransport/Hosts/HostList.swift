import AsyncInstantSearch

/// The hosts of a transport, in the order in which a call asks them.
struct HostList: Sendable, CustomStringConvertible {
  private let hosts: [AlgoliaHost]

  /// Takes hosts as they are given, in their order.
  init(custom hosts: [AlgoliaHost]) {
    self.hosts = hosts
  }

  /// Makes Algolia's list for an application.
  ///
  /// Reads begin at the host of the distributed network, writes at the primary host. Behind either
  /// stand the same three of another domain, so that one failing DNS provider does not take all
  /// hosts away; their order is drawn here, once, to spread the load of many clients.
  init(appID: String, using generator: inout some RandomNumberGenerator) {
    let fallbacks = (1...3).map { AlgoliaHost("\(appID)-\($0).algolianet.com") }
    hosts =
      [
        AlgoliaHost("\(appID)-dsn.algolia.net", callTypes: [.read]),
        AlgoliaHost("\(appID).algolia.net", callTypes: [.write]),
      ] + fallbacks.shuffled(using: &generator)
  }

  /// The hosts that one call may ask, first to last.
  func candidates(for callType: TransportRequest.CallType) -> [AlgoliaHost] {
    hosts.filter { $0.callTypes.contains(callType) }
  }

  /// The hosts, in order.
  var description: String {
    "[" + hosts.map(\.description).joined(separator: ", ") + "]"
  }
}
