import AlgoliaTransport
import AsyncInstantSearch
import TestSupport
import Testing

/// The hosts of the service for events.
struct InsightsRegionTests {
  @Test(arguments: [
    (nil, "insights.algolia.io"), (InsightsRegion.de, "insights.de.algolia.io"),
    (.us, "insights.us.algolia.io"),
  ])
  func eventsGoToTheHostOfTheirRegionWithoutARequestID(
    region: InsightsRegion?, host: String
  ) async throws {
    let script = ScriptedExchange(.status(200))
    _ = try await AlgoliaTransport.sample(script, configuration: .insights(region: region))
      .send(.sampleWrite)
    expectEqual(script.hosts, [host])
    expectEqual(script.requests[0].values(of: "Request-ID"), [])
    #expect(script.requests[0].values(of: "User-Agent")[0].hasSuffix("; Insights (0.1.0)"))
  }

  @Test func theTransportForEvents() {
    let (id, key) = ("YourApplicationID", "YourSearchOnlyAPIKey")
    // snippet.events
    let transport = AlgoliaTransport(appID: id, apiKey: key, configuration: .insights(region: .de))
    // snippet.end
    #expect("\(transport)".contains("insights.de.algolia.io"))
  }

  @Test func unknownRegionIsReportedWithTheValidOnes() throws {
    try expectEqual(InsightsRegion(named: "us"), .us)
    let error = #expect(throws: SearchError.self) { try InsightsRegion(named: "mars") }
    expectEqual(error?.message, #"Unknown insights region "mars". Use "de" or "us"."#)
  }
}
