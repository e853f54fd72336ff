import AsyncInstantSearch
import AsyncInstantSearchTesting
import Observation
import Testing

/// The guarantees that an observing list needs for rows that stay in view.
struct VisibleRowsTests {
  private let transport = ScriptedTransport { request, _ in try rows(request) }

  /// Returns when the hits meet the condition.
  @MainActor
  private func wait(
    for controller: HitsObservableController<Row>, until isWanted: (HitsRows<Row>) -> Bool
  ) async {
    while !isWanted(controller.hits) {
      let (change, continuation) = AsyncStream.makeStream(of: Void.self)
      _ = withObservationTracking {
        controller.hits
      } onChange: {
        continuation.finish()
      }
      for await _ in change {}
    }
  }

  @MainActor @Test func visibleRowIsLoadedForEachSearch() async {
    let gate = CallGate()
    let transport = ScriptedTransport { request, _ in
      if try JSON(parsing: request.body)["query"] == "a" { await gate.pass() }
      return try rows(request)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "index",
      options: .init(clock: ManualClock()))
    let interactor = HitsInteractor<Row>()
    let controller = HitsObservableController<Row>()
    interactor.connectSearcher(searcher)
    interactor.connectController(controller)
    searcher.submit()
    await wait(for: controller) { $0.count == 100 }
    controller.notifyAppearanceOfHit(atIndex: 20)
    await wait(for: controller) { $0[20] != nil }
    let generation = controller.hitsSource?.state.generation

    searcher.setQuery("a")
    controller.notifyAppearanceOfHit(atIndex: 20)
    gate.open()
    await wait(for: controller) { $0[0]?.text == "a" }
    // Nothing was loaded for earlier appearances, and the list differs from the previous one.
    #expect(controller.hits[20] == nil)
    #expect(controller.hitsSource?.state.generation != generation)
    controller.notifyAppearanceOfHit(atIndex: 20)
    await wait(for: controller) { $0[20] == Row(text: "a", row: 20) }
  }
}
