import AsyncInstantSearch
import InMemoryLogging
import InMemoryTracing
import LocalSearch
import Logging
import Metrics
import MetricsTestKit
import Testing
import Tracing
import Watching

/// The adapters of the documentation: a log, metrics and traces of the calls of a client.
@Suite(.serialized) struct WatchingTests {
  private static let metrics: TestMetrics = {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }()

  private static let tracer: InMemoryTracer = {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    return tracer
  }()

  @Test func eachCallIsALineOfTheLog() async throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test") { _ in handler }
    let client = SearchClient(
      transport: ObservedTransport(
        wrapping: try await LocalSearch.films(), observer: loggingObserver(logger)))
    _ = try await client.search("films", SearchQuery("film"), of: JSON.self)
    _ = try? await client.search("none", of: JSON.self)
    let entries = handler.entries
    #expect(entries.count == 2)
    #expect(entries.first?.metadata["index"] == "films" && entries.first?.level == .info)
    #expect(entries.last?.metadata["status"] == "404")
  }

  @Test func callsAreCountedByOutcome() async throws {
    let metrics = Self.metrics
    let client = SearchClient(
      transport: ObservedTransport(
        wrapping: try await LocalSearch.films(), observer: metricsObserver(prefix: "test")))
    for _ in 0..<3 { _ = try await client.search("films", of: JSON.self) }
    _ = try? await client.search("none", of: JSON.self)
    let counter = try metrics.expectCounter(
      "test_calls", [("call", "read"), ("outcome", "200")])
    #expect(counter.totalValue == 3)
    let timer = try metrics.expectTimer(
      "test_duration", [("call", "read"), ("outcome", "404")])
    #expect(timer.values.count == 1)
  }

  @Test func eachCallIsASpan() async throws {
    let tracer = Self.tracer
    let client = SearchClient(
      transport: TracingTransport(wrapping: try await LocalSearch.films()))
    try await withSpan("page") { _ in
      _ = try await client.search("films", of: JSON.self)
    }
    let spans = tracer.finishedSpans
    let call = try #require(spans.first { $0.operationName == "POST /1/indexes/{indexName}/query" })
    let page = try #require(spans.first { $0.operationName == "page" })
    #expect(call.spanContext.traceID == page.spanContext.traceID)
    #expect(call.attributes.get("db.collection.name") == .string("films"))
  }
}
