// Loading the pages of the displayed search.

extension HitsStateMachine {
  /// The maximum number of page loads for presented rows. Further pages wait until one of them
  /// ends.
  package static var loadLimit: Int { 4 }

  /// The maximum number of rows that are loaded before and after a presented one.
  package static var offsetLimit: Int { 1000 }

  /// The maximum number of focuses that wait while other pages are loaded.
  private static var windowLimit: Int { 64 }

  /// A row is presented, so the pages around it are loaded.
  package mutating func presented(_ row: Int) -> [Action] {
    guard case .on(let offset) = infiniteScrolling, isCurrent, let map = visible,
      let window = map.window(around: row, offset: min(offset, Self.offsetLimit))
    else { return [] }
    let newest = Focus(page: map.page(ofRow: row), window: window)
    focus = newest
    wanted.removeAll { $0.page == newest.page }
    wanted.insert(newest, at: 0)
    if wanted.count > Self.windowLimit { wanted.removeLast() }
    return leaveFarRows() + loadWanted() + publish()
  }

  /// Cancels the loads for rows that are so far away that their pages would not be kept.
  private mutating func leaveFarRows() -> [Action] {
    let kept = keptPages
    wanted.removeAll { !kept.overlaps($0.window) }
    var actions: [Action] = []
    for (number, load) in pending where load.isForRows && !kept.contains(number) {
      if load.callers.isEmpty {
        pending[number] = nil
        actions.append(.cancelLoad(load.id))
      } else {
        pending[number]?.isForRows = false
      }
    }
    return actions
  }

  /// Starts loads of missing pages around presented rows, up to the limit. The newest row comes
  /// first, and its nearest pages.
  private mutating func loadWanted() -> [Action] {
    guard isCurrent else { return [] }
    var actions: [Action] = []
    while let next = wanted.first, pending.count < Self.loadLimit {
      let missing = missingPages(of: next)
      for number in missing.prefix(Self.loadLimit - pending.count) {
        actions.append(load(number))
        pending[number]?.isForRows = true
      }
      // If a page of it fails, it is added again with its next presented row.
      if pending.count < Self.loadLimit { wanted.removeFirst() }
    }
    return actions
  }

  /// Returns the pages of a window that are neither loaded nor being loaded, the nearest first, up
  /// to the limit. Loads for callers in the window then count as loads for rows, too.
  private mutating func missingPages(of focus: Focus) -> [Int] {
    guard let map else { return [] }
    var missing: [Int] = []
    let reach = max(focus.page - focus.window.lowerBound, focus.window.upperBound - focus.page)
    for distance in 0...max(0, reach) {
      let numbers = distance == 0 ? [focus.page] : [focus.page - distance, focus.page + distance]
      for number in numbers where focus.window.contains(number) && map.pages[number] == nil {
        if pending[number] != nil {
          pending[number]?.isForRows = true
        } else {
          missing.append(number)
          if missing.count == Self.loadLimit { return missing }
        }
      }
    }
    return missing
  }

  /// A caller requests the page before or after the loaded ones around the last presented row.
  package mutating func loadRequested(_ direction: Direction, caller: UInt64) -> [Action] {
    guard isCurrent, let map else { return [.resume(caller: caller, withoutPages)] }
    let step = direction == .next ? 1 : -1
    var number = focus?.page ?? map.firstNumber
    let reachable = 0..<map.pageCount
    while reachable.contains(number), map.pages[number] != nil { number += step }
    guard reachable.contains(number) else {
      return [.resume(caller: caller, .success(.noSuchPage))]
    }
    var actions: [Action] = []
    if pending[number] == nil { actions.append(load(number)) }
    pending[number]?.callers.append(caller)
    return actions + publish()
  }

