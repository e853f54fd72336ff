/// A user's action on the hits or the filters of a search.
///
/// A `SearchEvents` in the SDK publishes events, and an `InsightsClient` tracks them.
public struct SearchEvent: Sendable, Hashable {
  /// The action of the user.
  public enum Action: Sendable, Hashable {
    /// The user sees hits.
    ///
    /// - Parameters:
    ///   - objectIDs: The IDs of the records, in the order of their display.
    ///   - queryID: The query that found them, if known.
    case viewedHits(objectIDs: [String], queryID: String?)
    /// The user opens hits.
    ///
    /// - Parameters:
    ///   - objectIDs: The IDs of the records.
    ///   - positions: The rank of each among all hits, counted from 1.
    ///   - queryID: The query that found them.
    case clickedHits(objectIDs: [String], positions: [Int], queryID: String)
    /// The user achieves the purpose of the search with hits, such as a purchase.
    ///
    /// - Parameters:
    ///   - objectIDs: The IDs of the records.
    ///   - queryID: The query that found them.
    case convertedHits(objectIDs: [String], queryID: String)
    /// The user chooses filters.
    case clickedFilters([Filter])
  }

  /// The maximum number of records or filters of one event.
  public static let maximumCount = 20

  /// The action of the user.
  public var action: Action
  /// The event's name.
  public var name: String
  /// The index of the records.
  public var indexName: String

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - action: The action of the user.
  ///   - name: The event's name.
  ///   - indexName: The index of the records.
  public init(_ action: Action, named name: String, in indexName: String) {
    self.action = action
    self.name = name
    self.indexName = indexName
  }

  /// Returns the views of hits, each of at most ``maximumCount`` records.
  public static func views(
    of objectIDs: [String], queryID: String?, named name: String, in indexName: String
  ) -> [SearchEvent] {
    chunks(of: objectIDs).map {
      SearchEvent(.viewedHits(objectIDs: $0, queryID: queryID), named: name, in: indexName)
    }
  }

  /// Returns the choices of filters, each of at most ``maximumCount`` filters.
  public static func choices(
    of filters: [Filter], named name: String, in indexName: String
  ) -> [SearchEvent] {
    chunks(of: filters).map { SearchEvent(.clickedFilters($0), named: name, in: indexName) }
  }

  /// Returns a click on a hit.
  ///
  /// - Throws: `invalidRequest` for a hit without a position or query ID: the search was made
  ///   without `clickAnalytics`, or the hit does not come from a search.
  public static func click<T>(
    on hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> SearchEvent {
    let queryID = try queryID(of: hit, named: name)
    guard let position = hit.searchMetadata.position else {
      throw SearchError(
        .invalidRequest,
        "The event \(name.debugDescription): the hit \(hit.objectID.debugDescription) has no position."
      )
    }
    return SearchEvent(
      .clickedHits(objectIDs: [hit.objectID], positions: [position], queryID: queryID),
      named: name, in: indexName)
  }

  /// Returns a conversion of a hit.
  ///
  /// - Throws: `invalidRequest` for a hit without a query ID.
  public static func conversion<T>(
    of hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> SearchEvent {
    SearchEvent(
      .convertedHits(objectIDs: [hit.objectID], queryID: try queryID(of: hit, named: name)),
      named: name, in: indexName)
  }

  private static func queryID<T>(
    of hit: Hit<T>, named name: String
  ) throws(SearchError) -> String {
    if let queryID = hit.searchMetadata.queryID { return queryID }
    throw SearchError(
      .invalidRequest,
      """
      The event \(name.debugDescription): the hit \(hit.objectID.debugDescription) has no queryID. \
      The search was made without clickAnalytics.
      """)
  }

  private static func chunks<Element>(of elements: [Element]) -> [[Element]] {
    stride(from: 0, to: elements.count, by: maximumCount).map {
      Array(elements[$0..<min($0 + maximumCount, elements.count)])
    }
  }
}
