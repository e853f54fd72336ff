// A program imports the product and finds the client.
@_exported public import InstantSearchClient

extension SearchClient {
  /// Creates a client of an Algolia application over HTTPS.
  ///
  /// Short for `SearchClient(transport: AlgoliaTransport(appID: appID, apiKey: apiKey))`. The
  /// configuration's clock also measures the timeouts of calls. With an empty application ID or key
  /// the first call throws; see ``AlgoliaTransport``.
  ///
  /// - Parameters:
  ///   - appID: The application ID shown in the dashboard.
  ///   - apiKey: A key of that application. Use a search-only key for searching, and never the
  ///     admin key in an app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library.
  ///   - decoding: How records are decoded. Defaults to the behavior of `JSONDecoder`.
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
