@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import LocalSearch

/// The views of a state, computed from scratch: without a searcher, and with requests of its own.
struct Scratch {
  let screen: SearchScreen
  let results: IndexResults
  /// The records of all pages, in order.
  let hits: [Shop.Product]

  /// - Parameters:
  ///   - screen: The widgets, without memory.
  ///   - uiState: The state of the user interface.
  ///   - engine: The engine.
  init(
    _ screen: SearchScreen, showing uiState: IndexUIState, on engine: LocalSearch
  ) async throws {
    var screen = screen
    screen.read(uiState, at: 0)
    var plan = screen.plan()
    var results: IndexResults
    while true {
      results = try IndexResults(
        merging: await engine.answers(to: plan.queries, in: plan.indexName), of: plan)
      screen.receive(results)
      screen.followActivity()
      // Facets that the results list first may need other queries.
      let next = screen.plan()
      if next.queries == plan.queries { break }
      plan = next
    }
    for owned in screen.unansweredRequests() {
      guard case .facetValues(let values) = owned.request else { continue }
      let page = try await SearchClient(transport: engine).searchFacetValues(
        FacetRequest(values, in: screen.plan()))
      screen.receive([owned: WidgetResponse(owned.request, .success(.facetValues(page)))])
    }
    var all = plan.hitsQuery
    all.page = nil
    all.hitsPerPage = 1_000
    hits = try await SearchClient(transport: engine).search(
      SearchRequest(screen.state.indexName, all, of: Shop.Product.self)
    ).hits
    (self.screen, self.results) = (screen, results)
  }

  /// What a widget displays.
  func view<W: SearchWidget>(of widget: W) -> W.View { screen.view(of: widget) }

  var state: IndexState { screen.state }

  /// The records of a page, counted from 0.
  func hits(ofPage page: Int) -> [Shop.Product] {
    Array(hits.dropFirst(page * results.page.hitsPerPage).prefix(results.page.hitsPerPage))
  }

  /// What a list displays after an action that searches values of its facet.
  func view(
    of list: FacetList, searchingFor text: String, on engine: LocalSearch
  ) async throws -> FacetList.View {
    var screen = screen
    try screen.perform(list.search(text))
    guard let request = screen.request(of: list), case .facetValues(let values) = request
    else { return screen.view(of: list) }
    let page = try await SearchClient(transport: engine).searchFacetValues(
      FacetRequest(values, in: screen.plan()))
    screen.receive(
      [screen.owned(request): WidgetResponse(request, .success(.facetValues(page)))])
    return screen.view(of: list)
  }
}

extension LocalSearch {
  /// The answers to queries, as JSON.
  fileprivate func answers(to queries: [SearchQuery], in index: String) async throws -> [JSON] {
    let requests = try queries.map { query in
      var members = try JSON(encoding: query).objectValue ?? [:]
      members["indexName"] = .string(index)
      return JSON.object(members)
    }
    let body: JSON = ["requests": .array(requests)]
    let response = try await send(TransportRequest(.multiQuery, body: Array(body.text.utf8)))
    return try JSON(parsing: response.body)["results"]?.arrayValue ?? []
  }
}
