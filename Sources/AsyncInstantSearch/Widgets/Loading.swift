/// Whether a search is running.
///
/// Use it for an activity indicator on a live screen. Without widgets, read the state of the
/// searcher.
public struct Loading: StatusWidget {
  /// What a loading indicator displays.
  public struct View: Sendable, Hashable {
    /// Whether a search is running.
    public var isLoading = false
    /// Whether a search has been running for so long that this should be visible; see
    /// ``SearcherOptions/stalledAfter``.
    public var isStalled = false
    /// The error of the newest search; `nil` if it has not failed.
    public var error: SearchError?
  }

  /// Creates a loading indicator.
  public init() {}

  /// Whether a search is running, whether it is stalled, and the error of the newest search.
  public func view(_ context: Context) -> View {
    switch context.status {
    case .idle: View()
    case .searching: View(isLoading: true)
    case .stalled: View(isLoading: true, isStalled: true)
    case .failed(let error): View(error: error)
    }
  }
}
