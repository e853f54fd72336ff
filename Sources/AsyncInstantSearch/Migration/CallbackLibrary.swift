// Unavailable declarations of the callback library InstantSearch iOS, so that the compiler names
// the replacement of each.

#if canImport(Combine)
  public import Combine
#endif

// MARK: - Searchers

/// An older name of ``HitsSearcher``.
@available(*, deprecated, renamed: "HitsSearcher")
public typealias SingleIndexSearcher = HitsSearcher

// MARK: - Events

extension Searcher {
  /// Streams replace the events.
  @available(*, unavailable, message: "use 'responses' or, decoded as records, 'pages(of:)'")
  public nonisolated var onResults: AsyncStream<Response> { responses }

  /// Streams replace the events.
  @available(*, unavailable, renamed: "errors")
  public nonisolated var onError: AsyncStream<SearchError> { errors }
}

extension HitsInteractor {
  /// Streams replace the events.
  @available(*, unavailable, renamed: "states")
  public var onResultsUpdated: AsyncStream<HitsState<Record>> { states }

  /// Streams replace the events.
  @available(*, unavailable, renamed: "errors")
  public var onError: AsyncStream<SearchError> { errors }
}

extension AsyncStream where Element: Sendable {
  /// A subscription ends when it is disconnected, or with its stream.
  @available(
    *, unavailable, renamed: "subscribe(_:)",
    message: "its closure takes the value alone; capture the observer weakly"
  )
  public func subscribe<Observer: AnyObject>(
    with observer: Observer, callback: @escaping (Observer, Element) -> Void
  ) { neverCalled() }
}

#if canImport(Combine)
  // Views observe the controller without a wrapper, and with `@ObservedObject` too.
  @available(*, deprecated, message: "it is '@Observable'; use 'let' instead of '@ObservedObject'")
  extension HitsObservableController: ObservableObject {}
#endif

// MARK: - Initializers of AlgoliaInstantSearch

extension SearchClient {
  /// `AlgoliaInstantSearch` has this initializer.
  @available(*, unavailable, message: "import AlgoliaInstantSearch, which has this initializer")
  public init(appID: String, apiKey: String) { neverCalled() }
}

extension HitsSearcher {
  /// `AlgoliaInstantSearch` has this initializer.
  @available(*, unavailable, message: "import AlgoliaInstantSearch, which has this initializer")
  public init(appID: String, apiKey: String, indexName: String, debounce: Duration = .zero) {
    self.init(client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName)
  }
}

extension MultiIndexSearcher {
  /// `AlgoliaInstantSearch` has this initializer.
  @available(*, unavailable, message: "import AlgoliaInstantSearch, which has this initializer")
  public init(appID: String, apiKey: String, indexNames: [String], debounce: Duration = .zero) {
    self.init(client: SearchClient(appID: appID, apiKey: apiKey), indexNames: indexNames)
  }
}

extension HitsConnector {
  /// `AlgoliaInstantSearch` has this initializer.
  @available(*, unavailable, message: "import AlgoliaInstantSearch, which has this initializer")
  public convenience init(
    appID: String, apiKey: String, indexName: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5), showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil, controller: (any HitsController)? = nil
  ) { neverCalled() }
}

extension MultiIndexHitsConnector {
  /// `AlgoliaInstantSearch` has this initializer.
  @available(*, unavailable, message: "import AlgoliaInstantSearch, which has this initializer")
  public convenience init(
    appID: String, apiKey: String, indexModules: [IndexModule],
    controller: (any MultiIndexHitsController)? = nil
  ) { neverCalled() }
}

// MARK: - Places

extension HitsConnector {
  /// Places have a separate connector type.
  @available(*, unavailable, message: "use 'PlacesConnector'")
  public convenience init(
    searcher: PlacesSearcher, interactor: HitsInteractor<Record> = HitsInteractor(),
    filterState: FilterState? = nil, controller: (any HitsController)? = nil
  ) { neverCalled() }

  /// Places have a separate connector type.
  @available(*, unavailable, message: "use 'PlacesConnector' with a 'PlacesSearcher'")
  public convenience init(
    placesAppID: String, apiKey: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5), showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil, controller: (any HitsController)? = nil
  ) { neverCalled() }
}

/// The body of an unavailable member. The compiler rejects each call of one, so it never runs.
private func neverCalled() -> Never { fatalError("unavailable") }
