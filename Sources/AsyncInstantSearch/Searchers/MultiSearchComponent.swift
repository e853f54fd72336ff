/// A searcher whose searches a ``MultiSearcher`` can perform.
protocol MultiSearchComponent: AnyObject, Sendable {
  /// The request as it was last set.
  var componentRequest: ComponentRequest { get }

  /// Whether the current code runs inside an `update` closure of the request.
  var isChanging: Bool { get }

  /// The request has the filters that all components share.
  func share(_ filters: SharedFilters)

  /// Changes the request for a search that the multi-searcher performs.
  ///
  /// `change` is called when the request is changed, and returns the newest change.
  ///
  /// - Returns: Whether a search is needed; `nil` if the request was not changed.
  func prepare(_ change: () -> ComponentChange) -> Bool?

  /// Changes the request in the same way without searching; returns whether it was changed.
  func adjust(_ change: () -> ComponentChange) -> Bool

  /// Ends the wait for a search that ``prepare(_:)`` announced and that is not performed.
  func endDeferral()

  /// Waits until the views of all connected lists show the component's response.
  func present() async -> Bool

  /// Begins a search that the multi-searcher performs; `nil` if `shouldSearch` rejects it or the
  /// multi-searcher no longer needs it.
  func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch?

  /// Stops the pending search.
  func cancel()
}

/// A change of the requests of all components.
enum ComponentChange: Sendable {
  case text(String?)
  case indexName(String)
  case filters(String?)
  /// The function is called when the request is changed; `nil` changes nothing.
  case filterGroups(@Sendable () -> FilterGroups?)

  /// The part of a request that a change sets.
  enum Part: Sendable {
    case text, indexName, filters, filterGroups
  }

  var part: Part {
    switch self {
    case .text: .text
    case .indexName: .indexName
    case .filters: .filters
    case .filterGroups: .filterGroups
    }
  }
}

/// The request of a component of a ``MultiSearcher``.
///
/// A minor version can add cases, so a switch needs a `default`.
public enum ComponentRequest: Sendable, Hashable {
  /// The request of a searcher for hits.
  case hits(SearchRequest<JSON>)
  /// The request of a searcher for facet values.
  case facetValues(FacetRequest)
}

extension ComponentRequest {
  /// The text that a user types.
  var text: String? {
    switch self {
    case .hits(let request): request.text
    case .facetValues(let request): request.text
    }
  }
}

/// The search of one component within a request for several.
struct JoinedSearch: Sendable {
  /// The position of a component's responses among all of them.
  typealias ResponseSlice = (responses: MultiQueryResponses, position: Int)

  /// Its queries, which are adjacent in the request.
  let queries: [MultiQuery]
  /// The responses, if they are known without a request.
  var initial: MultiQueryResponses?
  /// Handles the responses.
  let end: @Sendable (ResponseSlice) async -> Void
  /// Handles the failure of the whole request.
  let fail: @Sendable (SearchError) -> Void
}

extension IndexRequest {
  fileprivate mutating func apply(_ change: ComponentChange) {
    switch change {
    case .text(let text): self.text = text
    case .indexName(let indexName): self.indexName = indexName
    case .filters(let filters): self.filters = filters
    case .filterGroups(let groups): filterGroups = groups() ?? filterGroups
    }
  }
}

extension MultiSearchComponent where Self: CoreSearcher, Request: IndexRequest {
  nonisolated func prepare(_ change: () -> ComponentChange) -> Bool? {
    core.prepare { $0.changed { $0.apply(change()) } }
  }

  nonisolated func adjust(_ change: () -> ComponentChange) -> Bool {
    core.adjust { $0.changed { $0.apply(change()) } }
  }

  nonisolated func endDeferral() { core.endDeferral() }

  nonisolated func present() async -> Bool { await core.present() }
}

extension HitsSearcher: MultiSearchComponent {
  nonisolated func share(_ filters: SharedFilters) { self.filters.share(filters) }

  nonisolated var componentRequest: ComponentRequest { .hits(request) }

  nonisolated func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch? {
    guard let (request, context) = core.begin(while: isWanted) else { return nil }
    let plan = planner.plan(for: request)
    if let problem = plan.needs.problem {
      core.fail(context.generation, .failure(problem))
      return nil
    }
    var initial = planner.initial.take(for: plan, options: client.decoding.options)
    if (try? initial?.answer(to: plan, at: 0, in: context)) == nil { initial = nil }
    return JoinedSearch(queries: plan.multiQueries, initial: initial) { [core] slice in
      await core.end(
        context.generation,
        Result { () throws(SearchError) in
          try slice.responses.answer(to: plan, at: slice.position, in: context)
        })
    } fail: { [core] error in
      core.fail(context.generation, .failure(error))
    }
  }
}

extension FacetSearcher: MultiSearchComponent {
  nonisolated func share(_ filters: SharedFilters) {}

  nonisolated var componentRequest: ComponentRequest { .facetValues(request) }

  nonisolated func beginJoined(while isWanted: @Sendable () -> Bool) -> JoinedSearch? {
    guard let (request, context) = core.begin(while: isWanted) else { return nil }
    return JoinedSearch(queries: [.facetValues(request)]) { [core] slice in
      await core.end(
        context.generation,
        Result { () throws(SearchError) in
          try slice.responses.facetValues(at: slice.position, of: request)
        })
    } fail: { [core] error in
      core.fail(context.generation, .failure(error))
    }
  }
}

/// The searches of components whose request was cancelled because a newer one follows. The newer
/// request begins them again. Searches that it does not begin are ended here.
final class UnfinishedSearches: Sendable {
  private let searches = Lock<[JoinedSearch]>([])

  func add(_ unfinished: [JoinedSearch]) {
    searches.withLock { $0 += unfinished }
  }

  /// Ends the searches that were not begun again; for the others it has no effect.
  func end() {
    let unfinished = searches.withLock { searches in
      defer { searches = [] }
      return searches
    }
    let error = SearchError(.cancelled, "The search of all components was cancelled.")
    for search in unfinished { search.fail(error) }
  }
}

extension SearchClient {
  /// Makes one request for several components and gives each its responses.
  ///
  /// On cancellation, the components do not wait for a transport that ignores cancellation. If
  /// their next search is pending, that search supersedes this one.
  func perform(
    _ searches: [JoinedSearch], strategy: MultiQueryStrategy, options: RequestOptions,
    context: SearchContext, unfinished: UnfinishedSearches
  ) async -> Result<Void, SearchError> {
    await withTaskCancellationHandler {
      await perform(searches, strategy: strategy, options: options)
    } onCancel: {
      unfinished.add(searches)
      // Otherwise the next search ends them, or the end of that search.
      if !context.hasSuccessor() { unfinished.end() }
    }
  }

  private func perform(
    _ searches: [JoinedSearch], strategy: MultiQueryStrategy, options: RequestOptions
  ) async -> Result<Void, SearchError> {
    for search in searches {
      if let initial = search.initial { await search.end((initial, 0)) }
    }
    let searches = searches.filter { $0.initial == nil }
    do throws(SearchError) {
      let responses = try await self.responses(
        to: searches.flatMap(\.queries), strategy: strategy, options: options)
      var position = 0
      for search in searches {
        await search.end((responses, position))
        position += search.queries.count
      }
      return .success(())
    } catch {
      // After a cancellation they are unfinished.
      if !Task.isCancelled {
        for search in searches { search.fail(error) }
      }
      return .failure(error)
    }
  }
}
