internal import InstantSearchJSON

extension IndexResults {
  /// Merges responses as a searcher does.
  ///
  /// - Parameters:
  ///   - responses: The responses to the queries of the search, in order.
  ///   - search: The search.
  ///   - generation: The number of the search. Defaults to 0.
  /// - Throws: `decoding` if a response is missing or is not one to a search for hits.
  package init(
    merging responses: [JSON], of search: WidgetSearch, generation: UInt64 = 0
  ) throws(SearchError) {
    let index = search.state.indexName
    let search = IndexSearch(
      SearchRequest(index, of: JSON.self),
      rules: .standard, widgets: search)
    let call = EndpointCall(.multiQuery, indexNames: search.multiQueries.map(\.indexName))
    let document: JSONDocument
    do {
      document = try JSONDocument(JSONValueEncoder().encode(JSON.array(responses)))
    } catch {
      throw SearchError(.decoding, "The responses cannot be written as JSON: \(error)")
    }
    let answers = MultiQueryResponses(
      nodes: Array(document.root.elements), options: JSONDecodingOptions(),
      context: CallContext(call))
    self =
      try search.response(in: answers, at: 0, context: .unwatched(generation: generation)).get()
      .results
  }
}
