public import AsyncInstantSearch

/// Where the service for events keeps what it is sent.
public struct InsightsRegion: Sendable, Hashable, CustomStringConvertible {
  /// The region's name in the host: `de` or `us`.
  public let description: String

  /// Germany.
  public static let de = InsightsRegion(description: "de")
  /// The United States.
  public static let us = InsightsRegion(description: "us")

  private init(description: String) {
    self.description = description
  }

  /// The region of that name.
  ///
  /// - Throws: `invalidRequest`, with the names that there are, for any other.
  public init(named name: String) throws(SearchError) {
    guard let region = [Self.de, .us].first(where: { $0.description == name }) else {
      throw SearchError(
        .invalidRequest, "There is no insights region \(name.debugDescription), but de and us.")
    }
    self = region
  }
}

extension AlgoliaTransport.Configuration {
  /// A configuration for the service that takes events.
  ///
  /// Its hosts are others than those of the search, and its calls carry no `Request-ID`.
  ///
  /// - Parameter region: Where the events are kept; `nil`, the default, lets the service find out
  ///   from where it is asked.
  public static func insights(region: InsightsRegion? = nil) -> Self {
    let name = region.map { "insights.\($0).algolia.io" } ?? "insights.algolia.io"
    return Self(
      hosts: [AlgoliaHost(name)], sendsRequestID: false,
      userAgentSegments: [UserAgentSegment(name: "Insights", version: UserAgent.packageVersion)])
  }
}
