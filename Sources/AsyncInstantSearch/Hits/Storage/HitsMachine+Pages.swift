// Pages of the search whose rows are shown.

extension HitsMachine {
  /// A row is presented: the pages around it are wanted.
  package mutating func presented(_ row: Int) -> [Action] {
    guard case .on(let offset) = infiniteScrolling, isCurrent, let map = visible,
      let window = map.window(around: row, offset: offset)
    else { return [] }
    let page = map.page(ofRow: row)
    focus = Focus(page: page, window: window)
    var actions: [Action] = []
    let missing = window.filter { map.pages[$0] == nil }
    for number in missing.sorted(by: { abs($0 - page) < abs($1 - page) }) {
      if pending[number] == nil { actions.append(load(number)) }
      pending[number]?.isForRows = true
    }
    return actions + publish()
  }

  /// A caller wants the page before or after the loaded ones around the row presented last.
  package mutating func loadRequested(_ direction: Direction, caller: UInt64) -> [Action] {
    guard let map, isAttached else { return [.resume(caller: caller, .success(false))] }
    guard isCurrent else {
      let error = SearchError(.superseded, "The rows belong to an older search.")
      return [.resume(caller: caller, .failure(error))]
    }
    let step = direction == .next ? 1 : -1
    var number = focus?.page ?? map.firstNumber
    let reachable = 0..<map.pageCount
    while reachable.contains(number), map.pages[number] != nil { number += step }
    guard reachable.contains(number) else {
      return [.resume(caller: caller, .success(false))]
    }
    var actions: [Action] = []
    if pending[number] == nil { actions.append(load(number)) }
    pending[number]?.callers.append(caller)
    return actions + publish()
  }

  /// A caller does not wait any more. Its load ends, unless somebody else wants the page.
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
    return actions + publish()
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
      actions += publish() + report(page)
      actions += ended.callers.map { .resume(caller: $0, .success(true)) }
      actions.append(.discard(dropped))
    } catch {
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
    return loads.flatMap { load in
      [.cancelLoad(load.id)] + load.callers.map { .resume(caller: $0, .failure(error)) }
    }
  }
}
