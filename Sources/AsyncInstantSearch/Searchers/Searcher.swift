/// What all searchers have in common, whatever they search for.
public protocol Searcher: AnyObject, Sendable {
  /// Sets the text of the query; `nil` means no text.
  nonisolated func setQuery(_ text: String?)

  /// Searches the current request at once, without the debounce; the answer comes on the streams.
  nonisolated func submit()

  /// Stops the search that is due or under way; streams stay open and no error is published.
  nonisolated func cancel()

  /// Failed searches from now on. Each call makes a new subscription.
  nonisolated func errors(buffering: StreamBuffering) -> AsyncStream<SearchError>

  /// What the searcher is doing: the current state first, then newer ones. Each call makes a new
  /// subscription.
  nonisolated func states(buffering: StreamBuffering) -> AsyncStream<SearchState>

  /// What the searcher is doing now.
  nonisolated var state: SearchState { get }
}

extension HitsSearcher: Searcher {}
extension FacetSearcher: Searcher {}
extension PlacesSearcher: Searcher {}
