extension SearchClient {
  /// The response to a widget's own request for values of a facet, or for records of other indices.
  func response(to request: OwnedRequest, options: RequestOptions) async -> WidgetResponse {
    do throws(SearchError) {
      return WidgetResponse(
        request.request, .success(try await content(of: request, options: options)))
    } catch {
      return WidgetResponse(request.request, .failure(error))
    }
  }

  private func content(
    of request: OwnedRequest, options: RequestOptions
  ) async throws(SearchError) -> WidgetResponse.Content {
    switch request.call {
    case .facetValues(let request):
      return .facetValues(try await searchFacetValues(request, options: options))
    case .searches(let requests):
      let plans = requests.map { SearchPlan($0) }
      return .searches(try await responses(to: plans, options: options).answers(to: plans))
    case .recommendations(let request):
      return .recommendations(try await responses(to: [request], options: options)[0].get())
    }
  }

  /// The responses to all widgets' requests to the recommendation models, with one call.
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
