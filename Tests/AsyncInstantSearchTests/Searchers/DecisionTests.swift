import AsyncInstantSearch
import AsyncInstantSearchTesting
import Testing

/// `shouldSearch` closures that change what is searched, in every way there is.
@Suite(.timeLimit(.minutes(30))) struct DecisionTests {
  @Test(arguments: Way.all)
  func shouldSearchCannotChangeTheRequest(_ way: Way) async throws {
    let decision = Decision()
    let situation = way.begin(Self.client(), decision)
    situation.change()
    // A change that came later would take the place of this search.
    let code = await situation.search()
    #expect(code != .superseded && code != .invalidRequest)
    #expect((1...12).contains(decision.runs), "\(decision.runs) runs")
    var reported: SearchError?
    for await error in situation.errors where error.code == .invalidRequest {
      reported = error
      break
    }
    #expect(reported?.message.contains("closure that decides") == true)
    #expect(reported?.message.contains("`shouldSearch` must only look at its argument") == true)
    // Outside of the closure the same changes are made.
    decision.set(nil)
    let runs = decision.runs
    situation.change()
    #expect(await situation.search() != .invalidRequest)
    #expect(decision.runs > runs)
  }

  private static func orSuperseded<Answer>(_ search: () async throws -> Answer) async throws {
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
    // A search that a decision has begun may supersede it.
    try await Self.orSuperseded { try await first.search() }
    #expect(first.request.query.query == "text")
    try await Self.orSuperseded { try await second.search() }
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
    // A search that a decision has begun may supersede it.
    try await Self.orSuperseded { try await component.search() }
    for multi in multis { try await Self.orSuperseded { try await multi.search() } }
    #expect(component.request.query.query == "text")
    #expect(decision.runs <= 30)
  }

  @Test func textsSetConcurrentlyAreEqualInAllComponents() async throws {
    let client = Self.client()
    for _ in 0..<50 {
      let parts = (0..<3).map { HitsSearcher(client: client, indexName: "\($0)") }
      let multi = MultiSearcher(client: client)
      for part in parts { multi.addSearcher(part) }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 { group.addTask { multi.setQuery("\(number)") } }
      }
      #expect(Set(parts.map(\.request.query.query)).count == 1)
      #expect(multi.request == parts.map { .hits($0.request) })
    }
  }

  @Test func connectedFilterStateDeterminesTheFiltersAfterConcurrentConnections() async {
    for _ in 0..<50 {
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

  /// Answers everything.
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

/// A `shouldSearch` that counts its runs and makes a change in each, with a new number.
final class Decision: Sendable {
  private let state = Lock<(runs: Int, change: (@Sendable (Int) -> Void)?)>((0, nil))

  var runs: Int { state.withLock { $0.runs } }

  func set(_ change: (@Sendable (Int) -> Void)?) {
    state.withLock { $0.change = change }
  }

  @Sendable func run(_: some Any) -> Bool {
    let (number, change) = state.withLock { state in
      state.runs += 1
      return (state.runs, state.change)
    }
    // So that a loop without end is a test that fails.
    if number <= 300 { change?(number) }
    return true
  }
}

/// A way in which a closure that decides what a searcher searches changes it.
struct Way: Sendable, CustomTestStringConvertible {
  struct Situation {
    /// Changes the request from outside.
    let change: () -> Void
    /// Searches; returns the code of the error, if any.
    let search: () async -> SearchError.Code?
    let errors: AsyncStream<SearchError>
  }

  let testDescription: String
  let begin: @Sendable (SearchClient, Decision) -> Situation

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
      return Situation(
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

  static var all: [Way] { hits + multiIndex + facets + places + multi }

  private static func state(_ number: Int) -> FilterState {
    let state = FilterState()
    state.update { $0[and: "n"].add("n" == "\(number)") }
    return state
  }

  /// States that live as long as the tests: a searcher does not hold what it follows.
  private static let states = (0..<2).map(state)
}

extension Way {
  private static var hits: [Way] {
    let ways: [(String, @Sendable (HitsSearcher, Int) -> Void)] = [
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
    return ways.map { name, inside in
      Way(
        name, { HitsSearcher(client: $0, indexName: "index", shouldSearch: $1.run) },
        outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var multiIndex: [Way] {
    let ways: [(String, @Sendable (MultiIndexSearcher, Int) -> Void)] = [
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
    return ways.map { name, inside in
      Way(
        name, { MultiIndexSearcher(client: $0, indexNames: ["a", "b"], shouldSearch: $1.run) },
        outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var facets: [Way] {
    let ways: [(String, @Sendable (FacetSearcher, Int) -> Void)] = [
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
    return ways.map { name, inside in
      Way(
        name,
        {
          FacetSearcher(client: $0, indexName: "index", attribute: "n", shouldSearch: $1.run)
        }, outside: { $0.setQuery($1) }, inside: inside)
    }
  }

  private static var places: [Way] {
    let ways: [(String, @Sendable (PlacesSearcher, Int) -> Void)] = [
      ("setQuery", { $0.setQuery("\($1)") }),
      ("setLanguage", { $0.setLanguage($1 % 2 == 0 ? .french : .english) }),
      ("update", { searcher, number in searcher.update { $0.hitsPerPage = number } }),
      ("submit", { searcher, _ in searcher.submit() }),
    ]
    return ways.map { name, inside in
      Way(
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

  /// A multi-searcher, two components of which decide, and one does not.
  private static func makeMulti(_ client: SearchClient, _ decision: Decision) -> MultiSearcher {
    let multi = MultiSearcher(client: client)
    multi.addSearcher(HitsSearcher(client: client, indexName: "a", shouldSearch: decision.run))
    multi.addSearcher(
      FacetSearcher(client: client, indexName: "b", attribute: "n", shouldSearch: decision.run))
    multi.addSearcher(HitsSearcher(client: client, indexName: "c"))
    return multi
  }

  private static var multi: [Way] {
    insideMulti.map { name, inside in
      Way(name, makeMulti, outside: { $0.setQuery($1) }, inside: inside)
    }
  }
}
