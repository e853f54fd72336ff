import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Events of a search that an insights client tracks.
struct SearchEventTrackingTests {
  private struct Film: Codable, Sendable {
    let title: String
  }

  @Test func eachActionBecomesItsEvent() throws {
    func event(_ action: SearchEvent.Action) throws -> InsightsEvent {
      try InsightsEvent(SearchEvent(action, named: "n", in: "films"))
    }
    try expectEqual(
      event(.viewedHits(objectIDs: ["a"], queryID: "q")),
      .viewed(objectIDs: ["a"], named: "n", in: "films"))
    try expectEqual(
      event(.clickedHits(objectIDs: ["a"], positions: [3], queryID: "q")),
      .clicked(objectIDs: ["a"], positions: [3], queryID: "q", named: "n", in: "films"))
    try expectEqual(
      event(.convertedHits(objectIDs: ["a"], queryID: "q")),
      .converted(objectIDs: ["a"], queryID: "q", named: "n", in: "films"))
    let filters: [Filter] = [
      ("brand" == "A & B").filter, ("rating" >= 4).filter, .tag(Filter.Tag("new")),
    ]
    try expectEqual(
      event(.clickedFilters(filters)),
      .clicked(
        filters: [
          InsightsFilter(facet: "brand", value: "A & B"),
          InsightsFilter(facet: "rating", value: "4"),
          InsightsFilter(facet: "_tags", value: "new"),
        ], named: "n", in: "films"))
    let range: Filter = .numeric(Filter.Numeric("price", .less, 4))
    #expect(throws: SearchError.self) { try event(.clickedFilters([range])) }
    #expect(throws: SearchError.self) { try event(.clickedFilters([!filters[1]])) }
  }

  @Test func eventsOfASearchAreTrackedInOneLoop() async throws {
    let queryID = "43b15df305339e827f0ac0bdc5ebcaa7"
    let search = ScriptedTransport(
      json: """
        {"hits": [{"objectID": "1", "title": "Heat"}, {"objectID": "2", "title": "Ronin"}],
         "page": 0, "hitsPerPage": 20, "queryID": "\(queryID)"}
        """)
    let service = ScriptedTransport(json: #"{"status":200,"message":"OK"}"#)
    let insights = try InsightsClient(transport: service, userToken: "visitor-42")
    let searcher = HitsSearcher(client: SearchClient(transport: search), indexName: "films")
    let page: HitsPage<Hit<Film>>
    let stream: AsyncStream<SearchEvent>
    do {
      let events = SearchEvents()
      events.connectSearcher(searcher)
      stream = events.events
      page = try await searcher.search().page(of: Hit<Film>.self)
      try events.click(page.hits[1])
    }
    for await event in stream { try await insights.track(event) }
    let flush = await insights.flush()
    #expect(flush.sentCount == 2 && flush.remainingCount == 0)
    let events = try JSON(parsing: service.requests[0].body)["events"]?.arrayValue ?? []
    expectEqual(events.map { $0["eventType"]?.stringValue }, ["view", "click"])
    expectEqual(events.map { $0["eventName"]?.stringValue }, ["Hits Viewed", "Hit Clicked"])
    expectEqual(events.first?["objectIDs"], ["1", "2"])
    expectEqual(events.last?["positions"], [2])
    expectEqual(events.last?["queryID"]?.stringValue, queryID)
  }
}
