import InstantSearchJSON

extension SearchClient {
  /// Searches the values of a facet, for example the countries that begin with "it".
  ///
  /// - Parameters:
  ///   - facet: the attribute; it must be declared `searchable(…)` in the index's settings.
  ///   - facetQuery: the beginning of the values' words; empty gives the most frequent values.
  ///   - indexName: the index.
  ///   - context: a query, with its filters, to which the counted records must belong.
  ///   - maxFacetHits: how many values to return, 1 to 100; the server's 10 by default.
  ///   - options: what to add to the call.
  @concurrent
  public func searchFacetValues(
    of facet: String,
    matching facetQuery: String = "",
    in indexName: String,
    context: SearchQuery = SearchQuery(),
    maxFacetHits: Int? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> FacetValuesPage {
    var writer = JSONWriter()
    writer.beginObject()
    let parameters = context.urlEncoded
    if !parameters.isEmpty {
      writer.key("params")
      writer.string(parameters)
    }
    if !facetQuery.isEmpty {
      writer.key("facetQuery")
      writer.string(facetQuery)
    }
    if let maxFacetHits {
      writer.key("maxFacetHits")
      writer.int(maxFacetHits)
    }
    writer.endObject()
    let call = EndpointCall(.facetValues(index: indexName, facet: facet), body: writer.bytes)
    let document = try await answer(to: call, options: options).document
    if let error = CallContext(call).error(in: document.root, lacking: "facetHits") { throw error }
    do {
      return try FacetValuesPage(
        node: document.root, options: decoding.options, tags: HighlightedString.Tags(context))
    } catch {
      throw CallContext(call).error(.decoding, "The answer is no list of facet values: \(error)")
    }
  }

  /// Searches the values of a facet.
  @concurrent
  public func searchFacetValues(
    _ request: FacetRequest, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> FacetValuesPage {
    try await searchFacetValues(
      of: request.attribute.rawValue, matching: request.facetQuery, in: request.indexName,
      context: request.sentContext, maxFacetHits: request.maxFacetHits, options: options)
  }
}
