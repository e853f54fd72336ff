/// Searches for several searchers at once, all in one request.
///
/// Each component takes part with its own request, its counts of facets included, and receives
/// exactly its own answers and errors on its own streams. A component can still search alone, for
/// example when one of its own setters is called.
///
/// ```swift
/// let multi = MultiSearcher(client: client, options: .init(debounce: .milliseconds(150)))
/// multi.addSearcher(films)      // a HitsSearcher
/// multi.addSearcher(countries)  // a FacetSearcher
/// multi.setQuery("ital")
/// ```
///
/// Its own streams report the requests as a whole. The failure of one is reported by each component
/// as well; what is wrong with the answer to one component is an error of that component only.
/// ``Searcher/search()`` returns when all components have their answers. Components are held by the
/// multi-searcher, not the other way round. See ``Searcher`` for the behavior of
/// every searcher.
public actor MultiSearcher: CoreSearcher {
  /// What is searched.
  public typealias Request = [ComponentRequest]
  /// What comes of it.
  public typealias Answer = Void

  nonisolated let core: SearcherCore<[ComponentRequest], Void>
  private nonisolated let components: ComponentList
  private nonisolated let owner = ChangeOwner()
  private nonisolated let filters = FilterStateSubscription()

  /// Synchronous calls and isolated code exclude one another on this executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Safe: the searcher holds its core, which holds the executor.
    unsafe core.unownedExecutor
  }

  /// Creates a searcher without components. It does nothing until it has some and a search is due.
  ///
  /// - Parameters:
  ///   - client: answers the searches of all components.
  ///   - strategy: whether to stop once a query has enough matches; no by default.
  ///   - options: The debounce, clock and executor, and how calls are sent.
  public init(
    client: SearchClient,
    strategy: MultiQueryStrategy = .none,
    options: Options = Options()
  ) {
    let components = ComponentList()
    self.components = components
    let owner = owner
    core = SearcherCore(
      request: [],
      options: options,
      owner: owner,
      shouldSearch: { _ in true },
      execute: { _, context in
        let searches = ChangeScope.decide(of: owner) {
          components.all.compactMap { $0.beginJoined(while: context.isWanted) }
        }
        return await client.perform(
          searches, strategy: strategy, options: options.requestOptions, context: context)
      })
    _ = core.addObserver(
      SearchObserver(
        prepare: { _ in }, stage: { _ in {} },
        present: {
          for component in components.all {
            guard await component.present() else { return false }
          }
          return true
        }, end: {}))
  }

  deinit {
    filters.end()
    core.close()
    for component in components.all { component.endDeferral() }
  }
}

// MARK: - Components and requests

extension MultiSearcher {
  /// Adds a searcher for hits; one that takes part already is not added again.
  ///
  /// It takes over the filters of the filter state that is connected to this searcher, if there is
  /// one.
  public nonisolated func addSearcher(_ searcher: HitsSearcher) {
    add(searcher)
  }

  /// Adds a searcher for facet values; one that takes part already is not added again.
  ///
  /// It takes over the filters of the filter state that is connected to this searcher, if there is
  /// one.
  public nonisolated func addSearcher(_ searcher: FacetSearcher) {
    add(searcher)
  }

  private nonisolated func add(_ component: any MultiSearchComponent) {
    if !components.add(component) { filters.forgetApplied() }
  }

  /// Filters the searches of all components by a filter state from now on; a change of the filters
  /// is one request for all of them.
  ///
  /// Connecting takes over the current filters and does not search. A component that is connected
  /// to the state by itself as well makes requests of its own. Connecting the same state again
  /// changes nothing; connecting another one ends the connection before. When a connection ends,
  /// the requests keep the filters they have.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(_ filterState: FilterState) -> Connection {
    let groups: @Sendable () -> FilterGroups? = { [weak filters] in filters?.currentGroups }
    return filters.follow(filterState, isSearcherConnection: true) { [weak self] _ in
      self?.change(.filterGroups(groups)) ?? true
    } applyInitial: { _ in
      decide { components.adjust(.filterGroups(groups)) } ?? false
    }
  }

  /// Sets the text of all components and searches after the debounce.
  public nonisolated func setQuery(_ text: String?) {
    change(.text(text))
  }

  /// Sets the index of all components and searches after the debounce.
  public nonisolated func setIndexName(_ indexName: String) {
    change(.indexName(indexName))
  }

  /// Sets the filter expression of all components and searches after the debounce.
  public nonisolated func setFilters(_ filters: String?) {
    change(.filters(filters))
  }

  /// Returns whether the change was made, by all components.
  @discardableResult
  private nonisolated func change(_ change: ComponentChange) -> Bool {
    guard let prepared = decide({ components.prepare(change) }) else { return false }
    let isSet =
      prepared.isNeeded
      ? core.copyAndSearch { _ in components.all.map(\.componentRequest) }
      : core.copy { _ in components.all.map(\.componentRequest) }
    return prepared.isMade && isSet
  }

  /// Makes a change of the components, each of which asks its `shouldSearch`. `nil` when that is
  /// where the change comes from: it is reported.
  private nonisolated func decide<Value>(_ change: () -> Value) -> Value? {
    var tries = ChangeTries()
    let value = tries.next(of: owner) { ChangeScope.decide(of: owner, change) }
    if value == nil {
      core.report(tries.error(of: "the requests", in: "multi-searcher"))
    }
    return value
  }
}

// MARK: - Searching

extension MultiSearcher {
  /// Stops the searches of this searcher and of its components; streams stay open.
  public nonisolated func cancel() {
    core.cancel()
    for component in components.all { component.cancel() }
  }
}

/// The components of a multi-searcher, in the order in which they were added.
private final class ComponentList: Sendable {
  private struct State {
    var components: [any MultiSearchComponent] = []
    /// The newest change of each part. A component reads it when its request is changed, so of
    /// changes made at the same time the newest one is what every component ends with.
    var newest: [ComponentChange.Part: ComponentChange] = [:]
  }

  private let state = Lock(State())

  var all: [any MultiSearchComponent] { state.withLock { $0.components } }

  /// Adds a component; returns whether it has taken over the filters, if there are any.
  func add(_ component: any MultiSearchComponent) -> Bool {
    let filters = state.withLock { state -> ComponentChange? in
      guard state.components.allSatisfy({ $0 !== component }) else { return nil }
      state.components.append(component)
      return state.newest[.filterGroups]
    }
    guard let filters else { return true }
    return component.adjust { newest(filters.part) ?? filters }
  }

  /// Changes the requests of all components without making a search due, also of those that are
  /// added later.
  ///
  /// - Returns: Whether all were changed.
  func adjust(_ change: ComponentChange) -> Bool {
    // All of them, also those after one that could not be changed.
    begin(change).map { $0.adjust { newest(change.part) ?? change } }.allSatisfy { $0 }
  }

  /// Prepares all components.
  ///
  /// - Returns: Whether one of them has a search to be made, and whether all were changed.
  func prepare(_ change: ComponentChange) -> (isNeeded: Bool, isMade: Bool) {
    let needs = begin(change).map { $0.prepare { newest(change.part) ?? change } }
    return (needs.contains(true), !needs.contains(nil))
  }

  /// Notes the newest change, and returns the components that there are.
  private func begin(_ change: ComponentChange) -> [any MultiSearchComponent] {
    state.withLock { state in
      state.newest[change.part] = change
      return state.components
    }
  }

  private func newest(_ part: ComponentChange.Part) -> ComponentChange? {
    state.withLock { $0.newest[part] }
  }
}
