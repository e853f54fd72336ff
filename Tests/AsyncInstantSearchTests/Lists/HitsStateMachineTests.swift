import AsyncInstantSearch
import TestSupport
import Testing

/// Events in, actions out; nothing runs.
@Suite struct HitsStateMachineTests {
  private typealias Machine = HitsStateMachine<String>

  /// A page of the search of that generation. Its hits are numbered like their rows.
  private func page(
    _ number: Int = 0, size: Int = 3, count: Int? = nil, of nbHits: Int = 18, nbPages: Int? = nil,
    generation: UInt64 = 1, text: String = "q"
  ) -> HitsPage<String> {
    let first = number * size
    let count = count ?? max(0, min(size, nbHits - first))
    var page = HitsPage(
      hits: (first..<first + count).map { "\(text)\($0)" }, nbHits: nbHits, page: number,
      nbPages: nbPages ?? (nbHits + size - 1) / size, hitsPerPage: size)
    page.request = SearchRequest("index", SearchQuery(text))
    page.generation = generation
    return page
  }

  private func status(
    _ generation: UInt64, pending: Bool = false, text: String = "q"
  ) -> HitsSearcherStatus {
    HitsSearcherStatus(
      request: SearchRequest("index", SearchQuery(text)), generation: generation,
      isPending: pending, response: nil)
  }

  /// A state machine that shows that page, and the other pages of the same search.
  private func machine(
    offset: Int? = 5, cleanUp: Int? = nil, showing first: Int, _ others: [Int] = [],
    of nbHits: Int = 18
  ) -> Machine {
    var machine = Machine(
      infiniteScrolling: offset.map { .on(withOffset: $0) } ?? .off, pageCleanUpOffset: cleanUp)
    _ = machine.statusChanged(status(1))
    _ = machine.responseDecoded(page(first, of: nbHits))
    for other in others { load(other, in: &machine, of: nbHits) }
    return machine
  }

  private func load(_ number: Int, in machine: inout Machine, of nbHits: Int = 18) {
    // A row in the middle of the page loads it, among others.
    for load in loads(machine.presented(number * 3 + 1)) where load.page == number {
      _ = machine.loadEnded(load, .success(page(number, of: nbHits)))
    }
  }

  private func loads(_ actions: [Machine.Action]) -> [Machine.Load] {
    actions.compactMap { if case .load(let load, _) = $0 { load } else { nil } }
  }

  private func asked(_ actions: [Machine.Action]) -> [Int] { loads(actions).map(\.page).sorted() }

  private func resumed(_ actions: [Machine.Action]) -> [String] {
    actions.compactMap { action in
      guard case .resume(let caller, let outcome) = action else { return nil }
      return switch outcome {
      case .success(let load): "\(caller) \(load)"
      case .failure(let error): "\(caller) \(error.code)"
      }
    }
  }

  private func reported(_ actions: [Machine.Action]) -> [SearchError.Code] {
    actions.compactMap { if case .report(let error) = $0 { error.code } else { nil } }
  }

  private func published(_ actions: [Machine.Action]) -> [HitsState<String>] {
    actions.compactMap { if case .publish(let state) = $0 { state } else { nil } }
  }

  // MARK: Pages that a row loads

  @Test(arguments: [
    // first page, row, offset, number of hits, loaded pages
    (1, 5, 3, 18, [0, 2]),
    (1, 5, 2, 18, [2]),
    (2, 6, 5, 9, [0, 1]),
    (1, 5, 5, 6, [0]),
    (1, 4, 5, 18, [0, 2, 3]),
    (0, 0, 0, 18, []),
    (0, 17, 0, 18, [5]),
    (0, 18, 5, 18, []),
    (0, -1, 5, 18, []),
    (0, 0, -4, 18, []),
    (0, 9, .max, 18, [1, 2, 3, 4]),
  ])
  func rowLoadsThePagesAroundIt(
    first: Int, row: Int, offset: Int, nbHits: Int, pages: [Int]
  ) {
    var machine = machine(offset: offset, showing: first, of: nbHits)
    expectEqual(asked(machine.presented(row)), pages)
    #expect(asked(machine.presented(row)).isEmpty, "the pages are in flight")
  }

