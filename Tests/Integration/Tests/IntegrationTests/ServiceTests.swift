import AlgoliaTransport
import AsyncHTTPClient
import AsyncInstantSearch
import LocalSearch
import NIOCore
import SearchService
import Testing

/// A search service on the SDK, AsyncHTTPClient and a separate server, under load.
@Suite(.timeLimit(.minutes(30))) struct ServiceTests {
  @Test func thousandConcurrentRequestsSucceed() async throws {
    let engine = try await LocalSearch.films()
    // Many calls wait for few connections, and the machine can be busy.
    try await withHTTPClient(connectTimeout: .minutes(10)) { client in
      try await withServer(EngineServer(engine, adminKey: "sekret").run) { enginePort in
        let search = SearchClient(
          transport: AlgoliaTransport.overHTTPClient(client, ports: [enginePort]))
        try await withServer(FilmService(search).run) { port in
          let titles = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<1000 {
              group.addTask { (number, try await body(client, port: port, number: number)) }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
          }
          for number in 0..<1000 {
            #expect(titles[number]?.contains("\"film \(number % 200)\"") == true)
          }
        }
      }
    }
  }

  @Test func searchErrorsHaveSeparateStatuses() async throws {
    try await withHTTPClient { client in
      let search = SearchClient(transport: AlgoliaTransport.overHTTPClient(client, ports: [9]))
      try await withServer(FilmService(search).run) { port in
        let answer = try await client.execute(
          HTTPClientRequest(url: "http://127.0.0.1:\(port)/films?q=a"), timeout: .seconds(60))
        #expect(answer.status == .serviceUnavailable)
      }
    }
  }

  private func body(_ client: HTTPClient, port: Int, number: Int) async throws -> String {
    let url = "http://127.0.0.1:\(port)/films?q=film%20\(number % 200)"
    let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
    return String(buffer: try await answer.body.collect(upTo: 1 << 20))
  }
}
