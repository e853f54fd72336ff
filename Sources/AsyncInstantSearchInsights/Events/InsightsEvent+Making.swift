// MARK: - Clicks

extension InsightsEvent {
  /// A hit of a search was clicked.
  ///
  /// - Throws: `invalidRequest` when the hit has no position or no query ID: the search was made
  ///   without `clickAnalytics`, or the hit did not come from a search.
  public static func clicked<T>(
    _ hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    try clicked([hit], named: name, in: indexName)
  }

  /// Hits of one search were clicked, any number of them; see ``InsightsClient/track(_:)``.
  ///
  /// - Throws: `invalidRequest` when a hit has no position or no query ID, or another than the
  ///   first.
  public static func clicked<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    let queryID = try queryID(of: hits, named: name)
    var positions: [Int] = []
    for hit in hits {
      guard let position = hit.searchMetadata.position else {
        throw problem(name, "the hit \(hit.objectID.debugDescription) has no position.")
      }
      positions.append(position)
    }
    return clicked(
      objectIDs: hits.map(\.objectID), positions: positions, queryID: queryID, named: name,
      in: indexName)
  }

  /// Records that a search had found were clicked.
  ///
  /// - Parameters:
  ///   - objectIDs: The records, one or more.
  ///   - positions: The rank of each among all hits, counted from 1.
  ///   - queryID: The ID of the search.
  ///   - name: The event's name.
  ///   - indexName: The index.
  public static func clicked(
    objectIDs: [String], positions: [Int], queryID: String, named name: String,
    in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .click, .clickedHits(objectIDs: objectIDs, positions: positions, queryID: queryID),
      named: name, in: indexName)
  }

  /// Records were clicked that no search had found, one or more.
  public static func clicked(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.click, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// Filters were clicked, one or more.
  public static func clicked(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.click, .filters(filters), named: name, in: indexName)
  }

  /// Filters were clicked; see ``InsightsFilter/init(_:)`` for which can be said.
  public static func clicked(
    filters: [some FilterElement], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    clicked(filters: try insightsFilters(filters), named: name, in: indexName)
  }
}

// MARK: - Conversions

extension InsightsEvent {
  /// A hit of a search led to what the index is for.
  ///
  /// - Throws: `invalidRequest` when the hit has no query ID.
  public static func converted<T>(
    _ hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    try converted([hit], named: name, in: indexName)
  }

  /// Hits of one search led to what the index is for, 1 to 20 of them.
  ///
  /// - Throws: `invalidRequest` when a hit has no query ID, or another than the first.
  public static func converted<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    converted(
      objectIDs: hits.map(\.objectID), queryID: try queryID(of: hits, named: name), named: name,
      in: indexName)
  }

  /// Records that a search had found led to what the index is for, 1 to 20 of them.
  public static func converted(
    objectIDs: [String], queryID: String, named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .conversion, .objects(items(objectIDs, queryID: queryID)), named: name, in: indexName)
  }

  /// Records led to what the index is for that no search had found, 1 to 20 of them.
  public static func converted(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.conversion, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// Filters led to what the index is for, 1 to 20 of them.
  public static func converted(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.conversion, .filters(filters), named: name, in: indexName)
  }

  /// Filters led to what the index is for; see ``InsightsFilter/init(_:)`` for which can be said.
  public static func converted(
    filters: [some FilterElement], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    converted(filters: try insightsFilters(filters), named: name, in: indexName)
  }

  /// Records were put into the cart, 1 to 20 of them, all found by one search or none by any.
  ///
  /// - Parameters:
  ///   - items: The records, with what is known of price and quantity.
  ///   - value: What all of them cost together.
  ///   - currency: The currency of all amounts, three letters such as `EUR`. The service's
  ///     documentation of events asks for it with a value, a price or a discount.
  ///   - name: The event's name.
  ///   - indexName: The index.
  public static func addedToCart(
    _ items: [InsightsItem], value: InsightsAmount? = nil, currency: String? = nil,
    named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .addToCart, .objects(items), named: name, in: indexName, value: value, currency: currency)
  }

  /// Records were bought, 1 to 20 of them; each may have been found by a search of its own.
  ///
  /// - Parameters:
  ///   - items: The records, with what is known of price and quantity.
  ///   - value: What all of them cost together.
  ///   - currency: The currency of all amounts, three letters such as `EUR`. The service's
  ///     documentation of events asks for it with a value, a price or a discount.
  ///   - name: The event's name.
  ///   - indexName: The index.
  public static func purchased(
    _ items: [InsightsItem], value: InsightsAmount? = nil, currency: String? = nil,
    named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .purchase, .objects(items), named: name, in: indexName, value: value, currency: currency)
  }
}

// MARK: - Views

extension InsightsEvent {
  /// Hits were seen, one or more; the service does not ask by which search.
  ///
  /// More than the 20 that one event may have are sent as several; see
  /// ``InsightsClient/track(_:)``.
  public static func viewed<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) -> InsightsEvent {
    viewed(objectIDs: hits.map(\.objectID), named: name, in: indexName)
  }

  /// Records were seen, one or more.
  public static func viewed(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.view, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// Filters were seen, one or more.
  public static func viewed(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.view, .filters(filters), named: name, in: indexName)
  }

  /// Filters were seen; see ``InsightsFilter/init(_:)`` for which can be said.
  public static func viewed(
    filters: [some FilterElement], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    viewed(filters: try insightsFilters(filters), named: name, in: indexName)
  }
}

// MARK: - Parts

extension InsightsEvent {
  private static func items(_ objectIDs: [String], queryID: String? = nil) -> [InsightsItem] {
    objectIDs.map { InsightsItem($0, queryID: queryID) }
  }

  private static func insightsFilters(
    _ filters: [some FilterElement]
  ) throws(SearchError) -> [InsightsFilter] {
    var all: [InsightsFilter] = []
    for filter in filters { all.append(try InsightsFilter(filter.filter)) }
    return all
  }

  /// The ID of the search that found all of the hits; of no hits, none.
  private static func queryID<T>(
    of hits: [Hit<T>], named name: String
  ) throws(SearchError) -> String {
    guard let first = hits.first else { throw problem(name, "it has no hits.") }
    for hit in hits {
      guard let queryID = hit.searchMetadata.queryID else { throw problem(name, hit.lacksQueryID) }
      guard queryID == first.searchMetadata.queryID else {
        throw problem(name, "its hits come from different searches; track one event for each.")
      }
    }
    return first.searchMetadata.queryID ?? ""
  }

  /// The error of an event.
  static func problem(_ name: String, _ text: String) -> SearchError {
    SearchError(.invalidRequest, "The event \(name.prefix(64).debugDescription): \(text)")
  }
}

extension Hit {
  /// What is said of a hit that does not know its search.
  var lacksQueryID: String {
    "the hit \(objectID.debugDescription) has no queryID; the search was made without clickAnalytics."
  }
}
