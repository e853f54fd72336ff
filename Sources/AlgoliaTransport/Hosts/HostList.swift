import AsyncInstantSearch

/// The hosts of a transport, in the order in which they are asked while none has failed.
struct HostList: Sendable, CustomStringConvertible {
  /// The hosts, first to last.
  let hosts: [AlgoliaHost]

  /// How many of Algolia's hosts a call may ask.
  static let count = 4

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

  /// The hosts, in order.
  var description: String {
    "[" + hosts.map(\.description).joined(separator: ", ") + "]"
  }
}
