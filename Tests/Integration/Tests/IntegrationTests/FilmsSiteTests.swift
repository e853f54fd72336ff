import AsyncHTTPClient
import AsyncInstantSearch
import AsyncInstantSearchTesting
import FilmsSite
import Foundation
import Hummingbird
import LocalSearch
import Logging
import NIOCore
import NIOPosix
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
    try await FilmsCatalogue.load(from: folder, into: SearchClient(transport: engine))
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

  /// A bound of a URL can be any number, and a page of it as well.
  @Test func numbersOfAURLAreNoTraps() async throws {
    try await withSite { url, client, _ in
      for query in [
        "range[year]=1e300:", "range[year]=:-1e300", "range[year]=1.5:",
        "range[year][min]=-1e19", "page=9223372036854775807", "hitsPerPage=0",
        "ratingMenu[oscars]=-9223372036854775808", "range[year]=2000:1950",
      ] {
        let page = try await get("\(url)/films?\(query)", client)
        #expect(page.contains("</html>"), "\(query)")
      }
    }
  }

  /// A reader that stops misses events between, and never what the newest one changes.
  @Test func slowReaderSeesTheNewestState() async throws {
    try await withSite { url, client, _ in
      let response = try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      var (page, action) = (Page(), 0)
      for try await bytes in response.body {
        try page.receive(bytes)
        if page.action >= 600 { break }
        while !page.visitor.isEmpty, action < 600 {
          action += 1
          let text = ["love", "war", "a", "kurosawa"][action % 4]
          let address = "\(url)/live/\(page.visitor)?action=\(action)"
          _ =
            action == 300
            ? try await post(address, "sortBy=films_oldest&hitsPerPage=48", client)
            : try await post(address + "&form=typing", "query=\(text)", client)
        }
      }
      #expect(page.action == 600)
      let loaded = try await get("\(url)/films?\(page.query)", client)
      #expect(loaded.contains(page.regions["order"] ?? "none"))
      #expect(loaded.contains(page.regions["hits"] ?? "none"))
    }
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

    private var buffer: [UInt8] = []

    mutating func receive(_ bytes: ByteBuffer) throws {
      // A letter can be divided between two parts.
      buffer += bytes.readableBytesView
      while let end = buffer.firstRange(of: Array("\n\n".utf8)) {
        try receive(String(decoding: buffer[..<end.lowerBound], as: UTF8.self)[...])
        buffer.removeSubrange(..<end.upperBound)
      }
    }

    private mutating func receive(_ event: Substring) throws {
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
      var (page, action) = (Page(), 0)
      for try await bytes in response.body {
        try page.receive(bytes)
        guard page.action == action else { continue }
        let loaded = try await get("\(url)/films?\(page.query)", client)
        for (id, html) in page.regions where !["status", "suggestions"].contains(id) {
          let isLoaded = html.isEmpty || loaded.contains(html)
          #expect(isLoaded, "\(id) after \(page.query): \(html)")
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

  @Test func visitorsAreLimited() async throws {
    try await withSite(maximumVisitors: 2) { url, client, site in
      func open() async throws -> HTTPClientResponse {
        try await client.execute(HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      }
      let visitors = [try await open(), try await open()]
      #expect(visitors.allSatisfy { $0.status == .ok } && site.visitorCount == 2)
      #expect(try await open().status == .serviceUnavailable)
      #expect(try await post("\(url)/live/nobody?action=1", "query=a", client) == 410)
      withExtendedLifetime(visitors) {}
    }
  }

  /// A connection that is reset before it is answered leaves nothing behind.
  @Test func resetConnectionsLeaveNothing() async throws {
    try await withSite(maximumVisitors: 40) { url, client, site in
      let port = try #require(URL(string: url)?.port)
      for _ in 0..<200 {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
          .connect(host: "127.0.0.1", port: port).get()
        // Closing resets the connection.
        try await (channel as? any SocketOptionProvider)?.setSoLinger(
          linger(l_onoff: 1, l_linger: 0)
        ).get()
        let head = ByteBuffer(string: "GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        try await channel.writeAndFlush(head).get()
        try await channel.close().get()
      }
      while try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60)
      ).status != .ok {}
    }
  }

  @Test func formsThatCannotBeReadAreErrors() async throws {
    try await withSite { url, client, _ in
      let response = try await client.execute(
        HTTPClientRequest(url: "\(url)/live"), timeout: .seconds(60))
      var page = Page()
      for try await bytes in response.body {
        try page.receive(bytes)
        if page.visitor.isEmpty { continue }
        // The page is open as long as its events are read.
        let address = "\(url)/live/\(page.visitor)?action=1&form="
        #expect(try await post(address + "unknown", "query=a", client) == 400)
        #expect(try await post(address + "years", "range[year][min]=1e400", client) == 400)
        let long = String(repeating: "a", count: 20_000)
        #expect(try await post(address + "typing", long, client) == 413)
        break
      }
      #expect(!page.visitor.isEmpty)
    }
  }
}
