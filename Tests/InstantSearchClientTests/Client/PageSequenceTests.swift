import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct PageSequenceTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  /// Three pages of two films each. The middle one has a film that cannot be decoded.
  private func pagedTransport() -> ScriptedTransport {
    ScriptedTransport { request, _ in
      let body = try JSON(parsing: request.body)
      let page = body["page"]?.intValue ?? 0
      let second = page == 1 ? "7" : #""b\#(page)""#
      return TransportResponse(
        status: 200,
        body: Array(
          """
          {"hits":[{"objectID":"\(page)a","title":"a\(page)"},{"objectID":"\(page)b","title":\(second)}],
          "page":\(page),"nbPages":3,"nbHits":6,"hitsPerPage":2}
          """.utf8))
    }
  }

  @Test func pageIsFetchedWhenItsFirstHitIsRequested() async throws {
    let transport = pagedTransport()
    var hits = SearchClient(transport: transport)
      .hits("films", of: Film.self).makeAsyncIterator()
    #expect(transport.requests.isEmpty)
    try await expectEqual(hits.next()?.title, "a0")
    try await expectEqual(hits.next()?.title, "b0")
    expectEqual(transport.requests.count, 1)
    try await expectEqual(hits.next()?.title, "a1")
    expectEqual(transport.requests.count, 2)
  }

  @Test func undecodableHitIsThrownAfterItsPageAndIterationContinues() async throws {
    var hits = SearchClient(transport: pagedTransport())
      .hits("films", of: Film.self).makeAsyncIterator()
    for expected in ["a0", "b0", "a1"] { try await expectEqual(hits.next()?.title, expected) }
    do {
      _ = try await hits.next()
      Issue.record("nothing was thrown")
    } catch {
      expectEqual(error.failures.map(\.objectID), ["1b"])
      expectEqual(error.failures.map(\.position), [4])
    }
    try await expectEqual(hits.next()?.title, "a2")
    try await expectEqual(hits.next()?.title, "b2")
    #expect(try await hits.next() == nil)
    #expect(try await hits.next() == nil)
  }

  @Test func failedPageIsRequestedAgain() async throws {
    let base = pagedTransport()
    let transport = FaultyTransport(wrapping: base) { _, number in
      number == 1 ? .status(503, "down") : nil
    }
    var pages = SearchClient(transport: transport)
      .pages("films", of: Film.self).makeAsyncIterator()
    try await expectEqual(pages.next()?.page, 0)
    await #expect(throws: SearchError.self) { try await pages.next() }
    try await expectEqual(pages.next()?.page, 1)
  }

  @Test func browsingFollowsTheCursorToTheEnd() async throws {
    let transport = ScriptedTransport { request, number in
      let body = try JSON(parsing: request.body)
      expectEqual(body["hitsPerPage"], 1000)
      expectEqual(body["cursor"]?.stringValue, number == 0 ? nil : "c\(number)")
      let cursor = number < 2 ? #","cursor":"c\#(number + 1)""# : ""
      return TransportResponse(
        status: 200,
        body: Array(#"{"hits":[{"title":"\#(number)"}]\#(cursor)}"#.utf8))
    }
    var titles: [String] = []
    for try await film in SearchClient(transport: transport).browse("films", of: Film.self) {
      titles.append(film.title)
    }
    expectEqual(titles, ["0", "1", "2"])
    expectEqual(
      transport.requests.map(\.path), Array(repeating: "/1/indexes/films/browse", count: 3))
  }

  /// A server that ignores the cursor would be browsed for ever.
  @Test func repeatedCursorIsAnError() async throws {
    let transport = ScriptedTransport(
      json: #"{"hits":[{"objectID":"1","title":"a"}],"cursor":"c"}"#)
    var pages = SearchClient(transport: transport)
      .browsePages("films", of: Film.self).makeAsyncIterator()
    try await expectEqual(pages.next()?.hits.count, 1)
    let error = await #expect(throws: SearchError.self) { try await pages.next() }
    expectEqual(error?.code, .server)
    expectEqual(transport.requests.count, 2)
  }

  @Test(arguments: [3, Int.max])
  func pageWithoutHitsIsTheLast(pageCount: Int) async throws {
    let transport = ScriptedTransport { _, number in
      let hits = number < 1 ? #"{"objectID":"1","title":7}"# : ""
      return TransportResponse(
        status: 200, body: Array(#"{"hits":[\#(hits)],"nbPages":\#(pageCount)}"#.utf8))
    }
    let pages = SearchClient(transport: transport).pages("films", of: Film.self)
    var failureCounts: [Int] = []
    for try await page in pages { failureCounts.append(page.failures.count) }
    expectEqual(failureCounts, [1, 0])
  }

  @Test func sequenceBeginsAtThePageOfTheQuery() async throws {
    let transport = pagedTransport()
    let query = SearchQuery().setting(\.page, to: 1)
    var numbers: [Int] = []
    for try await page in SearchClient(transport: transport).pages("films", query, of: Film.self) {
      numbers.append(page.page)
    }
    expectEqual(numbers, [1, 2])
    expectEqual(transport.requests.count, 2)
  }

  @Test func pagesDeliverEveryHitAndEveryFailure() async throws {
    var titles: [String] = []
    var failures: [String?] = []
    for try await page in SearchClient(transport: pagedTransport()).pages("films", of: Film.self) {
      titles += page.hits.map(\.title)
      failures += page.failures.map(\.objectID)
    }
    expectEqual(titles, ["a0", "b0", "a1", "a2", "b2"])
    expectEqual(failures, ["1b"])
  }

  @Test(arguments: [nil, 1, Int.max])
  func pageNumberOfTheResponseIsIgnored(first: Int?) async throws {
    let transport = ScriptedTransport(
      json: #"{"hits":[{"title":"a"}],"page":9223372036854775807,"nbPages":3}"#)
    let query = SearchQuery().setting(\.page, to: first)
    var count = 0
    for try await _ in SearchClient(transport: transport).pages("films", query, of: Film.self) {
      count += 1
    }
    expectEqual(count, first == nil ? 3 : first == 1 ? 2 : 1)
  }

  @Test(arguments: [["hits"], ["hits", "nbPages"], ["page", "hits"], ["*"], []])
  func fieldsThatTheSequenceNeedsAreRequested(fields: [String]) async throws {
    let engine = LocalSearch()
    try await engine.save((0..<5).map { Film(title: "film \($0)") }, in: "films")
    let query = SearchQuery().setting(\.hitsPerPage, to: 2).setting(\.responseFields, to: fields)
    var count = 0
    for try await page in SearchClient(transport: engine).pages("films", query, of: Film.self) {
      expectEqual(page.page, count)
      count += 1
    }
    expectEqual(count, 3)
  }

  @Test func additionalParametersAreReadAsProperties() async throws {
    let engine = LocalSearch()
    try await engine.save((0..<7).map { Film(title: "film \($0)") }, in: "films")
    let client = SearchClient(transport: engine)
    let query = SearchQuery().with {
      $0.additionalParameters = ["page": 1, "hitsPerPage": 2, "responseFields": ["hits"]]
    }
    var pages: [[Int]] = []
    for try await page in client.pages("films", query, of: Film.self) {
      pages.append([page.page, page.hits.count])
    }
    expectEqual(pages, [[1, 2], [2, 2], [3, 1]])
    let transport = ScriptedTransport(json: #"{"hits":[]}"#)
    for try await _ in SearchClient(transport: transport)
      .browse("films", query, of: Film.self)
    {}
    try expectEqual(JSON(parsing: #require(transport.requests.first).body)["hitsPerPage"], 2)
  }
}
