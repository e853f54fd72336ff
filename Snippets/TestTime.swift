// A test of a debounced search that never waits: a manual clock controls the time.
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

struct Film: Codable, Sendable { let title: String }

await typingIsOneRequest()
try await pageIsATable()
await twoCallsFail()

func typingIsOneRequest() async {
  // snippet.test
  let transport = ScriptedTransport(json: #"{"hits": [{"title": "Tomorrow"}], "nbHits": 1}"#)
  let clock = ManualClock()
  let searcher = HitsSearcher(
    client: SearchClient(transport: transport), indexName: "films",
    debounce: .milliseconds(150), options: .init(clock: clock))
  var pages = searcher.pages(of: Film.self).makeAsyncIterator()

  searcher.setQuery("to")
  searcher.setQuery("tom")
  await clock.waitForSleepers()
  print("\(transport.requests.count) requests before the debounce")
  clock.advance(by: .milliseconds(150))
  let page = await pages.next()
  print("\(page?.hits.first?.title ?? "nothing"), with \(transport.requests.count) request")
  // snippet.end
}

func pageIsATable() async throws {
  // snippet.table
  let engine = try await LocalSearch(
    indexName: "films", records: ["Tomorrow", "Tom Jones", "Stalker"].map { Film(title: $0) })
  let client = SearchClient(transport: engine)
  let page = try await client.search("films", SearchQuery("tom"), of: Hit<Film>.self)
  print(describe(page, "title"))
  // snippet.end
}

func twoCallsFail() async {
  // snippet.faults
  // The first call has an answer that is an error, the second has none.
  let faulty = FaultyTransport(wrapping: LocalSearch()) { _, number in
    switch number {
    case 0: .status(503, "Overloaded")
    case 1: .failure(SearchError(.unreachable, "No host answered."))
    default: nil
    }
  }
  let client = SearchClient(transport: faulty)
  for _ in 0..<3 {
    do throws(SearchError) {
      _ = try await client.search("films", SearchQuery("tom"), of: Hit<Film>.self)
    } catch {
      print(error.code, error.httpStatus, error.isRetryable)
    }
  }
  // snippet.end
}
