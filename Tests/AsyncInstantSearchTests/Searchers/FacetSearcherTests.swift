import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct FacetSearcherTests {
  private func engine() async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "films",
      records: [
        ["objectID": "1", "country": "Italy", "genre": "Drama", "year": 1960],
        ["objectID": "2", "country": "Iran", "genre": "Drama", "year": 1990],
        ["objectID": "3", "country": "Italy", "genre": "Comedy", "year": 1970],
        ["objectID": "4", "country": "France", "genre": "Drama", "year": 1959],
      ] as [JSON],
      settings: IndexSettings(
        searchableAttributes: ["country"],
        attributesForFaceting: ["searchable(country)", "genre"]))
  }

  private func searcher(_ transport: some SearchTransport) -> FacetSearcher {
    FacetSearcher(
      client: SearchClient(transport: transport), indexName: "films", attribute: "country",
      options: .init(clock: ManualClock()))
  }

  @Test func valuesFollowTheText() async throws {
    let searcher = searcher(try await engine())
    var pages = searcher.pages.makeAsyncIterator()
    searcher.setQuery("i")
    await expectEqual(pages.next()?.facetHits.map(\.value), ["Italy", "Iran"])
    searcher.setQuery("ital")
    let hit = await pages.next()?.facetHits.first
    expectEqual(hit?.count, 2)
    expectEqual(hit?.highlighted.raw, "<em>Ital</em>y")
    searcher.setQuery(nil)
    await expectEqual(pages.next()?.facetHits.count, 3)
  }

  @Test func filtersOnOtherFacetsNarrowTheCounts() async throws {
    let searcher = searcher(try await engine())
    let filters = FilterState()
    filters.update {
      $0[or: "country"].add("country" == "France")
      $0[and: "genre"].add("genre" == "Drama")
    }
    searcher.update { $0.context.filters = "year < 1980" }
    searcher.connectFilterState(filters)
    let page = try await searcher.search()
    expectEqual(page.facetHits.map(\.value), ["France", "Italy"])
    expectEqual(page.facetHits.map(\.count), [1, 1])
  }

  @Test func connectingDoesNotSearchAndChangesSearchOnlyOnRequest() async throws {
    let engine = try await engine()
    let transport = ScriptedTransport { request, _ in try await engine.send(request) }
    let searcher = searcher(transport)
    let filters = FilterState()
    filters.update { $0[and: "genre"].add("genre" == "Comedy") }
    searcher.connectFilterState(filters, searchesOnChange: false)
    filters.update { $0[and: "genre"] = [.facet("genre" == "Drama")] }
    expectEqual(searcher.request.filterGroups, filters.groups)
    expectEqual(searcher.state, .idle)
    let others = FilterState()
    var pages = searcher.pages.makeAsyncIterator()
    searcher.connectFilterState(others)
    #expect(searcher.request.filterGroups.isEmpty)
    others.update { $0[and: "genre"].add("genre" == "Comedy") }
    await expectEqual(pages.next()?.facetHits.map(\.value), ["Italy"])
    expectEqual(transport.requests.count, 1)
  }

  @Test func lateResponseIsNotShown() async {
    let transport = GatedTransport()
    let searcher = searcher(transport)
    let errors = searcher.errors
    searcher.setQuery("old")
    await transport.waitForCalls(1)
    searcher.setQuery("new")
    await transport.waitForCalls(2)
    transport.fail(0, with: SearchError(.server, "late"))
    transport.fail(1, with: SearchError(.server, "on time"))
    var iterator = errors.makeAsyncIterator()
    await expectEqual(iterator.next()?.message, "on time")
  }

  @Test func nonSearchableFacetIsAnErrorAndTheSearcherContinues() async throws {
    let searcher = searcher(try await engine())
    searcher.update { $0.attribute = "genre" }
    let error = await #expect(throws: SearchError.self) { try await searcher.search() }
    expectEqual(error?.code, .invalidRequest)
    searcher.update { $0.attribute = "country" }
    try await expectEqual(searcher.search().facetHits.count, 3)
  }

  @Test func deallocatingTheSearcherEndsItsStreams() async throws {
    var searcher: FacetSearcher? = searcher(try await engine())
    let filters = FilterState()
    searcher?.connectFilterState(filters)
    weak let released = searcher
    guard let pages = searcher?.pages, let states = searcher?.states else { return }
    searcher = nil
    #expect(released == nil)
    filters.update { $0[and: "genre"].add("genre" == "Drama") }
    for await _ in pages { Issue.record("a page") }
    for await state in states { expectEqual(state, .idle) }
  }
}
