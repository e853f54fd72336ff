@_exported public import AlgoliaTransport
// A program imports this product alone.
@_exported public import AsyncInstantSearch

// Convenience initializers for an app with one Algolia application. An app that needs more, such as
// several searchers over one client, creates the client first.

extension HitsSearcher {
  /// Creates a searcher of an Algolia application.
  ///
  /// Short for `HitsSearcher(client: SearchClient(appID: appID, apiKey: apiKey), indexName:
  /// indexName)`. Create the client yourself to share or configure it.
  ///
  /// - Parameters:
  ///   - appID: The application ID shown in the dashboard.
  ///   - apiKey: A search-only key of that application.
  ///   - indexName: The initial index.
  ///   - debounce: How long the text must stay unchanged before it is searched. Defaults to
  ///     zero.
  ///   - options: The clock and the executor, and how calls are sent.
  public init(
    appID: String, apiKey: String, indexName: String, debounce: Duration = .zero,
    options: Options = Options()
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName,
      debounce: debounce, options: options)
  }
}

extension MultiSearcher {
  /// Creates a searcher without components for an Algolia application, like
  /// `HitsSearcher(appID:apiKey:indexName:debounce:options:)`.
  public init(
    appID: String, apiKey: String, debounce: Duration = .zero, options: Options = Options()
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), debounce: debounce, options: options)
  }
}

extension MultiIndexSearcher {
  /// Creates a searcher of several indices of an Algolia application, like
  /// `HitsSearcher(appID:apiKey:indexName:debounce:options:)`.
  public init(
    appID: String, apiKey: String, indexNames: [String], debounce: Duration = .zero,
    options: Options = Options()
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexNames: indexNames,
      debounce: debounce, options: options)
  }
}

extension HitsConnector {
  /// Creates a searcher of an Algolia application and an interactor, and connects them. It takes
  /// the same parameters as `HitsConnector.init(client:indexName:…)`.
  public convenience init(
    appID: String, apiKey: String, indexName: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName,
      infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery,
      filterState: filterState)
  }

  /// Creates a searcher of an Algolia application and an interactor, and connects them with a view.
  public convenience init<Controller: HitsController>(
    appID: String, apiKey: String, indexName: String,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 5),
    showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil,
    controller: Controller
  ) where Controller.DataSource == HitsInteractor<Record> {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName,
      infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery,
      filterState: filterState, controller: controller)
  }
}

extension MultiIndexHitsConnector {
  /// Creates a searcher of an Algolia application and an interactor for some indices, and connects
  /// them.
  public convenience init(appID: String, apiKey: String, indexModules: [IndexModule]) {
    self.init(client: SearchClient(appID: appID, apiKey: apiKey), indexModules: indexModules)
  }

  /// Creates a searcher of an Algolia application and an interactor for some indices, and connects
  /// them with a view.
  public convenience init<Controller: MultiIndexHitsController>(
    appID: String, apiKey: String, indexModules: [IndexModule], controller: Controller
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexModules: indexModules,
      controller: controller)
  }
}
