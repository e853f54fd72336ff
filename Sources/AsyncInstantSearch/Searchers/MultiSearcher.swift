/// A live search that performs the searches of several searchers in one request.
///
/// For hits of several indices with the same text, use ``MultiIndexSearcher``.
///
/// Each component contributes its own request, including its facet queries, and receives exactly
/// its own responses and errors on its own streams. A component can still search alone, for example
/// when one of its own setters is called.
///
/// ```swift
/// let multi = MultiSearcher(client: client, debounce: .milliseconds(150))
/// multi.addSearcher(films)      // a HitsSearcher
/// multi.addSearcher(countries)  // a FacetSearcher
/// multi.setQuery("ital")
/// ```
///
/// Its own streams report the requests as a whole. Each component also reports the failure of a
/// whole request; an invalid response to one component is an error of that component only.
/// ``Searcher/search()`` returns when all components have their responses. The multi-searcher
/// retains its components; they do not retain it. See ``Searcher`` for the behavior of every
/// searcher.
public actor MultiSearcher: CoreSearcher {
  /// The type of a request.
  public typealias Request = [ComponentRequest]
  /// The type of the response to a request.
  public typealias Response = Void

  nonisolated let core: SearcherCore<[ComponentRequest], Void>
  private nonisolated let components: ComponentList
  private nonisolated let filters = FilterStateSubscription()

  /// Creates a searcher without components.
  ///
  /// - Parameters:
  ///   - client: The client that performs the searches of all components.
  ///   - strategy: Whether to stop when a query has enough matches. Defaults to
  ///     `MultiQueryStrategy.none`.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to zero.
  ///     Other changes, `submit()` and `search()` do not wait for it.
  ///   - options: The clock and the executor, and how calls are sent. A component's own
  ///     options apply to the searches that it performs alone.
  public init(
    client: SearchClient,
    strategy: MultiQueryStrategy = .none,
    debounce: Duration = .zero,
    options: Options = Options()
  ) {
    let components = ComponentList()
    self.components = components
    let client = client.running(on: options.executor)
    let unfinished = UnfinishedSearches()
    core = SearcherCore(
      request: [],
      debounce: debounce,
      options: options,
      owner: ChangeOwner(of: "the requests", in: "multi-searcher"),
      text: { $0.map(\.text) },
      shouldSearch: { _ in true },
      execute: { [weak components] _, context in
        // A search that does not end must not retain the components.
        let searches = components?.all.compactMap { $0.beginJoined(while: context.isWanted) } ?? []
        if context.isWanted() { unfinished.end() }
        return await client.perform(
          searches, strategy: strategy, options: options.requestOptions, context: context,
          unfinished: unfinished)
      })
    _ = core.addObserver(
      SearchObserver(
        prepare: { _ in },
        stage: { status in
          let isPending = status.isPending
          return { if !isPending { unfinished.end() } }
        },
        present: { [weak components] in
          for component in components?.all ?? [] {
            guard await component.present() else { return false }
          }
          return true
        }, end: { unfinished.end() }))
  }

  deinit {
    filters.end()
    core.close()
    for component in components.all { component.endDeferral() }
  }
}

// MARK: - Components and requests

extension MultiSearcher {
  /// Adds a searcher for hits, unless it is a component already.
  ///
  /// Its request receives the filters of the multi-searcher's filter state, if one is connected.
  public nonisolated func addSearcher(_ searcher: HitsSearcher) {
    add(searcher)
  }

  /// Adds a searcher for facet values, unless it is a component already.
  ///
  /// Its request receives the filters of the multi-searcher's filter state, if one is connected.
  public nonisolated func addSearcher(_ searcher: FacetSearcher) {
    add(searcher)
  }

  private nonisolated func add(_ component: any MultiSearchComponent) {
    let hasFilters = components.add(component)
    component.share(
      SharedFilters(subscription: filters) { [weak self] in
        self?.core.isPending ?? false
      } change: { [weak self] component, searches, change in
        self?.changeFilters(of: component, searches: searches, change)
      })
    if !hasFilters { filters.forgetApplied() }
  }

  /// Filters the searches of all components by a filter state. A change of the filters causes one
  /// request for all of them.
  ///
  /// Connecting sets the current filters and does not search. A component that is itself connected
  /// to the state also sends separate requests. Connecting the same state again changes nothing;
  /// connecting another state ends the previous connection. When a connection ends, the requests
  /// keep their filters.
  ///
  /// - Returns: The connection, which stays when it is dropped.
  @discardableResult
  public nonisolated func connectFilterState(_ filterState: FilterState) -> Connection {
    let change = filterChange
    return filters.follow(filterState, forListWhile: nil) { [weak self] in
      guard let self else { return false }
      return isChanging || components.all.contains { $0.isChanging }
    } change: { [weak self] _ in
      self?.change(change) ?? true
    } applyInitial: { _ in
      (try? changeComponents { components.adjust(change) }) ?? false
    }
  }