  @Test func loadedPagesAreNotLoadedAgain() {
    var machine = machine(offset: 0, showing: 0, [1, 3], of: 11)
    expectEqual(machine.visible?.pages.keys.sorted(), [0, 1, 3])
    expectEqual(machine.displayedState.hits.last, "q10")
    machine = self.machine(offset: 10, showing: 1, of: 11)
    expectEqual(asked(machine.presented(5)), [0, 2, 3])
  }

  @Test func nothingIsLoadedWithoutScrolling() {
    var machine = machine(offset: nil, showing: 0)
    #expect(machine.presented(2).isEmpty)
    expectEqual(asked(machine.loadRequested(.next, caller: 7)), [1])
  }

  // MARK: Rows

  @Test func rowsComeFromTheirPages() {
    let machine = machine(offset: 0, showing: 0, [3], of: 12)
    expectEqual(
      Array(machine.displayedState.hits),
      ["q0", "q1", "q2", nil, nil, nil, nil, nil, nil, "q9", "q10", "q11"])
    #expect(machine.displayedState.hits[12] == nil && machine.displayedState.hits[-1] == nil)
  }

  @Test func pageSizeIsNotTheNumberOfHits() {
    // The last page came first, with two hits. Every hit of another page can still be reached.
    let machine = machine(offset: 0, showing: 2, [0], of: 8)
    expectEqual(Array(machine.displayedState.hits), ["q0", "q1", "q2", nil, nil, nil, "q6", "q7"])
  }

  @Test func numberOfRowsStaysWhenPagesAreDropped() {
    var machine = machine(offset: 0, cleanUp: 1, showing: 0, [3])
    expectEqual(machine.displayedState.numberOfHits, 18)
    expectEqual(machine.visible?.pages.keys.sorted(), [3])
    load(4, in: &machine)
    expectEqual(machine.visible?.pages.keys.sorted(), [3, 4])
    expectEqual(machine.displayedState.numberOfHits, 18)
    load(1, in: &machine)
    expectEqual(machine.visible?.pages.keys.sorted(), [1])
    expectEqual(machine.displayedState.hits.count, 18)
  }

  @Test func pagesOfAWideWindowAreKept() {
    var machine = machine(offset: 9, cleanUp: 0, showing: 0)
    for load in loads(machine.presented(0)) {
      _ = machine.loadEnded(load, .success(page(load.page)))
    }
    expectEqual(machine.visible?.pages.keys.sorted(), [0, 1, 2, 3])
    #expect(machine.presented(0).isEmpty)
  }

  @Test(arguments: [
    (HitsPage(hits: ["a"], nbHits: 1000, page: 0, nbPages: 2, hitsPerPage: 20), 40),
    (HitsPage(hits: ["a"], nbHits: 30, page: 0, nbPages: 2, hitsPerPage: 20), 30),
    (HitsPage(hits: [], nbHits: 30, page: 0, nbPages: 0, hitsPerPage: 0), 0),
    (HitsPage(hits: ["a", "b"], nbHits: 0, page: 0, nbPages: 0, hitsPerPage: 0), 2),
    (HitsPage(hits: ["a"], nbHits: -5, page: -3, nbPages: -2, hitsPerPage: -1), 1),
    (HitsPage(hits: ["a"], nbHits: .max, page: 0, nbPages: .max, hitsPerPage: 20), 1 << 24),
    (HitsPage(hits: ["a"], nbHits: .max, page: .max, nbPages: .max, hitsPerPage: .max), 1 << 24),
    (HitsPage(hits: [String](), nbHits: 0), 0),
  ])
  func numberOfRowsIsLimitedByThePages(page: HitsPage<String>, count: Int) {
    let map = PageMap(page)
    expectEqual(map.rowCount, count)
    #expect(map[count] == nil && map[.max] == nil && map[.min] == nil)
  }

