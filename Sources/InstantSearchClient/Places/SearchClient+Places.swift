import InstantSearchJSON

extension SearchClient {
  /// Searches places.
  ///
  ///     let query = PlacesQuery("pari").with { $0.language = .french }
  ///     let page = try await client.searchPlaces(query)
  ///
  /// The response is one page; its `nbHits` is the number of places on it.
  @concurrent
  public func searchPlaces(
    _ query: PlacesQuery, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Hit<Place>> {
    try await placesResult(of: query, options: options).page(for: query.request.reading())
  }

  /// The place with an ID, in all languages.
  ///
  /// - Throws: `objectNotFound` if the place does not exist.
  @concurrent
  public func place(
    _ objectID: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> Hit<Place> {
    let call = EndpointCall(.place(objectID: objectID))
    let document = try await response(to: call, options: options).document
    do {
      return try JSONValueDecoder(options: decoding.options)
        .decode(Hit<Place>.self, from: document.root)
    } catch {
      let failure = HitFailure(error, of: document.root, position: nil)
      throw CallContext(call).error(.decoding, "The response is not a place: \(failure)")
    }
  }

  /// The places nearest to a point, nearest first.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - language: The language of the response. Defaults to all languages.
  ///   - hitsPerPage: How many places to return, 1 to 20. Defaults to the server's 20.
  ///   - options: The headers, query items and time limits of the call.
  @concurrent
  public func places(
    around point: Point,
    language: Language? = nil,
    hitsPerPage: Int? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Hit<Place>> {
    var query = PlacesQuery()
    query.aroundLatLng = point
    query.language = language
    query.hitsPerPage = hitsPerPage
    var items = [QueryItem(name: "aroundLatLng", value: point.description)]
    if let hitsPerPage { items.append(QueryItem(name: "hitsPerPage", value: "\(hitsPerPage)")) }
    if let language { items.append(QueryItem(name: "language", value: language.rawValue)) }
    var options = options
    options.queryItems = items + options.queryItems
    let call = EndpointCall(.reversePlaces)
    return try await result(of: call, options: options).page(for: query.request.reading())
  }

  /// The result of a search for places.
  package func placesResult(
    of query: PlacesQuery, options: RequestOptions
  ) async throws(SearchError) -> QueryResult {
    var writer = JSONWriter()
    query.searchQuery.write(to: &writer)
    return try await result(of: EndpointCall(.places, body: writer.bytes), options: options)
  }
}

extension SearchRequest<JSON> {
  /// The same request with its hits decoded as places.
  fileprivate func reading() -> SearchRequest<Hit<Place>> { reading(Hit<Place>.self) }
}