  /// The change to the current filters of the state that is followed.
  private nonisolated var filterChange: ComponentChange {
    .filterGroups { [weak filters] in filters?.currentGroups }
  }

  /// Changes one component by `own`, and the others to the current filters, as one change.
  private nonisolated func changeFilters(
    of component: any MultiSearchComponent, searches: Bool, _ own: (_ searches: Bool) -> Bool?
  ) -> Bool {
    if searches || core.isPending { return change(filterChange, of: component, own) }
    return (try? changeComponents { components.adjust(filterChange, of: component, own) }) ?? false
  }

  /// Sets the text of all components and searches after the debounce.
  public nonisolated func setQuery(_ text: String?) {
    change(.text(text))
  }

  /// Sets the index of all components and searches.
  public nonisolated func setIndexName(_ indexName: String) {
    change(.indexName(indexName))
  }

  /// Sets the filter expression of all components and searches.
  public nonisolated func setFilters(_ filters: String?) {
    change(.filters(filters))
  }

  /// Returns whether all components made the change. One of them can make a different change.
  @discardableResult
  private nonisolated func change(
    _ change: ComponentChange, of component: (any MultiSearchComponent)? = nil,
    _ own: (_ searches: Bool) -> Bool? = { _ in nil }
  ) -> Bool {
    guard let prepared = try? changeComponents({ components.prepare(change, of: component, own) })
    else {
      return false
    }
    let isSet =
      prepared.isNeeded
      ? core.copyAndSearch { _ in components.all.map(\.componentRequest) }
      : core.copy { _ in components.all.map(\.componentRequest) }
    return prepared.isMade && isSet
  }

  /// Changes the components. Throws an error, and reports it, if the change is made inside the
  /// `shouldSearch` of a searcher.
  private nonisolated func changeComponents<Value>(_ change: () -> Value) throws(SearchError)
    -> Value
  {
    do throws(SearchError) {
      try core.owner.checkIsAllowed()
    } catch {
      core.report(error)
      throw error
    }
    return change()
  }
}

// MARK: - Searching

extension MultiSearcher {
  /// Sets the text of all components and searches, in one step and with one request; `nil` means no
  /// text.
  ///
  /// Nothing is changed if the calling task is already cancelled. Cancelling it later ends only the
  /// wait, as for ``HitsSearcher/search(for:)``.
  ///
  /// - Throws: As ``Searcher/search()`` does.
  public nonisolated func search(for text: String?) async throws(SearchError) {
    try SearchError.checkNotCancelled()
    let prepared = try changeComponents { components.prepare(.text(text), of: nil) { _ in nil } }
    // A component that waits for the search receives it even if the caller is cancelled.
    try await search(forStreams: prepared.isNeeded) { _ in
      components.all.map(\.componentRequest)
    }
    if !prepared.isMade {
      throw SearchError(
        .invalidRequest,
        "The text was not set in every component. The components' errors say why.")
    }
  }

  /// Stops the searches of this searcher and of its components. Streams stay open.
  public nonisolated func cancel() {
    core.cancel()
    for component in components.all { component.cancel() }
  }
}

/// The components of a multi-searcher, in the order in which they were added.
private final class ComponentList: Sendable {
  private struct State {
    var components: [any MultiSearchComponent] = []
    /// The newest change of each part. A component reads it when its request is changed, so after
    /// concurrent changes all components have the same one.
    var newest: [ComponentChange.Part: ComponentChange] = [:]
  }

  private let state = Lock(State())

  var all: [any MultiSearchComponent] { state.withLock { $0.components } }

  /// Adds a component; returns whether its request has the current filters.
  func add(_ component: any MultiSearchComponent) -> Bool {
    let filters = state.withLock { state -> ComponentChange? in
      guard state.components.allSatisfy({ $0 !== component }) else { return nil }
      state.components.append(component)
      return state.newest[.filterGroups]
    }
    guard let filters else { return true }
    return component.adjust { newest(filters.part) ?? filters }
  }

  /// Changes the requests of all components, including those added later, without searching.
  ///
  /// - Returns: Whether all were changed.
  func adjust(
    _ change: ComponentChange, of component: (any MultiSearchComponent)? = nil,
    _ own: (_ searches: Bool) -> Bool? = { _ in nil }
  ) -> Bool {
    // Continues after a component that could not be changed.
    begin(change).map {
      $0 === component ? own(false) == true : $0.adjust { newest(change.part) ?? change }
    }.allSatisfy { $0 }
  }

  /// Prepares a change of all components. One of them can make a different change.
  ///
  /// - Returns: Whether any of them needs a search, and whether all were changed.
  func prepare(
    _ change: ComponentChange, of component: (any MultiSearchComponent)?,
    _ own: (_ searches: Bool) -> Bool?
  ) -> (isNeeded: Bool, isMade: Bool) {
    let needs = begin(change).map {
      $0 === component ? own(true) : $0.prepare { newest(change.part) ?? change }
    }
    return (needs.contains(true), !needs.contains(nil))
  }

  /// Records the newest change, and returns the current components.
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