  @Test func sliceIsOnePage() {
    var page = HitsPage(hits: ["a", "b"], nbHits: 100, page: 0, nbPages: 50, hitsPerPage: 2)
    page.offset = 30
    page.length = 2
    let map = PageMap(page)
    expectEqual(Array(HitsRows(map)), ["a", "b"])
    expectEqual(map.pageCount, 1)
  }

  @Test func undecodableHitKeepsItsRow() {
    var page = page(1, count: 2)
    page.failures = [HitFailure(position: 5, objectID: nil, codingPath: [], reason: "")]
    expectEqual(Array(HitsRows(PageMap(page)))[3...5], ["q3", nil, "q4"])
  }

  @Test func pagesOfGroupsCanExceedTheirSize() {
    // Two groups on a page, of up to two hits each; five groups.
    var map = PageMap(
      HitsPage(hits: ["a1", "a2", "b"], nbHits: 5, page: 0, nbPages: 3, hitsPerPage: 2))
    map.insert(
      HitsPage(hits: ["c", "d1", "d2"], nbHits: 5, page: 1, nbPages: 3, hitsPerPage: 2), number: 1)
    map.insert(
      HitsPage(hits: ["e1", "e2"], nbHits: 5, page: 2, nbPages: 3, hitsPerPage: 2), number: 2)
    expectEqual(Array(HitsRows(map)), ["a1", "a2", "b", "c", "d1", "d2", "e1", "e2"])
    _ = map.drop(outside: 2...2)
    #expect(map.rowCount == 8 && map[6] == "e1")
  }

  // MARK: Generations

  @Test func newerRequestKeepsTheRowsUntilItsResponse() {
    var machine = machine(showing: 0)
    let waiting = published(machine.statusChanged(status(2, pending: true, text: "r")))
    expectEqual(waiting.map(\.isLoading), [true])
    expectEqual(waiting.first?.hits.first, "q0")
    expectEqual(waiting.first?.query, "q")
    #expect(machine.presented(0).isEmpty, "pages of an old request are not loaded")
    #expect(published(machine.statusChanged(status(3, pending: true, text: "rs"))).isEmpty)
    #expect(machine.responseDecoded(page(generation: 2, text: "r")).isEmpty)
    let changed = machine.statusChanged(status(3, text: "rs"))
    expectEqual(published(changed).map(\.isLoading), [false])
    let shown = published(machine.responseDecoded(page(generation: 3, text: "rs")))
    expectEqual(shown.map(\.query), ["rs"])
    expectEqual(shown.first?.generation, 3)
    #expect(machine.revisions.rows == 2 && machine.revisions.request == 2)
  }

  @Test func aNewerSearchEndsPageLoads() {
    var machine = machine(showing: 0)
    let old = loads(machine.presented(2))
    #expect(asked(machine.loadRequested(.next, caller: 9)).isEmpty, "the page is in flight")
    let ended = machine.statusChanged(status(2, pending: true))
    expectEqual(resumed(ended), ["9 superseded"])
    #expect(old.allSatisfy { !machine.wants($0) })
    #expect(machine.loadEnded(old[0], .success(page(1))).isEmpty)
    expectEqual(resumed(machine.loadRequested(.next, caller: 10)), ["10 unsettled"])
    // The newer search fails: the rows stay, and pages are loaded again.
    expectEqual(published(machine.statusChanged(status(2))).map(\.isLoading), [false])
    expectEqual(asked(machine.presented(2)), [1, 2])
  }

  @Test func pagesAreNotLoadedForAnOutdatedRequest() {
    var machine = machine(showing: 0)
    _ = machine.statusChanged(status(2, text: "refused"))
    #expect(machine.presented(0).isEmpty)
    expectEqual(machine.displayedState.hits.first, "q0")
  }

  @Test func anotherRequestEndsPageLoadsBeforeItIsSearched() {
    var machine = machine(offset: nil, showing: 0)
    expectEqual(asked(machine.loadRequested(.next, caller: 9)), [1])
    expectEqual(resumed(machine.statusChanged(status(1, text: "later"))), ["9 superseded"])
  }

