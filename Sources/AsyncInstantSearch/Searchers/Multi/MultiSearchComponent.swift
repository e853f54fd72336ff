/// A searcher that takes part in the requests of a ``MultiSearcher``.
protocol MultiSearchComponent: AnyObject, Sendable {
  /// The request as it was last set.
  var componentRequest: ComponentRequest { get }

  /// Changes the request for a search that the multi-searcher performs; returns whether there is one
  /// to be made.
  func prepare(_ change: ComponentChange) -> Bool

  /// The search that a change was prepared for will not be made.
  func endDeferral()

  /// Begins a search that the multi-searcher performs; `nil` when it must not be made, or when the
  /// multi-searcher does not want it any more.
  func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch?

  /// Stops what is under way.
  func cancel()
}

/// A change of the requests of all components.
enum ComponentChange: Sendable {
  case text(String?)
  case indexName(String)
  case filters(String?)

  /// What is changed.
  enum Part: Sendable {
    case text, indexName, filters
  }

  var part: Part {
    switch self {
    case .text: .text
    case .indexName: .indexName
    case .filters: .filters
    }
  }
}

/// The request of a component of a ``MultiSearcher``.
public enum ComponentRequest: Sendable, Hashable {
  /// Of a searcher for hits.
  case hits(SearchRequest<JSON>)
  /// Of a searcher for facet values.
  case facetValues(FacetRequest)
}

/// A component's part in one request.
struct JoinedSearch: Sendable {
  /// Where the answers to a component's queries are.
  typealias Place = (answers: MultiQueryAnswers, position: Int)

  /// Its queries, which stand next to one another in the request.
  let queries: [MultiQuery]
  /// Takes the answers, or the failure of the whole request.
  let end: @Sendable (Result<Place, SearchError>) -> Void
}

extension HitsSearcher: MultiSearchComponent {
  nonisolated var componentRequest: ComponentRequest { .hits(request) }

  nonisolated func prepare(_ change: ComponentChange) -> Bool {
    pipeline.prepare {
      $0.changed { request in
        switch change {
        case .text(let text): request.query.query = text
        case .indexName(let indexName): request.indexName = indexName
        case .filters(let filters): request.query.filters = filters
        }
      }
    }
  }

  nonisolated func endDeferral() { pipeline.endDeferral() }

  nonisolated func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch? {
    guard let (request, context) = pipeline.begin(while: isWanted) else { return nil }
    let queries = facets.queries(for: request)
    return JoinedSearch(queries: queries.all(in: request.indexName)) { [pipeline, facets] place in
      let outcome = place.flatMap { answers, position in
        facets.response(
          to: request, queries: queries, in: answers, at: position, context: context)
      }
      pipeline.end(context.generation, outcome)
    }
  }
}

extension FacetSearcher: MultiSearchComponent {
  nonisolated var componentRequest: ComponentRequest { .facetValues(request) }

  nonisolated func prepare(_ change: ComponentChange) -> Bool {
    pipeline.prepare {
      $0.changed { request in
        switch change {
        case .text(let text): request.facetQuery = text ?? ""
        case .indexName(let indexName): request.indexName = indexName
        case .filters(let filters): request.context.filters = filters
        }
      }
    }
  }

  nonisolated func endDeferral() { pipeline.endDeferral() }

  nonisolated func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch? {
    guard let (request, context) = pipeline.begin(while: isWanted) else { return nil }
    return JoinedSearch(queries: [.facetValues(request)]) { [pipeline] place in
      let outcome = place.flatMap { answers, position in
        Result { () throws(SearchError) in
          try answers.facetValues(at: position, of: request)
        }
      }
      pipeline.end(context.generation, outcome)
    }
  }
}

extension SearchClient {
  /// Makes one request for several components and gives each its answers.
  ///
  /// When it is given up, the components do not wait for a transport that takes no notice; unless
  /// their next search is on its way, which takes the place of this one.
  func perform(
    _ searches: [JoinedSearch], strategy: MultiQueryStrategy, options: RequestOptions,
    context: SearchContext
  ) async -> Result<Void, SearchError> {
    await withTaskCancellationHandler {
      await perform(searches, strategy: strategy, options: options)
    } onCancel: {
      if context.hasSuccessor() { return }
      let error = SearchError(.cancelled, "The search of all components was cancelled.")
      for search in searches { search.end(.failure(error)) }
    }
  }

  private func perform(
    _ searches: [JoinedSearch], strategy: MultiQueryStrategy, options: RequestOptions
  ) async -> Result<Void, SearchError> {
    do throws(SearchError) {
      let answers = try await answers(
        to: searches.flatMap(\.queries), strategy: strategy, options: options)
      var position = 0
      for search in searches {
        search.end(.success((answers, position)))
        position += search.queries.count
      }
      return .success(())
    } catch {
      for search in searches { search.end(.failure(error)) }
      return .failure(error)
    }
  }
}
