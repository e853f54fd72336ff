// What follows from a change of the widget's memory after a response.

extension WidgetInteractor {
  /// The widget has changed its memory, and may need another search.
  func memoryChanged(
    from before: WidgetInputs<W.Memory>, to after: WidgetInputs<W.Memory>,
    _ searchState: IndexState, _ searcher: HitsSearcher
  ) {
    searcher.widgets.memoryChanged()
    // Connecting a widget does not search.
    guard !before.unread.isEmpty, !before.isReplay else { return }
    var needs = (before: WidgetParameters(), after: WidgetParameters())
    widget.declare(in: &needs.before, for: searchState, memory: before.memory)
    widget.declare(in: &needs.after, for: searchState, memory: after.memory)
    let isFirst = before.results == nil
    let isActiveChanged = searcher.activeWidgetsChanged { facet in
      widget.deactivates(facet, memory: after.memory)
        && (isFirst || !widget.deactivates(facet, memory: before.memory))
    } _: { facet in
      widget.deactivates(facet, memory: before.memory)
        && !widget.deactivates(facet, memory: after.memory)
    }
    guard isActiveChanged || needs.before != needs.after else { return }
    state.withLock { $0.dueCheck = $0.revision }
  }

  /// Searches again if the memory has changed and the widgets need other queries than those of the
  /// newest response.
  ///
  /// A search that was pending when the memory changed may not have requested what the widgets need
  /// now, so the check waits for its end. It is not made if that search failed or was cancelled.
  func checkQueries(of searcher: HitsSearcher) {
    guard let due = state.withLock({ $0.dueCheck }) else { return }
    let status = searcher.core.enter { $0.machine.status }
    if status.isPending { return }
    let isNow = state.withLock { state in
      // The memory follows from another response that is not displayed yet, or has changed again.
      guard state.dueCheck == due, state.inputs.unread.isEmpty else { return false }
      state.dueCheck = nil
      return true
    }
    guard isNow, status.responseGeneration == status.generation, let response = status.response
    else { return }
    searcher.searchIfQueriesDiffer(from: response)
  }
}
