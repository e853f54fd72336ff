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
