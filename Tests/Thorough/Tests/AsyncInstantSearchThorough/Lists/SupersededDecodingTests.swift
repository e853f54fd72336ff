@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
import TestSupport
import Testing

/// A newer search that begins while the response of an older one is being decoded.
@Suite(.serialized) struct SupersededDecodingTests {
  /// A record that does something while it is decoded, such as changing the query.
  private struct Typist: Decodable, Sendable {
    private struct Texts {
      var count = 0
      var actions: [String: @Sendable () -> Void] = [:]
    }

    private static let texts = Lock(Texts())

    /// Returns the text of a record that performs an action when it is decoded, once.
    ///
    /// No two texts are equal, because the last rows of a test can be decoded after its end.
    static func text(doing action: @escaping @Sendable () -> Void) -> String {
      texts.withLock { texts in
        texts.count += 1
        texts.actions["old \(texts.count)"] = action
        return "old \(texts.count)"
      }
    }

    let text: String

    private enum CodingKeys: String, CodingKey { case text }

    init(from decoder: any Decoder) throws {
      text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
      let action = Self.texts.withLock { [text] in $0.actions.removeValue(forKey: text) }
      action?()
    }
  }

  @Test func listIgnoresAResultSupersededDuringDecoding() async {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try rows(request) }),
      indexName: "index", options: .init(clock: ManualClock()))
    let interactor = HitsInteractor<Typist>()
    interactor.connectSearcher(searcher)
    let states = interactor.states(buffering: .unbounded)
    searcher.setQuery(Typist.text { searcher.setQuery("new") })
    var queries: [String?] = []
    for await state in states {
      queries.append(state.hits[0]?.text)
      if state.generation == 2 { break }
    }
    expectEqual(queries.compactMap { $0 }, ["new"])
  }

  @Test func sectionsIgnoreAResultSupersededDuringDecoding() async {
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try rowsOfEach(request) }),
      indexNames: ["a", "b"], options: .init(clock: ManualClock()))
    let hits = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<Typist>())
    hits.connectSearcher(searcher)
    let states = hits.states(buffering: .unbounded)
    searcher.setQuery(Typist.text { searcher.setQuery("new") })
    var queries: [String?] = []
    for await (first, second) in states {
      queries += [first.hits[0]?.text, second.hits[0]?.text]
      if first.generation == 2 { break }
    }
    expectEqual(queries.compactMap { $0 }, ["new", "new"])
  }

  @Test func sectionIgnoresAFailureSupersededDuringDecoding() async {
    let transport = ScriptedTransport { request, number in
      let answer = try rowsOfEach(request)
      if number > 0 { return answer }
      var results = try JSON(parsing: answer.body)["results"]?.arrayValue ?? []
      results[1] = .null
      let damaged: JSON = ["results": .array(results)]
      return TransportResponse(status: 200, body: Array(damaged.text.utf8))
    }
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: transport), indexNames: ["a", "b"],
      options: .init(clock: ManualClock()))
    let hits = MultiIndexHits(HitsInteractor<Typist>(), HitsInteractor<Row>())
    hits.connectSearcher(searcher)
    let states = hits.states(buffering: .unbounded)
    searcher.setQuery(Typist.text { searcher.setQuery("new") })
    for await (first, second) in states {
      #expect(first.failure == nil && second.failure == nil)
      expectEqual(first.isLoading, second.isLoading)
      if first.generation == 2 { break }
    }
  }

  @Test func searcherReleasedDuringDecodingLeavesNothingLoading() async {
    let transport = ScriptedTransport { request, _ in try rows(request) }
    let searcher = Lock<HitsSearcher?>(
      HitsSearcher(
        client: SearchClient(transport: transport), indexName: "index",
        options: .init(clock: ManualClock())))
    let interactor = HitsInteractor<Typist>()
    let connection = searcher.withLock { $0 }.map { interactor.connectSearcher($0) }
    let released = CallGate()
    let text = Typist.text {
      release(searcher)
      released.open()
    }
    let states = interactor.states(buffering: .unbounded)
    searcher.withLock { $0 }?.setQuery(text)
    var loading: [Bool] = []
    for await state in states {
      loading.append(state.isLoading)
      if loading.count == 3 { break }
    }
    expectEqual(loading, [false, true, false])
    await released.waitForCalls()
    #expect(connection?.isConnected == false)
  }

  @Test func multiIndexSearcherReleasedDuringDecodingLeavesNothingLoading() async {
    let transport = ScriptedTransport { request, _ in try rowsOfEach(request) }
    let searcher = Lock<MultiIndexSearcher?>(
      MultiIndexSearcher(
        client: SearchClient(transport: transport), indexNames: ["a", "b"],
        options: .init(clock: ManualClock())))
    let hits = MultiIndexHits(HitsInteractor<Row>(), HitsInteractor<Typist>())
    let connection = searcher.withLock { $0 }.map { hits.connectSearcher($0) }
    let released = CallGate()
    let text = Typist.text {
      release(searcher)
      released.open()
    }
    let states = hits.states(buffering: .unbounded)
    searcher.withLock { $0 }?.setQuery(text)
    var loading: [[Bool]] = []
    for await (first, second) in states {
      loading.append([first.isLoading, second.isLoading])
      if loading.count == 3 { break }
    }
    expectEqual(loading, [[false, false], [true, true], [false, false]])
    await released.waitForCalls()
    #expect(connection?.isConnected == false)
  }
}

/// Releases an object, which can deallocate it.
private func release<Object: AnyObject & Sendable>(_ object: borrowing Lock<Object?>) {
  let released = object.withLock { object in
    defer { object = nil }
    return object
  }
  withExtendedLifetime(released) {}
}