  @Test func rowsOfANewSearchAreLoadedFromItsPage() {
    var machine = machine(offset: 0, showing: 0)
    expectEqual(asked(machine.presented(10)), [3])
    _ = machine.statusChanged(status(2))
    _ = machine.responseDecoded(page(generation: 2))
    expectEqual(asked(machine.loadRequested(.next, caller: 9)), [1])
  }

  // MARK: Page loads

  @Test func failedPageCanBeLoadedAgain() {
    var machine = machine(offset: 3, showing: 0)
    let load = loads(machine.presented(0))[0]
    let failed = machine.loadEnded(load, .failure(SearchError(.server, "down")))
    expectEqual(reported(failed), [.server])
    expectEqual(published(failed).map(\.isLoadingPage), [false])
    expectEqual(asked(machine.presented(0)), [1])
  }

  @Test func pagesThatWaitAreNotLoadedAfterAFailure() {
    var machine = machine(offset: 20, showing: 0, of: 60)
    let begun = loads(machine.presented(0))
    expectEqual(begun.map(\.page), [1, 2, 3, 4])
    _ = machine.loadEnded(begun[0], .failure(SearchError(.server, "down")))
    expectEqual(asked(machine.loadEnded(begun[1], .success(page(2, of: 60)))), [])
    expectEqual(asked(machine.presented(0)), [1, 5])
  }

  @Test func cancelledPageIsNotAnErrorAndCanBeLoadedAgain() {
    var machine = machine(offset: 3, showing: 0)
    let load = loads(machine.presented(0))[0]
    #expect(reported(machine.loadEnded(load, .failure(SearchError(.cancelled, "")))).isEmpty)
    expectEqual(asked(machine.presented(0)), [1])
  }

  @Test func twoLoadsInFlightBothComplete() {
    var machine = machine(offset: 3, showing: 2)
    let both = loads(machine.presented(7))
    expectEqual(both.map(\.page).sorted(), [1, 3])
    for load in both.reversed() { _ = machine.loadEnded(load, .success(page(load.page))) }
    expectEqual(machine.displayedState.hits.loaded, (3...11).map { "q\($0)" })
    #expect(!machine.displayedState.isLoadingPage)
  }

  @Test func pageOfAnotherSizeIsRejected() {
    var machine = machine(offset: 3, showing: 0)
    let load = loads(machine.presented(0))[0]
    let ended = machine.loadEnded(load, .success(page(1, size: 4)))
    expectEqual(reported(ended), [.decoding])
    expectEqual(machine.displayedState.hits.loaded, ["q0", "q1", "q2"])
  }

  @Test func callersLoadToBothEnds() {
    var machine = machine(offset: nil, cleanUp: 1, showing: 1, of: 8)
    let next = machine.loadRequested(.next, caller: 1)
    #expect(asked(machine.loadRequested(.next, caller: 2)).isEmpty)
    let came = machine.loadEnded(loads(next)[0], .success(page(2, of: 8)))
    expectEqual(resumed(came), ["1 loaded", "2 loaded"])
    expectEqual(resumed(machine.loadRequested(.next, caller: 3)), ["3 noSuchPage"])
    let previous = machine.loadRequested(.previous, caller: 4)
    expectEqual(asked(previous), [0])
    _ = machine.loadEnded(loads(previous)[0], .success(page(0, of: 8)))
    expectEqual(resumed(machine.loadRequested(.previous, caller: 5)), ["5 noSuchPage"])
    expectEqual(machine.visible?.pages.keys.sorted(), [0, 1])
    expectEqual(machine.displayedState.numberOfHits, 8)
  }

