/// What a searcher is doing.
public enum SearchState: Sendable, Hashable {
  /// Nothing is under way: no search was made yet, or the newest one has ended.
  case idle
  /// A search is under way, or was until a newer request, still to be searched, took its place.
  case searching
  /// A search has been under way for longer than the searcher's `stalledAfter`.
  case stalled
  /// The newest search failed; the next one clears this.
  case failed(SearchError)
}
