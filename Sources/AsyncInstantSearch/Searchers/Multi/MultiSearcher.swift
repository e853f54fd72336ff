/// Searches for several searchers at once, all in one request.
///
/// Each component takes part with its own request, its counts of facets included, and receives
/// exactly its own answers and errors on its own streams. A component can still search alone, for
/// example when one of its own setters is called.
///
/// ```swift
/// let multi = MultiSearcher(client: client, debounce: .milliseconds(150))
/// multi.addSearcher(films)      // a HitsSearcher
/// multi.addSearcher(countries)  // a FacetSearcher
/// multi.setQuery("ital")
/// ```
///
/// Its own streams tell of the requests as a whole: of one that failed, each component tells as well;
/// what is wrong with the answer to one component is an error of that component only.
/// ``Searcher/search()`` returns when all components have their answers. Components are held by the
/// multi-searcher, not the other way round. What holds of every searcher is said at ``Searcher``.
public actor MultiSearcher: Searcher {
  /// The searcher's moving parts.
  public nonisolated let pipeline: SearchPipeline<[ComponentRequest], Void>
  private nonisolated let components: ComponentList

  /// Creates a searcher without components. It does nothing until it has some and a search is due.
  ///
  /// - Parameters:
  ///   - client: answers the searches of all components.
  ///   - strategy: whether to stop once a query has enough matches; no by default.
  ///   - debounce: how long the requests must stay unchanged before they are searched; zero by
  ///     default.
  ///   - stalledAfter: when a search counts as stalled; 300 milliseconds by default.
  ///   - clock: measures both times; a continuous clock by default.
  ///   - executor: runs the searcher's tasks; the global one by default.
  ///   - options: headers, query items and the time limit of every call; those of the components
  ///     belong to their own searches.
  public init(
    client: SearchClient,
    strategy: MultiQueryStrategy = .none,
    debounce: Duration = .zero,
    stalledAfter: Duration = .milliseconds(300),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    options: RequestOptions = RequestOptions()
  ) {
    let components = ComponentList()
    self.components = components
    pipeline = SearchPipeline(
      request: [],
      debounce: debounce,
      stalledAfter: stalledAfter,
      clock: PipelineClock(clock),
      executor: executor,
      shouldSearch: { _ in true },
      execute: { _, context in
        let searches = components.all.compactMap { $0.beginJoined(while: context.isWanted) }
        return await client.perform(searches, strategy: strategy, options: options)
      })
  }

  deinit {
    pipeline.close()
    for component in components.all { component.endDeferral() }
  }
}

// MARK: - Components and requests

extension MultiSearcher {
  /// Adds a searcher for hits; one that takes part already is not added again.
  public nonisolated func addSearcher(_ searcher: HitsSearcher) {
    components.add(searcher)
  }

  /// Adds a searcher for facet values; one that takes part already is not added again.
  public nonisolated func addSearcher(_ searcher: FacetSearcher) {
    components.add(searcher)
  }

  /// Sets the text of all components and searches after the debounce.
  public nonisolated func setQuery(_ text: String?) {
    change { $0.prepareText(text) }
  }

  /// Sets the index of all components and searches after the debounce.
  public nonisolated func setIndexName(_ indexName: String) {
    change { $0.prepareIndexName(indexName) }
  }

  /// Sets the filter expression of all components and searches after the debounce.
  public nonisolated func setFilters(_ filters: String?) {
    change { $0.prepareFilters(filters) }
  }

  private nonisolated func change(_ prepare: (any MultiSearchComponent) -> Void) {
    let all = components.all
    for component in all { prepare(component) }
    pipeline.update { _ in all.map(\.componentRequest) }
  }
}

// MARK: - Searching

extension MultiSearcher {
  /// Stops the searches of this searcher and of its components; streams stay open.
  public nonisolated func cancel() {
    pipeline.cancel()
    for component in components.all { component.cancel() }
  }
}

/// The components of a multi-searcher, in the order in which they were added.
private final class ComponentList: Sendable {
  private let components = Lock<[any MultiSearchComponent]>([])

  var all: [any MultiSearchComponent] { components.withLock { $0 } }

  func add(_ component: any MultiSearchComponent) {
    components.withLock { components in
      if components.allSatisfy({ $0 !== component }) { components.append(component) }
    }
  }
}
