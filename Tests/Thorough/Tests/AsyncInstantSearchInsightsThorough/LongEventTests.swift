@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchInsights
@testable import InstantSearchAPI
import TestSupport
import Testing

/// Events with more records or filters than the service accepts in one.
struct LongEventTests {
  private static let queryID = "0123456789abcdef0123456789abcdef"

  /// The events that the service receives.
  private func sent(_ event: InsightsEvent) throws -> [JSON] {
    let server = InsightsServer()
    let harness = try InsightsHarness(server)
    harness.track([event])
    _ = harness.call { await $0.flush() }
    return server.firstEvents
  }

  private func texts(_ json: JSON?) -> [String] {
    json?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  @Test(arguments: [1, 19, 20, 21, 25, 40, 41, 100])
  func viewsOfManyRecordsBecomeSeveralEvents(count: Int) throws {
    let ids = (0..<count).map { "r\($0)" }
    let events = try sent(.viewed(objectIDs: ids, named: "Seen", in: "films"))
    expectEqual(events.count, (count + 19) / 20)
    #expect(events.allSatisfy { (1...20).contains(texts($0["objectIDs"]).count) })
    expectEqual(events.flatMap { texts($0["objectIDs"]) }, ids)
    for event in events {
      #expect(event["eventName"] == "Seen" && event["eventType"] == "view")
      #expect(event["timestamp"] == events[0]["timestamp"] && event["userToken"] == "u")
    }
  }

  @Test func clicksKeepTheirPositionsAndQuery() throws {
    let ids = (0..<45).map { "r\($0)" }
    let positions = (0..<45).map { 3 * $0 + 1 }
    let events = try sent(
      .clicked(
        objectIDs: ids, positions: positions, queryID: Self.queryID, named: "Clicked", in: "films"))
    expectEqual(events.map { texts($0["objectIDs"]).count }, [20, 20, 5])
    expectEqual(events.flatMap { texts($0["objectIDs"]) }, ids)
    expectEqual(
      events.flatMap { $0["positions"]?.arrayValue ?? [] }, positions.map { .int(Int64($0)) })
    #expect(events.allSatisfy { $0["queryID"]?.stringValue == Self.queryID })
  }

  @Test func manyFiltersBecomeSeveralEvents() throws {
    let filters = (0..<25).map { InsightsFilter(facet: "genre", value: "g\($0)") }
    for event: InsightsEvent in [
      .viewed(filters: filters, named: "Seen", in: "films"),
      .clicked(filters: filters, named: "Clicked", in: "films"),
    ] {
      let events = try sent(event)
      expectEqual(events.map { texts($0["filters"]).count }, [20, 5])
      expectEqual(events.flatMap { texts($0["filters"]) }, filters.map(\.description))
    }
  }

  @Test(arguments: [
    InsightsEvent.converted(objectIDs: (0..<21).map(String.init), named: "Did", in: "films"),
    .converted(
      filters: (0..<21).map { InsightsFilter(facet: "a", value: "\($0)") }, named: "Did",
      in: "films"),
    .addedToCart((0..<21).map { InsightsItem("\($0)") }, value: "9.90", named: "Did", in: "films"),
    .purchased((0..<21).map { InsightsItem("\($0)") }, value: "9.90", named: "Did", in: "films"),
  ])
  func conversionEventsAreNotDivided(event: InsightsEvent) async throws {
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "u", currentDate: { testDay })
    let error = await #expect(throws: SearchError.self) { try await client.track(event) }
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("has 21 elements; 1 to 20 are allowed.") == true)
    #expect(error?.message.contains("track an event for each 20") == true)
    await expectEqual(client.waitingCount, 0)
  }

  @Test func invalidElementIsNamedByItsIndexInTheWholeEvent() async throws {
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "u", currentDate: { testDay })
    let ids = (0..<25).map { $0 == 23 ? "" : "r\($0)" }
    let error = await #expect(throws: SearchError.self) {
      try await client.track(.viewed(objectIDs: ids, named: "Seen", in: "films"))
    }
    #expect(error?.message.contains("objectIDs[23] is empty") == true)
    await expectEqual(client.waitingCount, 0)
  }

  @Test func longEventIsStoredCompletelyOrNotAtAll() async throws {
    let event = InsightsEvent.viewed(
      objectIDs: (0..<60).map(String.init), named: "Seen", in: "films")
    // There are two slots, and three are needed.
    let client = try InsightsClient(
      transport: InsightsServer(), userToken: "u",
      configuration: .init(maximumWaitingEvents: 2), currentDate: { testDay })
    await #expect(throws: SearchError.self) { try await client.track(event) }
    await expectEqual(client.waitingCount, 0)

    // The storage accepts two of the three.
    let storage = ShortStorage(capacity: 2)
    let other = try InsightsClient(
      transport: InsightsServer(), userToken: "u", storage: storage, currentDate: { testDay })
    await #expect(throws: SearchError.self) { try await other.track(event) }
    await expectEqual(other.waitingCount, 0)
    #expect(storage.waiting.isEmpty)
    try await other.track(.viewed(objectIDs: ["1"], named: "Seen", in: "films"))
    expectEqual(storage.waiting.count, 1)
  }
}

/// A storage that accepts a number of records and then fails once.
private final class ShortStorage: InsightsStorage {
  private struct State {
    var capacity: Int
    var ids: [UInt64] = []
  }

  private let state: Lock<State>

  init(capacity: Int) { state = Lock(State(capacity: capacity)) }

  var waiting: [UInt64] { state.withLock { $0.ids } }

  func begin() -> InsightsBacklog { InsightsBacklog() }

  func append(_ record: InsightsRecord) throws(SearchError) {
    let isTaken = state.withLock { state in
      state.capacity -= 1
      if state.capacity != -1 { state.ids.append(record.id) }
      return state.capacity != -1
    }
    guard isTaken else { throw SearchError(.storage, "There is no space.") }
  }

  func acknowledge(_ ids: [UInt64]) {
    state.withLock { state in state.ids.removeAll { ids.contains($0) } }
  }

  func end() {}
}
