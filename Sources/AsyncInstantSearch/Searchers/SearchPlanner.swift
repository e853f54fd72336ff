import InstantSearchJSON

/// Makes the queries of a searcher's searches. It retains neither the searcher nor the widgets'
/// interactors.
final class SearchPlanner: Sendable {
  /// The initial index of the searcher.
  let indexName: String
  /// The needs of the searcher itself.
  let needs: SearchNeeds
  /// How long a text must stay unchanged before it is searched.
  let debounce: Duration
  private let widgets = Lock<(any PlanningWidgets)?>(nil)
  /// The results that the first search uses.
  let initial = InitialResultsStore()

  init(indexName: String, needs: SearchNeeds, debounce: Duration) {
    self.indexName = indexName
    self.needs = needs
    self.debounce = debounce
  }

  /// The queries of a request, including the needs of the connected widgets.
  func plan(for request: SearchRequest<JSON>) -> SearchPlan {
    widgets.withLock { $0 }?.plan(for: request) ?? SearchPlan(request, needs: needs)
  }

  /// The widgets of the searcher, which are created for the first of them.
  func widgets<Widgets: PlanningWidgets>(_ make: () -> Widgets) -> Widgets {
    widgets.withLock { widgets in
      if let widgets = widgets as? Widgets { return widgets }
      let newest = make()
      widgets = newest
      return newest
    }
  }

  /// The searcher was released.
  func close() { widgets.withLock { $0 }?.close() }
}

/// The widgets of a searcher, which need other queries than the request alone.
protocol PlanningWidgets: AnyObject, Sendable {
  /// The queries of a request and of nested indices.
  func plan(for request: SearchRequest<JSON>) -> SearchPlan
  /// The searcher was released.
  func close()
}

/// Results that the first search of a searcher uses, and its first call for recommendations.
final class InitialResultsStore: Sendable {
  private let initial = Lock<InitialResults?>(nil)
  private let recommendations = Lock<InitialResults?>(nil)

  func set(_ results: InitialResults) {
    initial.withLock { $0 = results }
    recommendations.withLock { $0 = results }
  }

  /// Returns the responses to the queries of a search, if there are any. They are removed.
  func take(for plan: SearchPlan, options: JSONDecodingOptions) -> MultiQueryResponses? {
    let results = initial.withLock { $0.take() }
    return results?.responses(to: plan.multiQueries, options: options)
  }

  /// Returns the responses to requests for recommendations, if there are any. They are removed.
  func take(for queries: [RecommendQuery], options: JSONDecodingOptions) -> MultiQueryResponses? {
    let results = recommendations.withLock { $0.take() }
    return results?.responses(to: queries, options: options)
  }
}
