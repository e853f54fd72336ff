import InstantSearchAPI
import InstantSearchJSON

extension SearchTransport {
  /// Returns the page of hits of a query.
  func page(
    of query: SearchQuery, in indexName: String
  ) async throws(SearchError) -> HitsPage<JSON> {
    let call: EndpointCall
    do {
      call = EndpointCall(
        .search(index: indexName), body: Array(try JSON(encoding: query).text.utf8))
    } catch {
      throw SearchError(.invalidRequest, "The parameters cannot be written: \(error)")
    }
    let response = try await call.response(
      over: self, clock: ContinuousClock(), executor: nil, options: RequestOptions())
    guard (200..<300).contains(response.status) else {
      throw CallContext(call).error(from: response)
    }
    do {
      return try JSON(parsing: response.body).decode(HitsPage<JSON>.self)
    } catch {
      throw CallContext(call).error(
        .decoding, "The response has no page of hits: \(error)", status: response.status)
    }
  }
}
