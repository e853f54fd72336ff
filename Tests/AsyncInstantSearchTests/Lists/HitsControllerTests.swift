import AsyncInstantSearch
import AsyncInstantSearchTesting
import Observation
import TestSupport
import Testing

struct HitsControllerTests {
  /// Records its calls.
  private final class Table: HitsController {
    weak var hitsSource: HitsInteractor<Row>? {
      didSet {
        if hitsSource == nil { withoutSource.open() }
      }
    }
    private let withoutSource = CallGate()
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream() }

    func reload() {
      let first = hitsSource?.hit(atIndex: 0)?.text ?? "nothing"
      continuation.yield("reload \(hitsSource?.numberOfHits() ?? 0) \(first)")
    }

    /// Called when the view is scrolled.
    var onScroll: () -> Void = {}

    func scrollToTop() {
      continuation.yield("scroll")
      onScroll()
    }

    func finish() { continuation.finish() }

    /// Returns once the list is disconnected, which happens in a task of its own.
    func untilHasNoSource() async { await withoutSource.waitForCalls() }
  }

  private let transport = ScriptedTransport { request, _ in try rows(request) }

  private var client: SearchClient { SearchClient(transport: transport) }

  private func searcher() -> HitsSearcher {
    HitsSearcher(client: client, indexName: "index", options: .init(clock: ManualClock()))
  }

  /// A stream that ends with the next change of the observed values.
  @MainActor
  private func nextChange<Value>(of value: () -> Value) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    _ = withObservationTracking(value) { continuation.finish() }
    return stream
  }

  @MainActor @Test func viewReloadsOncePerResponseAndScrollsOncePerRequest() async {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let table = Table()
    let connection = interactor.connectController(table)
    #expect(interactor.connectController(table) === connection)
    #expect(table.hitsSource === interactor)
    interactor.connectSearcher(searcher)
    var events = table.events.makeAsyncIterator()
    searcher.submit()
    await expectEqual(events.next(), "reload 100 ")
    searcher.setQuery("a")
    await expectEqual(events.next(), "scroll")
    await expectEqual(events.next(), "reload 100 a")
    // A page load is not a new request.
    interactor.notifyDidPresentRow(atIndex: 9)
    await expectEqual(events.next(), "reload 100 a")
    table.finish()
    #expect(await events.next() == nil)
  }

  @MainActor @Test func viewCanBeDisconnected() async throws {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let table = Table()
    let other = Table()
    interactor.connectSearcher(searcher)
    let connection = interactor.connectController(table)
    interactor.connectController(other)
    connection.disconnect()
    searcher.setQuery("a")
    var seen = other.events.makeAsyncIterator()
    while let event = await seen.next(), !event.hasPrefix("reload") {}
    await table.untilHasNoSource()
    table.finish()
    var events: [String] = []
    for await event in table.events { events.append(event) }
    #expect(events.isEmpty)
  }

  @MainActor @Test func viewCanDisconnectItself() async throws {
    let executor = SeededExecutor(seed: 0)
    let searcher = HitsSearcher(
      client: client, indexName: "index", options: .init(clock: ManualClock(), executor: executor))
    let interactor = HitsInteractor<Row>(executor: executor)
    let table = Table()
    let other = Table()
    interactor.connectSearcher(searcher)
    let connection = interactor.connectController(table)
    interactor.connectController(other)
    searcher.submit()
    executor.runUntilIdle()
    var seen = table.events.makeAsyncIterator()
    var others = other.events.makeAsyncIterator()
    await expectEqual(seen.next(), "reload 100 ")
    await expectEqual(others.next(), "reload 100 ")
    // The controllers are called for the page load first, and then once for the request and all
    // rows.
    table.onScroll = { connection.disconnect() }
    interactor.notifyDidPresentRow(atIndex: 9)
    executor.runUntilIdle()
    searcher.setQuery("a")
    executor.runUntilIdle()
    var events: [String?] = []
    for _ in 0..<2 { events.append(await others.next()) }
    expectEqual(events, ["scroll", "reload 100 a"])
    table.finish()
    events = [await seen.next(), await seen.next()]
    expectEqual(events, ["scroll", nil])
    #expect(table.hitsSource == nil)
  }

  @MainActor @Test func reconnectedViewKeepsItsSource() async {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let table = Table()
    interactor.connectSearcher(searcher)
    interactor.connectController(table).disconnect()
    interactor.connectController(table)
    var events = table.events.makeAsyncIterator()
    searcher.submit()
    await expectEqual(events.next(), "reload 100 ")
    #expect(table.hitsSource === interactor)
  }

  @MainActor @Test func neitherRetainsTheOther() {
    var interactor: HitsInteractor<Row>? = HitsInteractor()
    var table: Table? = Table()
    weak let releasedInteractor = interactor
    weak let releasedTable = table
    if let table { interactor?.connectController(table) }
    interactor = nil
    #expect(releasedInteractor == nil && table?.hitsSource == nil)
    table = nil
    #expect(releasedTable == nil)
  }

  @MainActor @Test func observationDrivesAScreen() async {
    let searcher = searcher()
    let interactor = HitsInteractor<Row>()
    let controller = HitsObservableController<Row>()
    interactor.connectSearcher(searcher)
    interactor.connectController(controller)
    #expect(controller.hits.isEmpty)
    let drawn = nextChange { controller.hits }
    searcher.submit()
    for await _ in drawn {}
    #expect(controller.hits.count == 100 && controller.hits[9]?.row == 9)
    #expect(controller.hits[10] == nil)

    let loaded = nextChange { controller.hits }
    controller.notifyAppearanceOfHit(atIndex: 8)
    for await _ in loaded {}
    expectEqual(controller.hits[10]?.row, 10)

    let identity = controller.scrollID
    let answered = nextChange { controller.hits }
    let scrolled = nextChange { controller.scrollID }
    searcher.setQuery("a")
    for await _ in scrolled {}
    #expect(controller.scrollID != identity)
    for await _ in answered {}
    expectEqual(controller.hits.first, Row(text: "a", row: 0))
  }

  @MainActor @Test func aConnectorConnectsItsParts() async throws {
    let filters = FilterState()
    let table = Table()
    let connector = HitsConnector<Row>(
      client: client, indexName: "index", filterState: filters, controller: table)
    connector.connect()
    #expect(transport.requests.isEmpty)
    var events = table.events.makeAsyncIterator()
    filters.update { $0[and: "a"].add("a" == "x") }
    await expectEqual(events.next(), #"reload 100 ["a:x"]"#)
    let sent = try transport.requests.map { try JSON(parsing: $0.body)["facetFilters"] }
    expectEqual(sent, [["a:x"]])

    connector.disconnect()
    connector.disconnect()
    filters.update { $0.removeAll() }
    try await connector.searcher.search()
    expectEqual(transport.requests.count, 2)
    expectEqual(connector.interactor.state.generation, 1)

    connector.connect()
    #expect(table.hitsSource === connector.interactor)
    while let event = await events.next(), !event.hasPrefix("reload") {}
    #expect(connector.searcher.request.filterGroups.isEmpty)
  }

  @MainActor @Test func connectorAcceptsExistingParts() async throws {
    let connector = HitsConnector<Hit<Row>>(
      searcher: searcher(), interactor: HitsInteractor(infiniteScrolling: .off))
    connector.searcher.setQuery("a")
    let shown = await connector.interactor.state { $0.generation == 1 }
    expectEqual(shown?.hits[0]?.text, "a")
    expectEqual(connector.interactor.hit(atIndex: 9)?.row, 9)
    expectEqual(transport.requests.count, 1)
  }
}
