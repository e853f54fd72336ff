public import AsyncInstantSearch

extension SearchClient {
  /// Creates a client that asks an Algolia application over HTTPS.
  ///
  /// Short for `SearchClient(transport: AlgoliaTransport(appID: appID, apiKey: apiKey))`; the
  /// configuration's clock also measures the timeouts of calls. An empty application ID or key is
  /// reported by the first call; see ``AlgoliaTransport``.
  ///
  /// - Parameters:
  ///   - appID: The application ID, as the dashboard shows it.
  ///   - apiKey: A key of that application: search-only for searching, never the admin key in an
  ///     app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library.
  ///   - decoding: How records are read; as `JSONDecoder` reads by default.
  public init(
    appID: String,
    apiKey: String,
    configuration: AlgoliaTransport.Configuration = AlgoliaTransport.Configuration(),
    decoding: RecordDecoding = RecordDecoding()
  ) {
    self.init(
      transport: AlgoliaTransport(appID: appID, apiKey: apiKey, configuration: configuration),
      decoding: decoding,
      clock: configuration.clock)
  }
}

// Short forms for an app that asks one Algolia application. An app that needs more, for example
// several searchers over one client, makes the client first.

extension HitsSearcher {
  /// Creates a searcher that asks an Algolia application.
  ///
  /// Short for
  /// `HitsSearcher(client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName)`; make
  /// the client yourself to share it or to configure more.
  ///
  /// - Parameters:
  ///   - appID: The application ID, as the dashboard shows it.
  ///   - apiKey: A search-only key of that application.
  ///   - indexName: The index that is searched at first.
  ///   - debounce: How long the request must stay unchanged before it is searched; zero by default.
  public init(appID: String, apiKey: String, indexName: String, debounce: Duration = .zero) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexName: indexName,
      debounce: debounce)
  }
}

extension MultiSearcher {
  /// Creates a searcher without components that asks an Algolia application; as
  /// `HitsSearcher(appID:apiKey:indexName:debounce:)`.
  public init(appID: String, apiKey: String, debounce: Duration = .zero) {
    self.init(client: SearchClient(appID: appID, apiKey: apiKey), debounce: debounce)
  }
}

extension MultiIndexSearcher {
  /// Creates a searcher of several indices that asks an Algolia application; as
  /// `HitsSearcher(appID:apiKey:indexName:debounce:)`.
  public init(appID: String, apiKey: String, indexNames: [String], debounce: Duration = .zero) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexNames: indexNames,
      debounce: debounce)
  }
}

extension HitsConnector {
  /// Makes a searcher that asks an Algolia application and an interactor, and connects them; the
  /// parameters are those of `HitsConnector.init(client:indexName:…)`.
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

  /// Makes a searcher that asks an Algolia application and an interactor, and connects them with
  /// each other and a view.
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
  /// Makes a searcher that asks an Algolia application and an interactor for some indices, and
  /// connects them.
  public convenience init(appID: String, apiKey: String, indexModules: [IndexModule]) {
    self.init(client: SearchClient(appID: appID, apiKey: apiKey), indexModules: indexModules)
  }

  /// Makes a searcher that asks an Algolia application and an interactor for some indices, and
  /// connects them with each other and a view.
  public convenience init<Controller: MultiIndexHitsController>(
    appID: String, apiKey: String, indexModules: [IndexModule], controller: Controller
  ) {
    self.init(
      client: SearchClient(appID: appID, apiKey: apiKey), indexModules: indexModules,
      controller: controller)
  }
}
