@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import Loopback
import class Loopback.AwaitableList
import TestSupport
import Testing

/// A live screen on a server and the embedded engine, while the server stops and comes back.
@Suite(.timeLimit(.minutes(30))) struct FallbackLoopbackTests {
  private let clock = ManualClock()
  private let server: LoopbackServer
  private let engine: LocalSearch

  init() async throws {
    engine = try await LocalSearch(
      indexName: "words", records: (0..<30).map { ["text": .string("word \($0)")] as JSON })
    server = try LoopbackServer(Self.answer)
  }

  /// A page with the text of the query; for the text `stall`, only the beginning of a response.
  private static func answer(_ request: LoopbackServer.Request) -> LoopbackReply {
    let query = (try? JSON(parsing: request.body))?["query"]?.stringValue ?? ""
    if query == "stall" { return .stall }
    return .json(#"{"hits":[{"objectID":"1"}],"nbHits":1,"nbPages":1,"query":"\#(query)"}"#)
  }

  private func transport(_ kind: ExchangeKind) -> FallbackTransport {
    let network = AlgoliaTransport(
      appID: "APPID", apiKey: "sekret",
      configuration: AlgoliaTransport.Configuration(
        hosts: [SearchHost("127.0.0.1", scheme: .http, port: server.port)],
        connectTimeout: Scenario.timeout, readTimeout: Scenario.timeout, exchange: kind.make(),
        clock: clock))
    return FallbackTransport(primary: network, fallback: engine, clock: clock)
  }

  private func searcher(_ transport: FallbackTransport) -> HitsSearcher {
    HitsSearcher(
      client: SearchClient(transport: transport), indexName: "words", options: .init(clock: clock))
  }

  @Test(arguments: ExchangeKind.all)
  func screenUsesTheFallbackWhenTheServerDiesMidResponse(kind: ExchangeKind) async throws {
    defer { server.stop() }
    let transport = transport(kind)
    let searcher = searcher(transport)
    let shown = AwaitableList<(text: String, origin: ResponseOrigin?)>()
    let pages = searcher.pages(of: JSON.self, buffering: .unbounded)
    let reader = Task { for await page in pages { shown.append((page.query, page.origin)) } }
    let failures = AwaitableList<SearchError>()
    let errors = searcher.errors(buffering: .unbounded)
    let errorReader = Task { for await error in errors { failures.append(error) } }
    defer { for task in [reader, errorReader] { task.cancel() } }

    searcher.setQuery("w")
    await shown.reach(1)
    searcher.setQuery("stall")
    await server.received.reach(2)
    server.interrupt()
    await shown.reach(2)
    for (number, text) in ["word", "word 1", "word 2"].enumerated() {
      searcher.setQuery(text)
      await shown.reach(3 + number)
    }
    expectEqual(transport.circuitState, .open)
    server.resume()
    clock.advance(by: .seconds(5))
    searcher.setQuery("word 3")
    await shown.reach(6)

    expectEqual(shown.elements.map(\.text), ["w", "stall", "word", "word 1", "word 2", "word 3"])
    expectEqual(
      shown.elements.map(\.origin),
      [
        .primary, .fallback, .fallback, .fallback, .fallback, .primary,
      ])
    #expect(transport.circuitState == .closed && failures.elements.isEmpty)
  }

  /// Typing without waiting for responses: the screen shows them in order, and the last one.
  @Test(arguments: ExchangeKind.all)
  func resultsStayInOrderWhileTheServerComesAndGoes(kind: ExchangeKind) async throws {
    defer { server.stop() }
    let transport = transport(kind)
    let searcher = searcher(transport)
    // The server goes and comes back once per thirty texts.
    let texts = (0..<Thoroughness.count(30, thorough: 90)).map { "word \($0)" }
    let pages = searcher.pages(of: JSON.self, buffering: .unbounded)
    for (number, text) in texts.enumerated() {
      if number % 30 == 10 { server.interrupt() }
      if number % 30 == 20 {
        server.resume()
        clock.advance(by: .seconds(60))
      }
      searcher.setQuery(text)
      if number % 3 == 0 {
        _ = await searcher.pages(of: JSON.self).first { $0.query == text }
      } else {
        await Task.yield()
      }
    }
    var shown: [String] = []
    var origins: Set<ResponseOrigin?> = []
    for await page in pages {
      shown.append(page.query)
      origins.insert(page.origin)
      if page.query == texts.last { break }
    }
    let order = shown.compactMap(texts.firstIndex)
    #expect(order == order.sorted() && order.count == shown.count)
    expectEqual(origins, [.primary, .fallback])
    #expect(searcher.state == .idle && transport.circuitState == .closed)
  }
}
