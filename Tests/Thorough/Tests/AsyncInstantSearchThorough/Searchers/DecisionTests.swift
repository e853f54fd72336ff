@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import TestSupport
import Testing

/// `shouldSearch` closures that change what is searched, in every possible way.
struct DecisionTests {
  @Test(arguments: ChangeInShouldSearch.all)
  func shouldSearchCannotChangeTheRequest(_ change: ChangeInShouldSearch) async throws {
    let decision = Decision()
    let scenario = change.begin(Self.client(), decision)
    scenario.change()
    // A later change would supersede this search.
    let code = await scenario.search()
    #expect(code != .superseded && code != .invalidRequest)
    #expect((1...12).contains(decision.runs), "\(decision.runs) runs")
    var reported: SearchError?
    for await error in scenario.errors where error.code == .invalidRequest {
      reported = error
      break
    }
    #expect(reported?.message.contains("closure that decides") == true)
    #expect(reported?.message.contains("`shouldSearch` must only look at its argument") == true)
    // Outside of the closure the same changes are applied.
    decision.set(nil)
    let runs = decision.runs
    scenario.change()
    #expect(await scenario.search() != .invalidRequest)
    #expect(decision.runs > runs)
  }

  private static func orSuperseded<Response>(_ search: () async throws -> Response) async throws {
    do {
      _ = try await search()
    } catch let error as SearchError where error.code == .superseded {}
  }

  @Test func searchersWhoseShouldSearchChangesTheOtherEnd() async throws {
    let client = Self.client()
    let decisions = (Decision(), Decision())
    let first = HitsSearcher(client: client, indexName: "a", shouldSearch: decisions.0.run)
    let second = HitsSearcher(client: client, indexName: "b", shouldSearch: decisions.1.run)
    decisions.0.set { [weak second] in second?.setQuery("\($0)") }
    decisions.1.set { [weak first] in first?.setQuery("\($0)") }
    first.setQuery("text")
    // A search begun by `shouldSearch` can supersede it.
    try await Self.orSuperseded { try await first.search() }
    #expect(first.request.query.query == "text" && second.request.query.query == nil)
    try await Self.orSuperseded { try await second.search() }
    expectEqual(first.request.query.query, "text")
    #expect(decisions.0.runs + decisions.1.runs <= 30)
  }

  @Test func multiSearchersWithASharedComponentEnd() async throws {
    let client = Self.client()
    let decision = Decision()
    let component = HitsSearcher(client: client, indexName: "a", shouldSearch: decision.run)
    let multis = (0..<2).map { number in
      let multi = MultiSearcher(client: client)
      multi.addSearcher(component)
      multi.addSearcher(HitsSearcher(client: client, indexName: "other \(number)"))
      return multi
    }
    let (first, second) = (multis[0], multis[1])
    decision.set { [weak first, weak second] number in
      first?.setQuery("\(number)")
      second?.setQuery("\(number)")
    }
    component.setQuery("text")
    // A search begun by `shouldSearch` can supersede it.
    try await Self.orSuperseded { try await component.search() }
    for multi in multis { try await Self.orSuperseded { try await multi.search() } }
    expectEqual(component.request.query.query, "text")
    #expect(decision.runs <= 30)
  }

