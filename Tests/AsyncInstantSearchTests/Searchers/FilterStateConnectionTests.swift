import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct FilterStateConnectionTests {
  private let transport = ScriptedTransport { request, _ in try echo(request) }

  private func searcher() -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
  }

  private func sent(_ parameter: String) -> [JSON?] {
    transport.requests.map { try? JSON(parsing: $0.body)[parameter] }
  }

  @Test func connectingAppliesTheFiltersWithoutSearching() async throws {
    let filters = FilterState()
    filters.update { $0[and: "a"].add("a" == "x") }
    let searcher = searcher()
    searcher.connectFilterState(filters)
    expectEqual(searcher.request.filterGroups, filters.groups)
    expectEqual(searcher.state, .idle)
    expectEqual(searcher.newestGeneration, 0)
    try await searcher.search()
    expectEqual(sent("facetFilters"), [["a:x"]])
  }

  @Test func transactionIsOneChangeAndReturnsToTheFirstPage() async throws {
    let filters = FilterState()
    let searcher = searcher()
    searcher.connectFilterState(filters)
    searcher.connectFilterState(filters)
    var pages = searcher.pages(of: Echo.self).makeAsyncIterator()
    searcher.update { $0.query.page = 3 }
    _ = await pages.next()
    let requests = searcher.requests(buffering: .unbounded)
    filters.update {
      $0[or: "a"].add("a" == "x", "a" == "y")
      $0[and: "b"].add("b" > 1)
    }
    #expect(searcher.request.query.page == nil)
    _ = await pages.next()
    expectEqual(sent("facetFilters").last, [["a:x", "a:y"]])
    expectEqual(sent("numericFilters").last, ["b>1"])
    expectEqual(transport.requests.count, 2)
    var texts: [String?] = []
    for await request in requests {
      texts.append(request.filterGroups.text)
      if texts.count == 2 { break }
    }
    expectEqual(texts, [nil, #"("a":"x" OR "a":"y") AND "b" > 1"#])
  }

  @Test func connectionCanBeDisconnectedAndReplaced() {
    let first = FilterState()
    let second = FilterState()
    let searcher = searcher()
    let connection = searcher.connectFilterState(first)
    #expect(searcher.connectFilterState(first) === connection)
    let other = searcher.connectFilterState(second)
    #expect(!connection.isConnected)
    first.update { $0[and: "a"].add("a" == "first") }
    #expect(searcher.request.filterGroups.isEmpty)
    second.update { $0[and: "a"].add("a" == "second") }
    expectEqual(searcher.request.filterGroups.text, #""a":"second""#)
    other.disconnect()
    second.update { $0.removeAll() }
    expectEqual(searcher.request.filterGroups.text, #""a":"second""#)
    let again = searcher.connectFilterState(second)
    #expect(again !== other && again.isConnected)
    #expect(searcher.request.filterGroups.isEmpty)
  }

  @Test func neitherRetainsTheOther() {
    var filters: FilterState? = FilterState()
    var searcher: HitsSearcher? = searcher()
    weak let releasedFilters = filters
    weak let releasedSearcher = searcher
    if let filters { searcher?.connectFilterState(filters) }
    searcher = nil
    #expect(releasedSearcher == nil)
    filters?.update { $0[and: "a"].add("a" == "x") }
    filters = nil
    #expect(releasedFilters == nil)
  }

  @Test func newestFiltersAreSetAmongConcurrentChanges() async {
    let filters = FilterState()
    let searcher = searcher()
    searcher.connectFilterState(filters)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for value in 0..<25 {
            filters.update { $0[or: "a"].add("a" == "\(number)-\(value)") }
          }
        }
      }
    }
    expectEqual(searcher.request.filterGroups, filters.groups)
    expectEqual(searcher.request.filterGroups[or: "a"].count, 200)
  }

  /// The request is equal before and after the other change, but the first change has read filters
  /// that are no longer those of the state.
  @Test func filtersRemovedDuringTheChangeAreNotSet() {
    let filters = FilterState()
    let runs = Lock(0)
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport(json: "{}")), indexName: "index",
      options: .init(clock: ManualClock())
    ) { request in
      if !request.filterGroups.isEmpty, runs.withLock({ $0 }) == 0 {
        runs.withLock { $0 += 1 }
        onAnotherThread { filters.update { $0.removeAll() } }
      }
      return true
    }
    searcher.connectFilterState(filters)
    filters.update { $0[and: "a"].add("a" == "x") }
    #expect(filters.groups.isEmpty && searcher.request.filterGroups.isEmpty)
    expectEqual(runs.withLock { $0 }, 1)
  }

  @Test func shouldSearchCannotChangeAFilterState() async {
    let filters = FilterState()
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport(json: "{}")), indexName: "index",
      options: .init(clock: ManualClock())
    ) { request in
      if !request.filterGroups.isEmpty { filters.update { $0.removeAll() } }
      return true
    }
    searcher.connectFilterState(filters)
    var errors = filters.errors.makeAsyncIterator()
    let isChanged = filters.update { $0[and: "a"].add("a" == "x") }
    let error = await errors.next()
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("`shouldSearch` must only look at its argument") == true)
    #expect(isChanged && filters.text == #""a":"x""#)
    expectEqual(searcher.request.filterGroups, filters.groups)
  }
}