  /// The outcome of a request for a page while no pages can be loaded.
  private var withoutPages: Result<PageLoad, SearchError> {
    if isLoading { return .success(.unsettled) }
    guard let newest else {
      return .failure(
        SearchError(
          .invalidRequest, "The list is connected to no searcher, or its searcher was released."))
    }
    if let failure = newest.failure { return .failure(failure) }
    if newest.generation == 0 {
      return .failure(
        SearchError(
          .invalidRequest,
          "The searcher has searched nothing yet; call its search() or submit() first."))
    }
    return .failure(
      SearchError(
        .superseded, "The rows belong to an older search; the newest one was cancelled or refused.")
    )
  }

  /// A caller stopped waiting. Its load ends, unless another caller or a row needs the page.
  package mutating func callerCancelled(_ caller: UInt64) -> [Action] {
    let entry = pending.first { $0.value.callers.contains(caller) }
    guard case .some((let number, var load)) = entry else { return [] }
    load.callers.removeAll { $0 == caller }
    let error = SearchError(.cancelled, "The task was cancelled.")
    var actions: [Action] = [.resume(caller: caller, .failure(error))]
    if load.callers.isEmpty, !load.isForRows {
      pending[number] = nil
      actions.append(.cancelLoad(load.id))
    } else {
      pending[number] = load
    }
    return actions + loadWanted() + publish()
  }

  /// The load of a page ended.
  package mutating func loadEnded(
    _ load: Load, _ outcome: Result<HitsPage<Record>, SearchError>, response: SearchAnswer? = nil
  ) -> [Action] {
    guard wants(load), let ended = pending.removeValue(forKey: load.page) else { return [] }
    var actions: [Action] = [.cancelLoad(load.id)]
    do throws(SearchError) {
      let page = try outcome.get()
      let dropped = try insert(page, number: load.page, isFocus: !ended.callers.isEmpty, response)
      actions += loadWanted() + publish() + report(page)
      actions += ended.callers.map { .resume(caller: $0, .success(.loaded)) }
      actions.append(.discard(dropped))
    } catch {
      // Further pages would most likely fail as well, so they wait until rows are presented again.
      if ended.isForRows { wanted = [] }
      // A cancelled load is not reported as a failure.
      actions += publish()
      if error.code != .cancelled { actions.append(.report(error)) }
      actions += ended.callers.map { .resume(caller: $0, .failure(error)) }
    }
    return actions
  }

  private mutating func insert(
    _ page: HitsPage<Record>, number: Int, isFocus: Bool, _ response: SearchAnswer?
  ) throws(SearchError) -> [Map.Page] {
    guard map?.fits(page) == true else {
      throw SearchError(.decoding, "The page has another size than the pages before.")
    }
    if isFocus { focus = Focus(page: number, window: number...number) }
    let kept = keptPages
    // The last presented row may be far from the page.
    guard kept.contains(number) else { return [] }
    map?.insert(page, number: number, response: response)
    nbHits = max(0, page.nbHits)
    rowsRevision += 1
    return map?.drop(outside: kept) ?? []
  }

  /// The pages that are kept, near the last presented row.
  ///
  /// They include the whole window, even if it is wider than the offset. Otherwise its pages would
  /// be loaded again and again.
  private var keptPages: ClosedRange<Int> {
    guard let offset = pageCleanUpOffset.map({ max(0, $0) }), let focus else { return 0...Int.max }
    let lower = min(max(0, focus.page - offset), focus.window.lowerBound)
    let (sum, overflow) = focus.page.addingReportingOverflow(offset)
    return lower...max(overflow ? .max : sum, focus.window.upperBound)
  }

  private mutating func load(_ number: Int) -> Action {
    nextLoadID += 1
    pending[number] = Pending(id: nextLoadID)
    return .load(Load(id: nextLoadID, page: number), of: response)
  }

  mutating func abandonLoads(with error: SearchError) -> [Action] {
    let loads = pending.values.sorted { $0.id < $1.id }
    pending = [:]
    wanted = []
    return loads.flatMap { load in
      [.cancelLoad(load.id)] + load.callers.map { .resume(caller: $0, .failure(error)) }
    }
  }
}
