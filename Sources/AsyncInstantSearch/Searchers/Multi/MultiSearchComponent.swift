/// A searcher that takes part in the requests of a ``MultiSearcher``.
protocol MultiSearchComponent: AnyObject, Sendable {
  /// The request as it was last set.
  var componentRequest: ComponentRequest { get }

  /// Changes the request for a search that the multi-searcher performs.
  func prepareText(_ text: String?)
  func prepareIndexName(_ indexName: String)
  func prepareFilters(_ filters: String?)

  /// The search that a change was prepared for will not be made.
  func endDeferral()

  /// Begins a search that the multi-searcher performs; `nil` when it must not be made, or when the
  /// multi-searcher does not want it any more.
  func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch?

  /// Stops what is under way.
  func cancel()
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

  nonisolated func prepareText(_ text: String?) { prepare { $0.query.query = text } }
  nonisolated func prepareIndexName(_ indexName: String) { prepare { $0.indexName = indexName } }
  nonisolated func prepareFilters(_ filters: String?) { prepare { $0.query.filters = filters } }

  private nonisolated func prepare(_ change: (inout SearchRequest<JSON>) -> Void) {
    pipeline.prepare { $0.changed(by: change) }
  }

  nonisolated func endDeferral() { pipeline.endDeferral() }

  nonisolated func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch? {
    guard let (request, context) = pipeline.begin(while: isWanted) else { return nil }
    let queries = facets.queries(for: request)
    return JoinedSearch(queries: queries.all(in: request.indexName)) { [pipeline, facets] place in
      let outcome = place.flatMap { answers, position in
        Result { () throws(SearchError) in
          HitsResponse(
            request: request,
            content: try facets.content(of: request, to: queries, in: answers, at: position),
            context: context)
        }
      }
      pipeline.end(context.generation, outcome)
    }
  }
}

extension FacetSearcher: MultiSearchComponent {
  nonisolated var componentRequest: ComponentRequest { .facetValues(request) }

  nonisolated func prepareText(_ text: String?) { prepare { $0.facetQuery = text ?? "" } }
  nonisolated func prepareIndexName(_ indexName: String) { prepare { $0.indexName = indexName } }
  nonisolated func prepareFilters(_ filters: String?) { prepare { $0.context.filters = filters } }

  private nonisolated func prepare(_ change: (inout FacetRequest) -> Void) {
    pipeline.prepare { $0.changed(by: change) }
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
  func perform(
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
