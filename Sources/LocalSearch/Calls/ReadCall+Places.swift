import InstantSearchJSON

extension ReadCall {
  /// Performs `POST /1/places/query`.
  func answerPlaces() throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    return try answer(query(), elapsed) { try $0.run() }
  }

  /// Performs `GET /1/places/reverse`.
  func answerReverseGeocoding() throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    var request = request
    // Credentials and the agent can be among the parameters.
    request.queryItems.removeAll { $0.name.lowercased().hasPrefix("x-algolia-") }
    var reader = ParameterReader(cancellation)
    let query = try reader.query(urlEncoded: request.queryString, of: "queryString")
    return try answer(query, elapsed) { try $0.reverseGeocode() }
  }

  private func answer(
    _ parameters: SearchQuery, _ elapsed: () -> Int,
    by search: (PlacesSearch) throws -> PlacesSearch.Found
  ) throws -> TransportResponse {
    let indexName = configuration.placesIndexName
    let snapshot = try snapshot(of: indexName)
    try snapshot.checkPlaces(indexName, cancellation)
    try checkPlacesParameters(parameters)
    let query: PlacesQuery
    do throws(SearchError) {
      query = try PlacesQuery(parameters)
    } catch {
      throw APIError(error.message)
    }
    let found = try search(
      PlacesSearch(
        query: query, indexName: indexName, snapshot: snapshot, cancellation: cancellation))
    return try TransportResponse { writer in
      try writeHits(found, snapshot, to: &writer)
      writer.key("nbHits")
      writer.int(found.result.hits.count)
      writer.key("processingTimeMS")
      writer.int(elapsed())
      writer.key("query")
      writer.string(query.query ?? "")
      writer.key("params")
      try writer.raw(parameters.paramsText(after: writer.count, cancellation))
      try cancellation.check(responseSize: writer.count)
      writer.key("degradedQuery")
      writer.bool(found.isDegraded)
    }
  }

  /// Writes the places, each in the requested language, if any.
  ///
  /// Unretrievable attributes are removed first, while their paths are unchanged.
  private func writeHits(
    _ found: PlacesSearch.Found, _ snapshot: IndexSnapshot, to writer: inout JSONWriter
  ) throws {
    var hits = try HitWriter(
      search: found.search, plan: found.result.plan, tokenizer: snapshot.tokenizer(cancellation),
      lists: snapshot.lists(cancellation),
      cancellation)
    let visible = try RecordProjection(
      attributes: ["*"], hidden: snapshot.lists(cancellation).hidden, cancellation)
    writer.key("hits")
    writer.beginArray()
    for hit in found.result.hits {
      try cancellation.check()
      var record = snapshot.record(segment: hit.segment, document: hit.document)
      if let language = found.search.placeLanguage {
        let place = try JSONDocument(
          visible.bytes(of: cancellation.stored(record), cancellation)
        ).root
        record = language.projecting(place)[...]
      }
      try hits.write(hit, record: record, to: &writer)
      try cancellation.check(responseSize: writer.count)
    }
    writer.endArray()
  }

  /// Rejects parameters that are unknown to a search for places or have no effect, if configured.
  private func checkPlacesParameters(_ query: SearchQuery) throws(APIError) {
    try configuration.mistakePolicy.checkParameters(query, of: .places)
  }
}
