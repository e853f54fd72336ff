extension SearchClient {
  /// The response to a search for values of a facet.
  func response(
    to values: FacetValuesSearch, in search: WidgetSearch, options: RequestOptions
  ) async -> WidgetResponse {
    let request = WidgetRequest.facetValues(values)
    do throws(SearchError) {
      let page = try await searchFacetValues(FacetRequest(values, in: search), options: options)
      return WidgetResponse(request, .success(.facetValues(page)))
    } catch {
      return WidgetResponse(request, .failure(error))
    }
  }

  /// The responses to what widgets request from the recommendation models, with one call.
  func recommendations(
    _ requests: [WidgetRequest], initial: InitialResultsStore? = nil, options: RequestOptions
  ) async -> [WidgetRequest: WidgetResponse] {
    let requests = requests.compactMap { request -> RecommendationsRequest? in
      if case .recommendations(let request) = request { request } else { nil }
    }
    if requests.isEmpty { return [:] }
    var responses: [WidgetRequest: WidgetResponse] = [:]
    let results = await self.responses(to: requests, initial: initial, options: options)
    for (request, result) in zip(requests, results) {
      let request = WidgetRequest.recommendations(request)
      responses[request] = WidgetResponse(
        request, result.map(WidgetResponse.Content.recommendations))
    }
    return responses
  }
}
