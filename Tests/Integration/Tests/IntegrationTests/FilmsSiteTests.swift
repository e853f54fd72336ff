import AsyncHTTPClient
import AsyncInstantSearch
import AsyncInstantSearchTesting
import FilmsSite
import Foundation
import Hummingbird
import LocalSearch
import Logging
import NIOCore
import Testing

/// The page over the films: without JavaScript, and live.
@Suite(.timeLimit(.minutes(30))) struct FilmsSiteTests {
  /// Runs a test with a site and a client of it.
  private func withSite(
    maximumVisitors: Int = 100,
    _ body: (_ url: String, HTTPClient, FilmsSite) async throws -> Void
  ) async throws {
    let engine = LocalSearch()
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Snippets/Data").standardized
    try await FilmsCatalogue.load(from: folder, into: engine)
    var logger = Logger(label: "films")
    logger.logLevel = .critical
    let site = try FilmsSite(
      SearchClient(transport: engine), maximumVisitors: maximumVisitors, logger: logger)
    let application: @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void = {
      [logger] onPort in
      try await Application(
        responder: site.router.buildResponder(),
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { onPort($0.localAddress?.port ?? 0) }, logger: logger
      ).run()
    }
    try await withHTTPClient { client in
      try await withServer(application) { port in
        try await body("http://127.0.0.1:\(port)", client, site)
      }
    }
  }

  private func get(_ url: String, _ client: HTTPClient) async throws -> String {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
    #expect(response.status == .ok, "\(url)")
    return String(buffer: try await response.body.collect(upTo: 1 << 22))
  }

  private func post(_ url: String, _ body: String, _ client: HTTPClient) async throws -> Int {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.body = .bytes(ByteBuffer(string: body))
    return Int(try await client.execute(request, timeout: .seconds(60)).status.code)
  }

  @Test func whatAVisitorSendsIsEscaped() async throws {
    try await withSite { url, client, _ in
      let evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E%27"
      for name in ["query", "refinementList[genres][0]", "facetQuery[directors]", "range[year]"] {
        let page = try await get("\(url)/films?\(name)=\(evil)", client)
        #expect(!page.contains("<script>alert") && page.contains("</html>"))
      }
    }
  }

  /// What a browser keeps of the events.
  private struct Page {
    var visitor = ""
    var action = -1
    var query = ""
    var regions: [String: String] = [:]

    private struct Update: Decodable {
      var visitor: String
      var action: Int
      var query: String
      var regions: [String: String]
    }

    mutating func receive(_ event: Substring) throws {
      guard let data = event.firstRange(of: "data: {") else { return }
      let json = event[event.index(before: data.upperBound)...]
      let update = try JSONDecoder().decode(Update.self, from: Data(json.utf8))
      (visitor, action, query) = (update.visitor, update.action, update.query)
      regions.merge(update.regions) { $1 }
    }
  }

  /// After random links and texts, the regions that the events have left are those of a page that
  /// is loaded from its URL.
  @Test(arguments: 1...3) func livePageShowsWhatItsURLShows(seed: UInt64) async throws {
    try await withSite { url, client, site in
      let response = try await client.execute(
        HTTPClientRequest(url: "\(url)/live?query=love"), timeout: .seconds(60))
      var random = SeededGenerator(seed: seed)
      var (page, buffer, action) = (Page(), "", 0)
      for try await bytes in response.body {
        buffer += String(buffer: bytes)
        while let end = buffer.firstRange(of: "\n\n") {
          try page.receive(buffer[..<end.lowerBound])
          buffer = String(buffer[end.upperBound...])
        }
        guard page.action == action else { continue }
        let loaded = try await get("\(url)/films?\(page.query)", client)
        for (id, html) in page.regions where !["status", "suggestions"].contains(id) {
          #expect(loaded.contains(html), "\(id) after \(page.query)")
        }
        if action == 25 { break }
        action += 1
        let html = ["genres", "pages", "decades", "places", "oscars", "order", "chosen", "sizes"]
          .compactMap { page.regions[$0] }.joined()
        let links = html.matches(of: /href="\/films\?([^"]*)"/).map {
          String($0.output.1.replacing("&amp;", with: "&"))
        }
        let isTyped = Int.random(in: 0..<4, using: &random) == 0
        let text = ["", "war", "a", "kurosawa"].randomElement(using: &random) ?? ""
        let status = try await post(
          "\(url)/live/\(page.visitor)?action=\(action)\(isTyped ? "&form=typing" : "")",
          isTyped ? "query=\(text)" : links.randomElement(using: &random) ?? "", client)
        #expect(status == 204)
      }
      #expect(action == 25)
    }
  }

  @Test func visitorsAreLimitedAndLeave() async throws {
    try await withSite(maximumVisitors: 2) { url, client, site in
      let first = try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      let leaving = Task {
        let second = try await client.execute(
          HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
        for try await _ in second.body {}
      }
      while site.visitorCount < 2 { await Task.yield() }
      let third = try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      #expect(third.status == .serviceUnavailable)
      leaving.cancel()
      _ = await leaving.result
      while site.visitorCount > 1 { await Task.yield() }
      #expect(try await post("\(url)/live/nobody?action=1", "query=a", client) == 410)
      #expect(first.status == .ok)
    }
  }

  @Test func formsThatCannotBeReadAreErrors() async throws {
    try await withSite { url, client, _ in
      let response = try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      var (page, buffer) = (Page(), "")
      for try await bytes in response.body {
        buffer += String(buffer: bytes)
        if let end = buffer.firstRange(of: "\n\n") { try page.receive(buffer[..<end.lowerBound]) }
        if !page.visitor.isEmpty { break }
      }
      let address = "\(url)/live/\(page.visitor)?action=1&form="
      #expect(try await post(address + "unknown", "query=a", client) == 400)
      #expect(try await post(address + "years", "range[year][min]=1e400", client) == 400)
      #expect(
        try await post(address + "typing", String(repeating: "a", count: 20_000), client) == 413)
    }
  }
}
