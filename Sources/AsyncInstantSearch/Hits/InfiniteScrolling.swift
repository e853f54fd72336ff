/// Whether presenting a row loads the pages around it.
public enum InfiniteScrolling: Sendable, Hashable {
  /// Presenting rows loads nothing.
  case off
  /// A presented row loads the pages of this many rows before and after it, as far as they are not
  /// there. A negative offset counts as 0: the row's own page; one above 1000 counts as 1000.
  case on(withOffset: Int)
}
