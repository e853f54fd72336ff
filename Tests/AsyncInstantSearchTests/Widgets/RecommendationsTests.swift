import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import LocalSearch
import TestSupport
import Testing

/// Recommendations as widgets: their rules, and the calls for them.
struct RecommendationsTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  private typealias Related = Recommendations<Film>

  /// A service whose searches are empty, and which recommends lists of records.
  private final class Service: Sendable {
    let transport: ScriptedTransport
    private let lists: Lock<[String: [String]]>
    let gate: CallGate?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - lists: The IDs of the recommended records, by objectID or model.
    ///   - isGated: Whether calls for recommendations wait until the gate is opened.
    init(_ lists: [String: [String]] = [:], isGated: Bool = false) {
      let gate = isGated ? CallGate() : nil
      self.gate = gate
      self.lists = Lock(lists)
      transport = ScriptedTransport { request, _ in
        guard request.path.hasSuffix("/recommendations") else {
          return TransportResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))
        }
        await gate?.pass()
        try Task.checkCancellation()
        let requests = try JSON(parsing: request.body)["requests"]?.arrayValue ?? []
        let results = requests.map { request -> JSON in
          let key = (request["objectID"] ?? request["model"])?.stringValue ?? ""
          if lists[key] == ["malformed"] { return ["hits": 1] }
          let hits = (lists[key] ?? []).map { id -> JSON in
            key == "trending-facets"
              ? ["facetName": "genre", "facetValue": .string(id), "_score": 50]
              : ["objectID": .string(id), "title": .string("film \(id)")]
          }
          return ["hits": .array(hits)]
        }
        let body = JSON.object(["results": .array(results)]).text
        return TransportResponse(status: 200, body: Array(body.utf8))
      }
    }

    var client: SearchClient { SearchClient(transport: transport) }

    /// The calls for recommendations.
    var calls: [TransportRequest] {
      transport.requests.filter { $0.path.hasSuffix("/recommendations") }
    }

    /// The objectIDs or models of the requests of a call.
    func keys(ofCall position: Int) throws -> [String] {
      let calls = calls
      guard calls.indices.contains(position) else { return [] }
      return try (JSON(parsing: calls[position].body)["requests"]?.arrayValue ?? [])
        .compactMap { ($0["objectID"] ?? $0["model"])?.stringValue }
    }

    func searcher(executor: (any TaskExecutor)? = nil) -> HitsSearcher {
      HitsSearcher(
        client: client, indexName: "films", options: SearcherOptions(executor: executor))
    }
  }

  /// The first view that a condition accepts.
  private func view<W: SearchWidget>(
    of widget: WidgetInteractor<W>, where isExpected: (W.View) -> Bool
  ) async -> W.View? {
    for await view in widget.views where isExpected(view) { return view }
    return nil
  }

  // MARK: Options

  @Test func optionsAreChecked() {
    func message(_ widget: Related) -> String? {
      expectEqual(widget.problem?.code, .invalidRequest)
      return widget.problem?.message
    }
    #expect(message(.relatedProducts(to: [], in: "films"))?.contains("objectID") == true)
    #expect(message(.relatedProducts(to: ["a", ""], in: "films"))?.contains("objectID") == true)
    #expect(
      message(.boughtTogether(with: ["a"], in: "films", threshold: 101))?
        .contains("threshold") == true)
    #expect(
      message(.lookingSimilar(to: ["a"], in: "films", maxRecommendations: 31))?
        .contains("maxRecommendations") == true)
    #expect(
      message(.trendingItems(in: "films", queryParameters: SearchQuery().with { $0.page = 1 }))?
        .contains("page") == true)
    #expect(
      message(.trendingItems(in: "films", facet: ("genre", "")))?.contains("facetValue") == true)
    expectEqual(Related.trendingItems(in: "films").problem, nil)
    #expect(TrendingFacets("", in: "films").problem != nil)
    #expect(TrendingFacets("genre", in: "").problem != nil)
  }

  // MARK: Merging

  private func merged(_ lists: [[String]], without inputs: [String], limit: Int = 30) -> [String] {
    Related.mergedHits(
      lists.map { $0.map { Hit(objectID: $0, object: Film(title: $0)) } }, without: inputs,
      limit: limit
    ).map(\.objectID)
  }

  @Test func listsAreMergedByAverageRank() {
    expectEqual(
      merged([["2", "a", "b"], ["b", "c", "a"]], without: ["1", "2"]), ["b", "a", "c"])
    expectEqual(
      merged([["2", "a", "b"], ["b", "c", "a"]], without: ["1", "2"], limit: 2), ["b", "a"])
    expectEqual(merged([["a", "b", "c"]], without: ["b"]), ["a", "c"])
    expectEqual(merged([["a", "x"], ["b", "x"]], without: []), ["x", "a", "b"])
    expectEqual(merged([["a", "a", "b"], []], without: []), ["a", "b"])
    expectEqual(merged([], without: []), [])
  }

  @Test func positionsAreCountedFromOne() {
    let hits = Related.mergedHits(
      [["2", "a", "b"].map { Hit(objectID: $0, object: Film(title: $0)) }], without: ["2"],
      limit: 5)
    expectEqual(hits.map(\.searchMetadata.position), [1, 2])
  }

  // MARK: Live

  @Test func allWidgetsShareOneCall() async throws {
    let service = Service([
      "1": ["2", "a", "b"], "2": ["b", "c", "a"], "3": ["d"], "trending-items": ["t"],
      "trending-facets": ["Crime"],
    ])
    let searcher = service.searcher()
    let related = WidgetInteractor(Related.relatedProducts(to: ["1", "2", "1"], in: "films"))
    let together = WidgetInteractor(Related.boughtTogether(with: ["3"], in: "films"))
    let similar = WidgetInteractor(Related.lookingSimilar(to: ["1"], in: "films"))
    let trending = WidgetInteractor(Related.trendingItems(in: "films"))
    let facets = WidgetInteractor(TrendingFacets("genre", in: "films"))
    related.connectSearcher(searcher)
    together.connectSearcher(searcher)
    similar.connectSearcher(searcher)
    trending.connectSearcher(searcher)
    facets.connectSearcher(searcher)
    #expect(service.transport.requests.isEmpty)
    #expect(!related.view.isLoading)
    try await searcher.search()
    let view = await view(of: related) { !$0.hits.isEmpty }
    expectEqual(view?.hits.map(\.objectID), ["b", "a", "c"])
    #expect(view?.isLoading == false && view?.error == nil)
    await expectEqual(self.view(of: together) { !$0.hits.isEmpty }?.hits.map(\.title), ["film d"])
    await expectEqual(
      self.view(of: similar) { !$0.hits.isEmpty }?.hits.map(\.objectID), ["2", "a", "b"])
    await expectEqual(self.view(of: trending) { !$0.hits.isEmpty }?.hits.map(\.objectID), ["t"])
    let items = await self.view(of: facets) { !$0.items.isEmpty }?.items
    expectEqual(
      items, [TrendingFacetValue(facetName: "genre", facetValue: "Crime", score: 50)])
    // Neither another search nor another page requests them again.
    try await searcher.search(for: "godfather")
    expectEqual(service.calls.count, 1)
    try expectEqual(
      service.keys(ofCall: 0), ["1", "2", "3", "1", "trending-items", "trending-facets"])
    expectEqual(service.transport.requests.count, 3)
  }

  @Test func equalRequestsAreSentOnce() async throws {
    let service = Service(["1": ["a"]])
    let searcher = service.searcher()
    let widgets = (0..<5).map { _ in
      WidgetInteractor(Related.relatedProducts(to: ["1"], in: "films"))
    }
    for widget in widgets { widget.connectSearcher(searcher) }
    try await searcher.search()
    for widget in widgets { #expect(await view(of: widget) { !$0.hits.isEmpty } != nil) }
    expectEqual(service.calls.count, 1)
    try expectEqual(service.keys(ofCall: 0), ["1"])
  }

  @Test func otherObjectIDsAreRequestedOnce() async throws {
    let service = Service(["1": ["a"], "2": ["b"]])
    let searcher = service.searcher()
    let related = WidgetInteractor(Related.relatedProducts(to: ["1"], in: "films"))
    let other = WidgetInteractor(Related.boughtTogether(with: ["1"], in: "films"))
    related.connectSearcher(searcher)
    other.connectSearcher(searcher)
    try await searcher.search()
    _ = await view(of: related) { !$0.hits.isEmpty }
    try related.perform { $0.setObjectIDs(["1"]) }
    try related.perform { $0.setObjectIDs(["2"]) }
    #expect(await view(of: related) { $0.hits.map(\.objectID) == ["b"] }?.isLoading == false)
    expectEqual(service.calls.count, 2)
    try expectEqual(service.keys(ofCall: 1), ["2"])
    #expect(throws: SearchError.self) { try related.perform { $0.setObjectIDs([]) } }
    #expect(throws: SearchError.self) { try related.perform { $0.setObjectIDs([""]) } }
    let trending = WidgetInteractor(Related.trendingItems(in: "films"))
    trending.connectSearcher(searcher)
    #expect(throws: SearchError.self) { try trending.perform { $0.setObjectIDs(["1"]) } }
    // No search of hits was made for any of this.
    expectEqual(service.transport.requests.count - service.calls.count, 1)
  }

  @Test func previousRecordsAreDisplayedWhileOthersLoad() async throws {
    let service = Service(["1": ["a"], "2": ["b"]], isGated: true)
    let searcher = service.searcher()
    let related = WidgetInteractor(Related.relatedProducts(to: ["1"], in: "films"))
    related.connectSearcher(searcher)
    try await searcher.search()
    #expect(related.view.isLoading && related.view.hits.isEmpty)
    await service.gate?.waitForCalls(1)
    service.gate?.open()
    _ = await view(of: related) { !$0.isLoading }
    let views = related.views(buffering: .unbounded)
    try related.perform { $0.setObjectIDs(["2"]) }
    var seen: [String] = []
    for await view in views {
      seen.append("\(view.hits.map(\.objectID)) \(view.isLoading)")
      if view.hits.first?.objectID == "b" { break }
    }
    expectEqual(seen, [#"["a"] false"#, #"["a"] true"#, #"["b"] false"#])
  }

  @Test func malformedResponseFailsOnlyItsWidget() async throws {
    let service = Service(["1": ["a"], "2": ["malformed"]])
    let searcher = service.searcher()
    let good = WidgetInteractor(Related.relatedProducts(to: ["1"], in: "films"))
    let bad = WidgetInteractor(Related.relatedProducts(to: ["1", "2"], in: "films"))
    good.connectSearcher(searcher)
    bad.connectSearcher(searcher)
    try await searcher.search()
    #expect(await view(of: good) { !$0.hits.isEmpty } != nil)
    await expectEqual(view(of: bad) { $0.error != nil }?.error?.code, .decoding)
  }

  @Test func failedCallIsRepeatedByHand() async throws {
    let engine = LocalSearch()
    _ = try await engine.save([["objectID": "1"] as JSON], in: "films")
    // The embedded engine has no models.
    let searcher = HitsSearcher(client: SearchClient(transport: engine), indexName: "films")
    let failing = WidgetInteractor(Related.trendingItems(in: "films"))
    failing.connectSearcher(searcher)
    try await searcher.search()
    #expect(await view(of: failing) { $0.error != nil }?.hits.isEmpty == true)
    let views = failing.views(buffering: .unbounded)
    try failing.perform { $0.reload() }
    var seen: [Bool] = []
    for await view in views {
      seen.append(view.isLoading)
      if seen.count == 3 { break }
    }
    expectEqual(seen, [false, true, false])
  }

  @Test func newSearchDoesNotCancelTheCall() async throws {
    let service = Service(["1": ["a"]], isGated: true)
    let searcher = service.searcher()
    let related = WidgetInteractor(Related.relatedProducts(to: ["1"], in: "films"))
    related.connectSearcher(searcher)
    try await searcher.search()
    await service.gate?.waitForCalls(1)
    for text in ["g", "go", "god"] {
      searcher.setQuery(text)
      try await searcher.search()
    }
    #expect(related.view.isLoading)
    service.gate?.open()
    await expectEqual(view(of: related) { !$0.isLoading }?.hits.map(\.objectID), ["a"])
    expectEqual(service.calls.count, 1)
  }

  /// The ways in which nobody waits for a call any longer.
  enum Reason: CaseIterable {
    case searcherIsReleased, widgetIsReleased, widgetIsDisconnected, objectIDsChange
  }

  @Test(arguments: Reason.allCases)
  func callThatNobodyWaitsForIsCancelled(_ reason: Reason) async throws {
    let (started, starts) = AsyncStream.makeStream(of: Void.self)
    let (cancelled, cancellations) = AsyncStream.makeStream(of: Void.self)
    let isFirst = Lock(true)
    let transport = ScriptedTransport { request, _ in
      guard request.path.hasSuffix("/recommendations") else {
        return TransportResponse(status: 200, body: Array(#"{"hits":[]}"#.utf8))
      }
      if isFirst.withLock({
        let first = $0; $0 = false; return first
      }) {
        starts.yield()
        await untilCancelled()
        cancellations.yield()
      }
      throw CancellationError()
    }
    var searcher: HitsSearcher? = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "films")
    var related: WidgetInteractor<Related>? = WidgetInteractor(
      Related.relatedProducts(to: ["1"], in: "films"))
    let connection = searcher.flatMap { related?.connectSearcher($0) }
    _ = try await searcher?.search()
    for await _ in started { break }
    switch reason {
    case .searcherIsReleased: searcher = nil
    case .widgetIsReleased: related = nil
    case .widgetIsDisconnected: connection?.disconnect()
    case .objectIDsChange: try related?.perform { $0.setObjectIDs(["2"]) }
    }
    for await _ in cancelled { break }
    withExtendedLifetime((searcher, related)) {}
  }

  @Test(arguments: Seed.all(100))
  func widgetsShareOneCallInAnyOrder(seed: Seed) async throws {
    let service = Service(["1": ["a"], "2": ["b"], "3": ["c"], "4": ["d"]])
    let executor = SeededExecutor(seed: seed.value)
    let searcher = service.searcher(executor: executor)
    let widgets = ["1", "2", "3"].map { id in
      WidgetInteractor(Related.relatedProducts(to: [id], in: "films"))
    }
    for widget in widgets { widget.connectSearcher(searcher) }
    let tasks = [
      Task(executorPreference: executor) { searcher.submit() },
      Task(executorPreference: executor) { searcher.setQuery("a") },
      Task(executorPreference: executor) { searcher.setQuery("b") },
    ]
    executor.runUntilIdle()
    for task in tasks { await task.value }
    executor.runUntilIdle()
    expectEqual(service.calls.count, 1)
    try expectEqual(service.keys(ofCall: 0), ["1", "2", "3"])
    expectEqual(widgets.map { $0.view.hits.map(\.objectID) }, [["a"], ["b"], ["c"]])
    try widgets[1].perform { $0.setObjectIDs(["4"]) }
    try widgets[1].perform { $0.setObjectIDs(["2"]) }
    try widgets[1].perform { $0.setObjectIDs(["4"]) }
    executor.runUntilIdle()
    expectEqual(widgets[1].view.hits.map(\.objectID), ["d"])
    #expect(!widgets[1].view.isLoading)
  }

  // MARK: One-shot

  @Test func screensShareOneCall() async throws {
    let service = Service(["1": ["a"], "2": ["b"], "trending-facets": ["Crime"]])
    let related = Related.relatedProducts(to: ["1"], in: "films")
    let other = Related.relatedProducts(to: ["2"], in: "people")
    let facets = TrendingFacets("genre", in: "films")
    let screen = try SearchScreen(indexName: "films", widgets: [SearchStats(), related, facets])
    let results = try await service.client.search(screen)
    expectEqual(service.transport.requests.count, 2)
    try expectEqual(service.keys(ofCall: 0), ["1", "trending-facets"])
    expectEqual(results.view(of: related).hits.map(\.title), ["film a"])
    expectEqual(results.view(of: facets).items.map(\.facetValue), ["Crime"])
    #expect(!results.view(of: related).isLoading)
    #expect(results.view(of: other).hits.isEmpty)
  }

  @Test(arguments: [true, false])
  func restoredRecommendationsReplaceOnlyAnEqualCall(isEqual: Bool) async throws {
    let service = Service(["1": ["a"], "2": ["b"], "3": ["c"]])
    let related = Related.relatedProducts(to: ["1", "2"], in: "films")
    let screen = try SearchScreen(indexName: "films", widgets: [related])
    let results = try await service.client.search(screen)
    let data = try JSONEncoder().encode(InitialResults(results))
    let searcher = service.searcher()
    searcher.restore(try JSONDecoder().decode(InitialResults.self, from: data))
    let widget = WidgetInteractor(related)
    widget.connectSearcher(searcher)
    if !isEqual { try widget.perform { $0.setObjectIDs(["2", "3"]) } }
    searcher.submit()
    let view = await view(of: widget) { !$0.hits.isEmpty }
    expectEqual(view?.hits.map(\.objectID), isEqual ? ["a", "b"] : ["b", "c"])
    expectEqual(service.calls.count, isEqual ? 1 : 2)
    // A later call is made.
    try widget.perform { $0.reload() }
    try widget.perform { $0.setObjectIDs(["3"]) }
    #expect(await self.view(of: widget) { $0.hits.map(\.objectID) == ["c"] } != nil)
    #expect(service.calls.count > (isEqual ? 1 : 2))
  }

  @Test func failedRecommendationsDoNotFailTheSearch() async throws {
    let engine = LocalSearch()
    _ = try await engine.save([["objectID": "1"] as JSON], in: "films")
    let trending = Related.trendingItems(in: "films")
    let screen = try SearchScreen(indexName: "films", widgets: [SearchStats(), trending])
    let results = try await SearchClient(transport: engine).search(screen)
    expectEqual(results.view(of: SearchStats()).nbHits, 1)
    #expect(results.view(of: trending).error != nil)
    #expect(results.view(of: trending).hits.isEmpty)
  }

  @Test func failedSearchCancelsTheCall() async throws {
    let (started, cancelled) = (CallGate(), CallGate())
    let transport = ScriptedTransport { request, _ in
      guard request.path.hasSuffix("/recommendations") else {
        await started.pass()
        return TransportResponse(status: 404, body: Array(#"{"message":"no","status":404}"#.utf8))
      }
      started.open()
      await untilCancelled()
      cancelled.open()
      throw CancellationError()
    }
    let screen = try SearchScreen(
      indexName: "films", widgets: [Related.trendingItems(in: "films")])
    await #expect(throws: SearchError.self) {
      try await SearchClient(transport: transport).search(screen)
    }
    await cancelled.waitForCalls()
  }
}
