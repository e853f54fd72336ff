import InstantSearchJSON

/// One call that reads: its request, the indices as it sees them, and the check of its work.
struct ReadCall {
  let request: TransportRequest
  let reader: IndexReader
  let cancellation: CancellationCheck

  var configuration: LocalSearch.Configuration { reader.configuration }

  /// Performs the call. Writes are rejected.
  func response() throws -> TransportResponse {
    switch request.endpoint {
    case .multiQuery: try answerQueries()
    case .search(let index): try answerQuery(index)
    case .facetValues(let index, let facet): try answerFacetQuery(index, facet)
    case .browse(let index): try answerBrowse(index)
    case .getObjects: try answerObjects()
    case .getObject(let index, let objectID): try answerObject(index, objectID)
    case .listIndices: try answerList()
    case .settings(let index): try answerSettings(index)
    case .task(_, let taskID): try answerTask(taskID)
    case .places: try answerPlaces()
    case .reversePlaces: try answerReverseGeocoding()
    case .place(let objectID): try answerObject(configuration.placesIndexName, objectID)
    default:
      throw request.endpoint.callType == .write
        ? APIError("Snapshots are read-only. Send writes without a snapshot.")
        : APIError(noCall: request)
    }
  }

  /// Returns the snapshot of an index, or throws if it does not exist.
  func snapshot(of indexName: String) throws(APIError) -> IndexSnapshot {
    try reader.snapshot(of: indexName)
  }

  /// Parses the body.
  func body() throws -> RequestBody { try RequestBody(request.body, cancellation) }

  /// Returns the search parameters in the body.
  func query() throws -> SearchQuery { try RequestBody.query(in: body().root, cancellation) }

  /// Returns the parameters of a query, with the settings of its index.
  func resolved(
    _ query: SearchQuery, _ indexName: String, _ snapshot: IndexSnapshot,
    isPagingLimited: Bool = true
  ) throws -> ResolvedSearch {
    try ResolvedSearch(
      query, indexName: indexName, settings: snapshot.settings, isPagingLimited: isPagingLimited,
      cancellation)
  }

  /// Returns the mistakes of a search, or throws if they are errors.
  func mistakes(of search: ResolvedSearch, in snapshot: IndexSnapshot) throws -> Mistakes {
    try configuration.mistakePolicy.mistakes(of: search, in: snapshot, cancellation)
  }

  /// Creates a response that may be long.
  ///
  /// - Parameter indexNames: The indices of the response's snapshot, or `nil` if it has none.
  func response(
    _ writer: borrowing JSONWriter, indexNames: Set<String>? = nil
  ) throws -> TransportResponse {
    TransportResponse(
      json: try writer.bytes { try cancellation.check() },
      snapshot: indexNames.map { reader.restricted(toIndices: $0) })
  }
}
