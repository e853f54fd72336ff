/// A view, and the number of the inputs that it is made from.
struct NumberedView<View: Sendable>: ControllerRevision {
  let count: UInt64
  let view: View
}

/// What a connected widget makes its view of.
struct WidgetInputs<Memory: Sendable>: Sendable {
  var memory: Memory
  /// The request of the searcher; `nil` without one.
  private(set) var request: SearchRequest<JSON>?
  private var requestRevision: UInt64?
  /// The newest results that the widget has received.
  var results: IndexResults?
  /// The responses that the widget has not received yet, in order.
  var unread: [HitsResponse] = []
  var status = SearchState.idle
  /// The response to the widget's own request.
  var response: WidgetResponse?
  /// Whether the widget may make its own request: a search has begun since the widget was
  /// connected, or an action was performed.
  var mayRequest = false
  /// Whether the unread response is the one that the searcher had when the widget was connected.
  private(set) var isReplay = false
  private var generation: UInt64 = 0
  /// The number of the newest search when the widget was connected.
  private var firstGeneration: UInt64 = 0

  init(memory: Memory) {
    self.memory = memory
  }

  /// Takes a status of the searcher. Returns whether it can change the view.
  ///
  /// - Parameter showsStatus: Whether the view shows the state of the search.
  mutating func take(_ status: HitsSearcherStatus, showsStatus: Bool) -> Bool {
    let isFirst = requestRevision == nil
    var isChanged =
      requestRevision != status.requestRevision || (showsStatus && self.status != status.state)
    request = status.currentRequest
    requestRevision = status.requestRevision
    self.status = status.state
    if isFirst { firstGeneration = status.isPending ? 0 : status.generation }
    if status.generation > firstGeneration, !mayRequest {
      mayRequest = true
      isChanged = true
    }
    if let response = status.response, response.generation > generation {
      generation = response.generation
      unread.append(response)
      isReplay = isFirst
      isChanged = true
    }
    return isChanged
  }

  /// Another searcher is connected.
  mutating func forgetSearcher() {
    self = WidgetInputs(memory: memory)
  }

  /// The state of the search, completed by the widgets of the searcher.
  func searchState(of searcher: HitsSearcher?) -> IndexState {
    guard let request, let requestRevision else { return IndexState("") }
    return searcher?.widgets.state(of: request, revision: requestRevision) ?? IndexState(request)
  }

  func context(of state: IndexState) -> WidgetContext<Memory> {
    WidgetContext(
      state: state, results: results, memory: memory, response: response, status: status)
  }
}

/// The link of a widget to its searcher.
struct WidgetLink: Sendable {
  /// Removes the widget from the searcher; `nil` until it is added.
  var remove: (@Sendable () -> Void)?

  /// Stores what removes the widget. Returns whether it is the first: several threads can add the
  /// widget at once.
  mutating func begin(_ remove: @escaping @Sendable () -> Void) -> Bool {
    if self.remove != nil { return false }
    self.remove = remove
    return true
  }

  /// Removes the widget from the searcher. No lock may be held.
  func end() { remove?() }
}

/// The newest view that a consumer of a stream has received.
final class PreviousView<View: Sendable & Equatable>: Sendable {
  private let view = Lock<View?>(nil)

  /// Whether a view differs from the previous one. The views are compared without a lock.
  func isChanged(to newest: View) -> Bool {
    let previous = view.withLock { view in
      defer { view = newest }
      return view
    }
    return previous != newest
  }
}
