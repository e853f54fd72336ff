package import InstantSearchAPI
package import InstantSearchJSON

/// One call that reads: its request, the indices as it sees them, and the check of its work.
struct ReadCall {
  let request: TransportRequest
  let reader: IndexReader
  let cancellation: CancellationCheck

  var configuration: EngineConfiguration { reader.configuration }

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
    case .task(_, let taskID), .appTask(let taskID): try answerTask(taskID)
    case .synonyms(let index, let call): try answerEntries(call, .synonyms, of: index)
    case .rules(let index, let call): try answerEntries(call, .rules, of: index)
    case .dictionaries(let call): try answerDictionaries(call)
    // The engine has no log, and accepts every address.
    case .logs: TransportResponse(json: Array(#"{"logs":[]}"#.utf8))
    case .sources(.list): TransportResponse(json: Array("[]".utf8))
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
  ///
  /// For callers with the right to see them, its settings list no unretrievable attributes.
  func snapshot(of indexName: String) throws(APIError) -> IndexSnapshot {
    let snapshot = try reader.snapshot(of: indexName)
    guard request.rights.seesUnretrievableAttributes else { return snapshot }
    if case .settings = request.endpoint { return snapshot }
    return snapshot.withoutHiddenAttributes()
  }

  /// Returns the snapshot of an index, or `nil` if it does not exist.
  func existingSnapshot(of indexName: String) throws(APIError) -> IndexSnapshot? {
    do {
      return try snapshot(of: indexName)
    } catch {
      guard error == .indexNotFound(indexName) else { throw error }
      return nil
    }
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
    try checkRight(to: query)
    return try ResolvedSearch(
      query, indexName: indexName, settings: snapshot.settings, isPagingLimited: isPagingLimited,
      cancellation)
  }

  /// Rejects an explanation for a caller without the right to read settings.
  func checkRight(to query: SearchQuery) throws(APIError) {
    guard query.explain?.isEmpty ?? true || request.rights.readsSettings else {
      throw APIError(
        status: 403,
        "Method not allowed with this API key: \"explain\" needs the right \"settings\", and"
          + " no limits of records or attributes")
    }
  }

  /// Returns the mistakes of a search, or throws if they are errors.
  ///
  /// They tell which attributes records have, so a caller who may not see all records gets none.
  func mistakes(of search: ResolvedSearch, in snapshot: IndexSnapshot) throws -> Mistakes {
    guard request.rights.seesAllRecords else {
      try configuration.mistakePolicy.checkParameters(search.query)
      return Mistakes()
    }
    return try configuration.mistakePolicy.mistakes(of: search, in: snapshot, cancellation)
  }

  /// Rejects a search because of its mistakes, as ``mistakes(of:in:)`` does.
  func rejectMistakes(of search: ResolvedSearch, in snapshot: IndexSnapshot) throws {
    let policy = configuration.mistakePolicy
    guard request.rights.seesAllRecords else { return try policy.checkParameters(search.query) }
    try policy.rejectMistakes(of: search, in: snapshot, cancellation)
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

extension TransportResponse {
  /// Creates a response with JSON.
  package init(status: Int = 200, json: [UInt8], snapshot: IndexReader? = nil) {
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")],
      body: json, snapshot: snapshot)
  }

  /// Creates a response with a short object as its body.
  package init(status: Int = 200, object write: (inout JSONWriter) throws -> Void) rethrows {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    self.init(status: status, json: writer.bytes)
  }

  /// Creates the response for an error of the caller.
  package init(error: APIError) {
    self.init(
      status: error.status,
      json: TransportResponse.errorBody(
        error.message, status: error.status, position: error.position, objectID: error.objectID))
  }
}
