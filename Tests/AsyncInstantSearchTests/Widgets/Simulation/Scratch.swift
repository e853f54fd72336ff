import AsyncInstantSearch
import LocalSearch

/// The views of a state, computed from scratch: without a searcher, and with requests of its own.
struct Scratch {
  let screen: SearchScreen
  let state: IndexState
  let results: IndexResults
  /// The records of all pages, in order.
  let hits: [Shop.Product]

  /// - Parameters:
  ///   - screen: The widgets, without memory.
  ///   - uiState: The state of the user interface.
  ///   - current: The state that has the refinements that no state of a user interface contains.
  ///   - engine: The engine.
  init(
    _ screen: SearchScreen, showing uiState: IndexUIState, keeping current: IndexState,
    on engine: LocalSearch
  ) async throws {
    var screen = screen
    var state = screen.state(from: uiState, keeping: current)
    var queries = screen.queries(for: state)
    var results: IndexResults
    while true {
      results = try IndexResults(
        merging: await engine.answers(to: queries.all, in: state.indexName),
        of: screen.search(for: state))
      screen.receive(results, state: &state)
      // Facets that the results list first may need other queries.
      let next = screen.queries(for: state)
      if next == queries { break }
      queries = next
    }
    var all = queries.hitsQuery
    all.page = nil
    all.hitsPerPage = 1_000
    hits = try await SearchClient(transport: engine).search(
      SearchRequest(state.indexName, all, of: Shop.Product.self)
    ).hits
    (self.screen, self.state, self.results) = (screen, state, results)
  }

  /// What a widget displays.
  func view<W: SearchWidget>(of widget: W) -> W.View {
    screen.view(of: widget, in: state, results: results)
  }

  /// The records of a page, counted from 0.
  func hits(ofPage page: Int) -> [Shop.Product] {
    Array(hits.dropFirst(page * results.page.hitsPerPage).prefix(results.page.hitsPerPage))
  }

  /// What a list displays after an action that searches values of its facet.
  func view(
    of list: FacetList, searchingFor text: String, on engine: LocalSearch
  ) async throws -> FacetList.View {
    var (screen, state) = (screen, state)
    try screen.apply(list.search(text), to: &state, results: results)
    guard let request = screen.request(of: list, in: state, results: results),
      case .facetValues(let values) = request
    else { return screen.view(of: list, in: state, results: results) }
    let page = try await SearchClient(transport: engine).searchFacetValues(
      FacetRequest(values, in: screen.search(for: state)))
    return screen.view(
      of: list, in: state, results: results,
      response: WidgetResponse(request, .success(.facetValues(page))))
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
