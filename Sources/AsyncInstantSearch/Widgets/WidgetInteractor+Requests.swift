// The widget's own requests, beside the searches.

extension WidgetInteractor {
  /// Starts the widget's own request, in place of the previous one.
  func stage(
    _ request: WidgetRequest?, in state: inout State, _ searcher: HitsSearcher?,
    sendsRecommendations: Bool
  ) -> [Effect] {
    // A widget without a searcher keeps its newest response.
    let request = searcher == nil ? nil : request
    if request == state.request { return [] }
    let previous = state.requestID
    state.request = request
    state.requestID += 1
    state.waiting = nil
    guard let request, let searcher else {
      if state.inputs.response != nil, searcher != nil {
        state.inputs.response = nil
        state.revision += 1
      }
      return [{ [tasks] in tasks.cancel(previous) }]
    }
    switch request {
    case .recommendations(let waiting):
      state.waiting = waiting
      return sendsRecommendations ? [{ searcher.sendRecommendations() }] : []
    case .facetValues(let values):
      let id = state.requestID
      tasks.reserve(id)
      return [
        { [tasks, weak self] in
          tasks.cancel(previous)
          tasks.start(id) { [load = searcher.loading(values)] in
            let result = await load().map(WidgetResponse.Content.facetValues)
            self?.received(WidgetResponse(request, result), id)
          }
        }
      ]
    }
  }

  /// Returns what the widget requests from the recommendation models and is not requested yet.
  func takeRecommendations(on link: Connection) -> RecommendationCalls.Waiting? {
    // A status of the searcher may be stored that is not displayed yet.
    refresh(sendsRecommendations: false)
    let waiting = state.withLock { state -> (RecommendationsRequest, id: UInt64)? in
      guard state.link.connection === link, let request = state.waiting.take() else { return nil }
      return (request, state.requestID)
    }
    return waiting.map { request, id in
      RecommendationCalls.Waiting(request: request) { [weak self] result in
        self?.received(
          WidgetResponse(
            .recommendations(request), result.map(WidgetResponse.Content.recommendations)), id)
      }
    }
  }

  /// Stores the response to the widget's own request, if that is still the newest.
  private func received(_ response: WidgetResponse, _ id: UInt64) {
    let (isWanted, previous) = state.withLock { state -> (Bool, WidgetResponse?) in
      guard state.requestID == id, state.request == response.request else { return (false, nil) }
      let previous = state.inputs.response
      state.inputs.response = response
      state.revision += 1
      return (true, previous)
    }
    withExtendedLifetime(previous) {}
    if isWanted { refresh() }
  }
}

extension HitsSearcher {
  /// Returns what searches values of a facet, for the current state.
  nonisolated func loading(
    _ values: FacetValuesSearch
  ) -> @concurrent @Sendable () async -> Result<FacetValuesPage, SearchError> {
    let (client, options) = (client, requestOptions)
    let search = widgets.search(for: request)
    return {
      guard let search else { return .failure(SearchError(.cancelled, "Not connected.")) }
      do throws(SearchError) {
        return .success(
          try await client.searchFacetValues(FacetRequest(values, in: search), options: options))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Sends all recommendations that widgets request and that are not requested yet, in one call.
  nonisolated func sendRecommendations() {
    widgets.sendRecommendations(
      with: client, options: requestOptions, initial: initialResults)
  }
}