  @Test func textsSetConcurrentlyAreEqualInAllComponents() async throws {
    let client = Self.client()
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let parts = (0..<3).map { HitsSearcher(client: client, indexName: "\($0)") }
      let multi = MultiSearcher(client: client)
      for part in parts { multi.addSearcher(part) }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 { group.addTask { multi.setQuery("\(number)") } }
      }
      expectEqual(Set(parts.map(\.request.query.query)).count, 1)
      expectEqual(multi.request, parts.map { .hits($0.request) })
    }
  }

  @Test func connectedFilterStateDeterminesTheFiltersAfterConcurrentConnections() async {
    for _ in 0..<Thoroughness.count(5, thorough: 50) {
      let searcher = HitsSearcher(client: Self.client(), indexName: "index")
      let states = (0..<6).map { number in
        let state = FilterState()
        state.update { $0[and: "n"].add("n" == "\(number)") }
        return state
      }
      let connected = await withTaskGroup(of: (FilterState, Connection).self) { group in
        for state in states { group.addTask { (state, searcher.connectFilterState(state)) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let followed = connected.filter(\.1.isConnected).map(\.0)
      #expect(followed.count == 1 && searcher.request.filterGroups == followed.first?.groups)
    }
  }

  /// Responds to everything.
  static func client() -> SearchClient {
    SearchClient(
      transport: ScriptedTransport { request, _ in
        if request.pathComponents.contains("facets") {
          return TransportResponse(status: 200, body: Array(#"{"facetHits":[]}"#.utf8))
        }
        return try rowsOfEach(request)
      })
  }
}

/// A change that a `shouldSearch` closure makes to its searcher.
struct ChangeInShouldSearch: Sendable, CustomTestStringConvertible {
  struct Scenario {
    /// Changes the request from outside.
    let change: () -> Void
    /// Searches; returns the code of the error, if any.
    let search: () async -> SearchError.Code?
    let errors: AsyncStream<SearchError>
  }

  let testDescription: String
  let begin: @Sendable (SearchClient, Decision) -> Scenario

  private init<S: Searcher>(
    _ name: String, _ make: @escaping @Sendable (SearchClient, Decision) -> S,
    outside: @escaping @Sendable (S, String) -> Void,
    inside: @escaping @Sendable (S, Int) -> Void
  ) {
    testDescription = "\(S.self), \(name)"
    begin = { client, decision in
      let searcher = make(client, decision)
      decision.set { [weak searcher] number in
        if let searcher { inside(searcher, number) }
      }
      let count = Lock(0)
      return Scenario(
        change: {
          let number = count.withLock { count in
            count += 1
            return count
          }
          outside(searcher, "text \(number)")
        },
        search: {
          do throws(SearchError) {
            _ = try await searcher.search()
            return nil
          } catch {
            return error.code
          }
        }, errors: searcher.errors(buffering: .unbounded))
    }
  }

  static var all: [ChangeInShouldSearch] { hits + multiIndex + facets + places + multi }

  private static func state(_ number: Int) -> FilterState {
    // An update inside `shouldSearch` would be refused.
    var groups = FilterGroups()
    groups[and: "n"].add("n" == "\(number)")
    return FilterState(groups)
  }

  /// States that live as long as the tests: a searcher does not retain them.
  private static let states = (0..<2).map(state)
}

extension ChangeInShouldSearch {
  private static var hits: [ChangeInShouldSearch] {
    let changes: [(String, @Sendable (HitsSearcher, Int) -> Void)] = [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("setIndexName", { $0.setIndexName("\($1)") }),
      ("setFilters", { $0.setFilters("n:\($1)") }),
      ("update", { searcher, number in searcher.update { $0.query.hitsPerPage = number } }),
      ("submit", { searcher, _ in searcher.submit() }),
      (
        "a new filter state",
        { searcher, number in
          let state = state(number)
          searcher.connectFilterState(state)
          withExtendedLifetime(state) {}
        }
      ),
      ("filter states in turn", { $0.connectFilterState(states[$1 % 2]) }),
      (
        "a change of a filter state",
        { searcher, number in
          let state = FilterState()
          let connection = searcher.connectFilterState(state)
          state.update { $0[and: "n"].add("n" == "\(number)") }
          connection.disconnect()
        }
      ),
    ]
    return changes.map { name, inside in
      ChangeInShouldSearch(
        name, { HitsSearcher(client: $0, indexName: "index", shouldSearch: $1.run) },
        outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var multiIndex: [ChangeInShouldSearch] {
    let changes: [(String, @Sendable (MultiIndexSearcher, Int) -> Void)] = [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("update", { searcher, number in searcher.update { $0.query.hitsPerPage = number } }),
      (
        "update of one index",
        { searcher, number in searcher.update(at: 1) { $0.indexName = "\(number)" } }
      ),
      ("submit", { searcher, _ in searcher.submit() }),
      (
        "filter states in turn",
        { $0.connectFilterState(states[$1 % 2], withQueryAtIndex: 1) }
      ),
    ]
    return changes.map { name, inside in
      ChangeInShouldSearch(
        name, { MultiIndexSearcher(client: $0, indexNames: ["a", "b"], shouldSearch: $1.run) },
        outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var facets: [ChangeInShouldSearch] {
    let changes: [(String, @Sendable (FacetSearcher, Int) -> Void)] = [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("setIndexName", { $0.setIndexName("\($1)") }),
      ("update", { searcher, number in searcher.update { $0.maxFacetHits = number } }),
      ("submit", { searcher, _ in searcher.submit() }),
      ("filter states in turn", { $0.connectFilterState(states[$1 % 2]) }),
      (
        "filter states that do not search",
        { $0.connectFilterState(states[$1 % 2], searchesOnChange: false) }
      ),
    ]
    return changes.map { name, inside in
      ChangeInShouldSearch(
        name,
        {
          FacetSearcher(client: $0, indexName: "index", attribute: "n", shouldSearch: $1.run)
        }, outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var places: [ChangeInShouldSearch] {
    let changes: [(String, @Sendable (PlacesSearcher, Int) -> Void)] = [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("setLanguage", { $0.setLanguage($1 % 2 == 0 ? .french : .english) }),
      ("update", { searcher, number in searcher.update { $0.hitsPerPage = number } }),
      ("submit", { searcher, _ in searcher.submit() }),
    ]
    return changes.map { name, inside in
      ChangeInShouldSearch(
        name, { PlacesSearcher(client: $0, shouldSearch: $1.run) },
        outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var insideMulti: [(String, @Sendable (MultiSearcher, Int) -> Void)] {
    [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("the same setQuery", { multi, _ in multi.setQuery("x") }),
      ("setIndexName", { $0.setIndexName("\($1)") }),
      ("setFilters", { $0.setFilters("n:\($1)") }),
      ("submit", { multi, _ in multi.submit() }),
      ("filter states in turn", { $0.connectFilterState(states[$1 % 2]) }),
    ]
  }

  /// A multi-searcher with two components that have a `shouldSearch` and one that has none.
  private static func makeMulti(_ client: SearchClient, _ decision: Decision) -> MultiSearcher {
    let multi = MultiSearcher(client: client)
    multi.addSearcher(HitsSearcher(client: client, indexName: "a", shouldSearch: decision.run))
    multi.addSearcher(
      FacetSearcher(client: client, indexName: "b", attribute: "n", shouldSearch: decision.run))
    multi.addSearcher(HitsSearcher(client: client, indexName: "c"))
    return multi
  }

  private static var multi: [ChangeInShouldSearch] {
    insideMulti.map { name, inside in
      ChangeInShouldSearch(name, makeMulti, outside: { $0.setQuery($1) }, inside: inside)
    }
  }
}
