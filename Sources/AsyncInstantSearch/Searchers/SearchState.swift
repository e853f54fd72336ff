/// The state of a searcher.
public enum SearchState: Sendable, Hashable {
  /// No search is running: there was no search yet, the newest search has ended, or it still waits
  /// for the debounce. A list that waits for it says so in ``HitsState/isLoading``.
  case idle
  /// A search is running, or a newer request has superseded it and is about to be searched.
  case searching
  /// A search has been running for longer than the searcher's `stalledAfter`.
  case stalled
  /// The newest search failed; the next one clears this.
  case failed(SearchError)
}