  @Test func cancelledCallerEndsALoadWithoutOtherCallers() {
    var machine = machine(offset: 3, showing: 0)
    let load = loads(machine.loadRequested(.next, caller: 1))[0]
    _ = machine.loadRequested(.next, caller: 2)
    expectEqual(resumed(machine.callerCancelled(1)), ["1 cancelled"])
    #expect(machine.wants(load))
    expectEqual(resumed(machine.callerCancelled(2)), ["2 cancelled"])
    #expect(!machine.wants(load))
    #expect(machine.callerCancelled(2).isEmpty)
    // A load that a row also needs continues.
    let again = loads(machine.loadRequested(.next, caller: 3))[0]
    _ = machine.presented(0)
    _ = machine.callerCancelled(3)
    #expect(machine.wants(again))
  }

  @Test func disconnectedListKeepsItsRowsAndLoadsNothing() {
    var machine = machine(showing: 0)
    _ = machine.loadRequested(.next, caller: 1)
    expectEqual(resumed(machine.disconnected()), ["1 cancelled"])
    #expect(machine.presented(0).isEmpty)
    expectEqual(resumed(machine.loadRequested(.next, caller: 2)), ["2 invalidRequest"])
    expectEqual(machine.displayedState.hits.first, "q0")
    // The response of another searcher counts, although its generation is the same.
    _ = machine.statusChanged(status(1, text: "r"))
    #expect(machine.presented(0).isEmpty)
    #expect(machine.revisions.rows == 1 && machine.revisions.request == 1)
    _ = machine.responseDecoded(page(text: "r"))
    #expect(!machine.presented(0).isEmpty)
  }

  @Test func pageFarFromThePresentedRowsIsDropped() {
    var machine = machine(offset: 0, cleanUp: 1, showing: 0)
    let near = loads(machine.presented(3))[0]
    let far = loads(machine.presented(17))[0]
    let shown = published(machine.loadEnded(near, .success(page(1))))
    #expect(shown.isEmpty, "an equal state is not published")
    _ = machine.loadEnded(far, .success(page(5)))
    expectEqual(machine.visible?.pages.keys.sorted(), [5])
    expectEqual(asked(machine.presented(3)), [1])
  }

  // MARK: Empty queries

  @Test func rowsAreHiddenWhileTheQueryIsEmpty() {
    var machine = Machine(showItemsOnEmptyQuery: false)
    _ = machine.statusChanged(status(1, text: ""))
    _ = machine.responseDecoded(page(text: ""))
    #expect(machine.displayedState.hits.isEmpty && machine.displayedState.nbHits == 0)
    #expect(machine.presented(0).isEmpty)
    // The rows of the empty query do not appear when the first letter is typed.
    _ = machine.statusChanged(status(2, pending: true, text: "a"))
    #expect(machine.visible == nil)
    _ = machine.statusChanged(status(2, text: "a"))
    _ = machine.responseDecoded(page(generation: 2, text: "a"))
    expectEqual(machine.displayedState.numberOfHits, 18)
    let revisions = machine.revisions
    // They disappear at once when the text is deleted.
    let deleted = published(machine.statusChanged(status(3, pending: true, text: "")))
    expectEqual(deleted.map(\.numberOfHits), [0])
    expectEqual(machine.revisions.rows, revisions.rows + 1)
  }

  @Test func hugePageNumberIsHarmless() {
    var page = page(0, size: 2, count: 3)
    page.page = .max
    var machine = Machine(infiniteScrolling: .on(withOffset: .max), pageCleanUpOffset: .max)
    _ = machine.statusChanged(status(1))
    _ = machine.responseDecoded(page)
    #expect(machine.displayedState.hits[0] == nil)
    #expect(asked(machine.presented(0)).contains(0))
    expectEqual(asked(machine.loadRequested(.next, caller: 1)), [])
    _ = machine.loadRequested(.previous, caller: 2)
  }

  @Test func newerSearchWithoutResultEndsPageLoads() {
    var machine = machine(showing: 0)
    expectEqual(asked(machine.presented(1)), [1, 2])
    let actions = machine.statusChanged(status(2))
    expectEqual(actions.filter { if case .cancelLoad = $0 { true } else { false } }.count, 2)
    #expect(!machine.displayedState.isLoadingPage)
  }
}
