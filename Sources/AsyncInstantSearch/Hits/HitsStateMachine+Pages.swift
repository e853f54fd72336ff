// Pages of the search whose rows are shown.

extension HitsStateMachine {
  /// How many pages may be under way for rows that are presented; more wait for one of them to end.
  package static var loadLimit: Int { 4 }

  /// How many rows before and after a presented one are loaded at most.
  package static var offsetLimit: Int { 1000 }

  /// How many pages of presented rows are remembered while others are loaded.
  private static var windowLimit: Int { 64 }

  /// A row is presented: the pages around it are wanted.
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

  /// Ends what is loaded or wanted for rows so far away by now that it would not be kept.
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

  /// Begins loads of the pages that are missing around presented rows, as many as may be under way:
  /// the row presented last comes first, and of its pages the nearest.
  private mutating func loadWanted() -> [Action] {
    guard isCurrent else { return [] }
    var actions: [Action] = []
    while let next = wanted.first, pending.count < Self.loadLimit {
      let missing = missingPages(of: next)
      for number in missing.prefix(Self.loadLimit - pending.count) {
        actions.append(load(number))
        pending[number]?.isForRows = true
      }
      // It comes back with its next row, should a page of it fail.
      if pending.count < Self.loadLimit { wanted.removeFirst() }
    }
    return actions
  }

  /// The pages of a window that are neither there nor under way, the nearest first, as many as may
  /// be under way. Those that are under way for a caller are from now on for rows, too.
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

  /// A caller wants the page before or after the loaded ones around the row presented last.
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

  /// Why there are no pages to be loaded now.
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

  /// A caller does not wait any more. Its load ends, unless another caller or a row needs the page.
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

  /// A page came, or it did not.
  package mutating func loadEnded(
    _ load: Load, _ outcome: Result<HitsPage<Record>, SearchError>, response: HitsResponse? = nil
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
      // The pages that follow would most likely fail as well: they wait until rows are presented
      // again.
      if ended.isForRows { wanted = [] }
      // A cancelled load is not a failed one.
      actions += publish()
      if error.code != .cancelled { actions.append(.report(error)) }
      actions += ended.callers.map { .resume(caller: $0, .failure(error)) }
    }
    return actions
  }

  private mutating func insert(
    _ page: HitsPage<Record>, number: Int, isFocus: Bool, _ response: HitsResponse?
  ) throws(SearchError) -> [Map.Page] {
    guard map?.fits(page) == true else {
      throw SearchError(.decoding, "The page has another size than the pages before.")
    }
    if isFocus { focus = Focus(page: number, window: number...number) }
    let kept = keptPages
    // The rows of the page may be far away by now.
    guard kept.contains(number) else { return [] }
    map?.insert(page, number: number, response: response)
    nbHits = max(0, page.nbHits)
    rowsRevision += 1
    return map?.drop(outside: kept) ?? []
  }

  /// The pages that are kept: those near the row presented last.
  ///
  /// A window wider than the offset is kept whole, or its pages would be loaded over and over.
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
