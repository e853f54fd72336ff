// MARK: - Clicks

extension InsightsEvent {
  /// A click on a hit of a search.
  ///
  /// - Throws: `invalidRequest` for a hit without a position or query ID: the search was made
  ///   without `clickAnalytics`, or the hit does not come from a search.
  public static func clicked<T>(
    _ hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    try clicked([hit], named: name, in: indexName)
  }

  /// Clicks on any number of hits of one search; see `track(_:)`.
  ///
  /// - Throws: `invalidRequest` for a hit without a position or query ID, or with another query ID
  ///   than the first.
  public static func clicked<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    let queryID = try queryID(of: hits, named: name)
    var positions: [Int] = []
    for hit in hits {
      guard let position = hit.searchMetadata.position else {
        throw validationError(name, "the hit \(hit.objectID.debugDescription) has no position.")
      }
      positions.append(position)
    }
    return clicked(
      objectIDs: hits.map(\.objectID), positions: positions, queryID: queryID, named: name,
      in: indexName)
  }

  /// Clicks on records that a search found.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs of the records, one or more.
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

  /// Clicks on one or more records that no search found.
  public static func clicked(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.click, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// Clicks on one or more filters.
  public static func clicked(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.click, .filters(filters), named: name, in: indexName)
  }

  /// Clicks on filters. ``InsightsFilter/init(_:)`` says which filters are supported.
  public static func clicked(
    filters: [some FilterElement], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    clicked(filters: try insightsFilters(filters), named: name, in: indexName)
  }
}

// MARK: - Conversions

extension InsightsEvent {
  /// A conversion of a hit of a search.
  ///
  /// - Throws: `invalidRequest` for a hit without a query ID.
  public static func converted<T>(
    _ hit: Hit<T>, named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    try converted([hit], named: name, in: indexName)
  }

  /// A conversion of 1 to 20 hits of one search.
  ///
  /// - Throws: `invalidRequest` for a hit without a query ID, or with another query ID than the
  ///   first.
  public static func converted<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    converted(
      objectIDs: hits.map(\.objectID), queryID: try queryID(of: hits, named: name), named: name,
      in: indexName)
  }

  /// A conversion of 1 to 20 records that a search found.
  public static func converted(
    objectIDs: [String], queryID: String, named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .conversion, .objects(items(objectIDs, queryID: queryID)), named: name, in: indexName)
  }

  /// A conversion of 1 to 20 records that no search found.
  public static func converted(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.conversion, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// A conversion of 1 to 20 filters.
  public static func converted(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.conversion, .filters(filters), named: name, in: indexName)
  }

  /// A conversion of filters. ``InsightsFilter/init(_:)`` says which filters are supported.
  public static func converted(
    filters: [some FilterElement], named name: String, in indexName: String
  ) throws(SearchError) -> InsightsEvent {
    converted(filters: try insightsFilters(filters), named: name, in: indexName)
  }

  /// An addition of 1 to 20 records to the cart, all found by one search or without a search.
  ///
  /// - Parameters:
  ///   - items: The records, with price and quantity if known.
  ///   - value: The total price of all records.
  ///   - currency: The currency of all amounts, three letters such as `EUR`. The service's
  ///     documentation requires it with a value, a price or a discount.
  ///   - name: The event's name.
  ///   - indexName: The index.
  public static func addedToCart(
    _ items: [InsightsItem], value: InsightsAmount? = nil, currency: String? = nil,
    named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(
      .addToCart, .objects(items), named: name, in: indexName, value: value, currency: currency)
  }

  /// A purchase of 1 to 20 records, each found by a separate search or without a search.
  ///
  /// - Parameters:
  ///   - items: The records, with price and quantity if known.
  ///   - value: The total price of all records.
  ///   - currency: The currency of all amounts, three letters such as `EUR`. The service's
  ///     documentation requires it with a value, a price or a discount.
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
  /// A view of one or more hits. The service does not require their search.
  ///
  /// More than 20 hits, the limit of one event, are sent as several events; see
  /// `track(_:)`.
  public static func viewed<T>(
    _ hits: [Hit<T>], named name: String, in indexName: String
  ) -> InsightsEvent {
    viewed(objectIDs: hits.map(\.objectID), named: name, in: indexName)
  }

  /// A view of one or more records.
  public static func viewed(
    objectIDs: [String], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.view, .objects(items(objectIDs)), named: name, in: indexName)
  }

  /// A view of one or more filters.
  public static func viewed(
    filters: [InsightsFilter], named name: String, in indexName: String
  ) -> InsightsEvent {
    InsightsEvent(.view, .filters(filters), named: name, in: indexName)
  }

  /// A view of filters. ``InsightsFilter/init(_:)`` says which filters are supported.
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

  /// The ID of the search that found all of the hits.
  private static func queryID<T>(
    of hits: [Hit<T>], named name: String
  ) throws(SearchError) -> String {
    guard let first = hits.first else { throw validationError(name, "the event has no hits.") }
    for hit in hits {
      guard let queryID = hit.searchMetadata.queryID else {
        throw validationError(name, hit.lacksQueryID)
      }
      guard queryID == first.searchMetadata.queryID else {
        throw validationError(
          name, "the hits come from different searches; track one event for each search.")
      }
    }
    return first.searchMetadata.queryID ?? ""
  }

  /// The error of an event.
  static func validationError(_ name: String, _ text: String) -> SearchError {
    SearchError(.invalidRequest, "The event \(name.prefix(64).debugDescription): \(text)")
  }
}

extension Hit {
  /// The message for a hit without a query ID.
  var lacksQueryID: String {
    "the hit \(objectID.debugDescription) has no queryID; the search was made without clickAnalytics."
  }
}
