import AsyncInstantSearch
import AsyncInstantSearchTesting

/// A searcher of the index `index`, with a clock that the test advances.
func searcher(
  _ transport: some SearchTransport,
  debounce: Duration = .zero,
  clock: ManualClock = ManualClock(),
  executor: (any TaskExecutor)? = nil,
  options: RequestOptions = RequestOptions(),
  shouldSearch: @escaping @Sendable (SearchRequest<JSON>) -> Bool = { _ in true }
) -> HitsSearcher {
  HitsSearcher(
    client: SearchClient(transport: transport), indexName: "index",
    debounce: debounce,
    options: .init(clock: clock, executor: executor, requestOptions: options),
    shouldSearch: shouldSearch)
}
