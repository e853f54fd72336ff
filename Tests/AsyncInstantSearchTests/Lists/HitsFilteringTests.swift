import AsyncInstantSearch
import AsyncInstantSearchTesting
import Dispatch
import TestSupport
import Testing

struct HitsFilteringTests {
  private let transport = ScriptedTransport { request, _ in try rows(request) }

  private func searcher() -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
  }

  private func filters(_ color: String) -> FilterState {
    let state = FilterState()
    state.update { $0[and: "color"].add("color" == color) }
    return state
  }

  @Test func searcherIsFilteredInEitherOrderOfConnecting() async {
    for isConnectedBefore in [true, false] {
      let searcher = searcher()
      let interactor = HitsInteractor<Row>()
      let filters = filters("red")
      if isConnectedBefore { interactor.connectSearcher(searcher) }
      let connection = interactor.connectFilterState(filters)
      #expect(interactor.connectFilterState(filters) === connection)
      if !isConnectedBefore { interactor.connectSearcher(searcher) }
      expectEqual(searcher.request.filterGroups, filters.groups)
      expectEqual(searcher.state, .idle, "connecting does not search")
      filters.update { $0[and: "color"].add("size" == "L") }
      let shown = await interactor.state { $0.generation == 1 }
      expectEqual(shown?.request?.filterGroups, filters.groups)
    }
    expectEqual(transport.requests.count, 2)
  }

  @Test func disconnecting() {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let red = filters("red")
    let blue = filters("blue")
    interactor.connectSearcher(searcher)
    let first = interactor.connectFilterState(red)
    let second = interactor.connectFilterState(blue)
    #expect(!first.isConnected && second.isConnected)
    red.update { $0.removeAll() }
    expectEqual(searcher.request.filterGroups, blue.groups)
    second.disconnect()
    blue.update { $0.removeAll() }
    #expect(!searcher.request.filterGroups.isEmpty, "the request keeps its filters")
    #expect(interactor.connectFilterState(blue) !== second)
    #expect(searcher.request.filterGroups.isEmpty)
  }

  @Test func replacedSearcherIsNoLongerFiltered() {
    let (first, second) = (searcher(), searcher())
    let interactor = HitsInteractor<Row>()
    let filters = filters("red")
    interactor.connectFilterState(filters)
    interactor.connectSearcher(first)
    interactor.connectSearcher(second)
    filters.update { $0[and: "color"].add("size" == "L") }
    expectEqual(second.request.filterGroups, filters.groups)
    #expect(first.request.filterGroups != filters.groups)
  }

  @Test func connectingAgainReplacesTheFilterStateOfTheSearcher() {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let red = filters("red")
    let blue = filters("blue")
    interactor.connectSearcher(searcher)
    interactor.connectFilterState(red)
    let connection = searcher.connectFilterState(blue)
    interactor.connectSearcher(searcher)
    expectEqual(searcher.request.filterGroups, blue.groups, "the list was connected already")
    interactor.connectFilterState(red)
    #expect(!connection.isConnected)
    red.update { $0[and: "color"].add("size" == "L") }
    expectEqual(searcher.request.filterGroups, red.groups)
  }

  /// A list that has connected a newer state in the meantime does not replace it by the older one.
  @Test func outdatedFilterStateIsNotConnected() {
    let searcher = searcher()
    let red = filters("red")
    let blue = filters("blue")
    let newer = searcher.follow(blue) { true }
    let older = searcher.follow(red) { false }
    #expect(newer.isConnected && !older.isConnected)
    blue.update { $0[and: "color"].add("size" == "L") }
    expectEqual(searcher.request.filterGroups, blue.groups)
  }

  /// The searcher follows the filter state of the list's newest connection.
  @Test func filterStatesAreConnectedByManyThreads() {
    for number in 0..<Thoroughness.count(150, thorough: 1_500) {
      let searcher = searcher()
      let interactor = HitsInteractor<Row>()
      let states = [filters("red"), filters("blue")]
      interactor.connectSearcher(searcher)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for turn in 0..<3 { interactor.connectFilterState(states[(thread + turn) % 2]) }
      }
      let followed = states.filter { state in
        state.update { $0[and: "round"].add("number" == "\(number)") }
        return searcher.request.filterGroups == state.groups
      }
      expectEqual(followed.count, 1)
    }
  }

  @Test func connectionOfTheUserStays() {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let filters = filters("red")
    searcher.connectFilterState(filters)
    interactor.connectSearcher(searcher)
    interactor.connectFilterState(filters).disconnect()
    filters.update { $0.removeAll() }
    #expect(searcher.request.filterGroups.isEmpty)
  }

  @Test func connectionRetainsNothing() {
    let searcher = searcher()
    var interactor: HitsInteractor<Row>? = HitsInteractor<Row>()
    var filters: FilterState? = filters("red")
    weak let releasedInteractor = interactor
    weak let releasedFilters = filters
    interactor?.connectSearcher(searcher)
    var connection: Connection?
    if let filters { connection = interactor?.connectFilterState(filters) }
    filters = nil
    #expect(releasedFilters == nil)
    #expect(connection?.isConnected == true)
    interactor = nil
    #expect(releasedInteractor == nil)
    #expect(connection?.isConnected == false)
  }

  @Test func connectingEverythingConcurrently() async {
    for round in 0..<Thoroughness.count(50, thorough: 500) {
      let searcher = searcher()
      let interactor = HitsInteractor<Row>()
      let filters = filters("red")
      await withTaskGroup(of: Void.self) { group in
        group.addTask { interactor.connectSearcher(searcher) }
        group.addTask { interactor.connectFilterState(filters) }
      }
      expectEqual(searcher.request.filterGroups, filters.groups, "\(round)")
      let connection = interactor.connectFilterState(filters)
      connection.disconnect()
      filters.update { $0.removeAll() }
      #expect(!searcher.request.filterGroups.isEmpty, "\(round)")
    }
  }

  @Test func statesConnectedConcurrentlyDoNotMix() async {
    for round in 0..<Thoroughness.count(50, thorough: 500) {
      let searcher = searcher()
      let states = [filters("red"), filters("blue")]
      let connections = await withTaskGroup { group in
        for (index, state) in states.enumerated() {
          group.addTask { (index, searcher.connectFilterState(state)) }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let connected = connections.filter { $0.value.isConnected }.keys
      expectEqual(connected.count, 1, "\(round)")
      guard let index = connected.first else { continue }
      expectEqual(searcher.request.filterGroups, states[index].groups, "\(round)")
    }
  }

  @Test func lateNotificationChangesNothing() async {
    for round in 0..<Thoroughness.count(50, thorough: 500) {
      let searcher = searcher()
      let (red, blue) = (filters("red"), filters("blue"))
      searcher.connectFilterState(red)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = red.update { $0[and: "color"].add("size" == "L") } }
        group.addTask { searcher.connectFilterState(blue) }
      }
      expectEqual(searcher.request.filterGroups, blue.groups, "\(round)")
    }
  }

  @Test func eitherConnectionKeepsTheSearcherFiltered() {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let filters = filters("red")
    let own = searcher.connectFilterState(filters)
    interactor.connectSearcher(searcher)
    let connection = interactor.connectFilterState(filters)
    own.disconnect()
    #expect(!own.isConnected && connection.isConnected)
    filters.update { $0[and: "color"].add("size" == "L") }
    expectEqual(searcher.request.filterGroups, filters.groups)
    connection.disconnect()
    filters.update { $0.removeAll() }
    #expect(!searcher.request.filterGroups.isEmpty)
  }
}
