import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct MultiIndexHitsTests {
  private struct Actor: Codable, Sendable, Equatable { let name: String }
  private struct Movie: Codable, Sendable, Equatable {
    let title: String
    let year: Int
  }

  private let actors = HitsInteractor<Hit<Actor>>(infiniteScrolling: .off)
  private let movies = HitsInteractor<Movie>()

  private func searcher(_ transport: some SearchTransport) -> MultiIndexSearcher {
    MultiIndexSearcher(
      client: SearchClient(transport: transport), indexNames: ["actors", "movies"],
      options: .init(clock: ManualClock()))
  }

  /// Two actors and five pages of two movies, the second of the first page without its year.
  private static func answer(_ request: TransportRequest) throws -> TransportResponse {
    let body = try JSON(parsing: request.body)
    let queries = body["requests"]?.arrayValue
    let results = (queries ?? [body]).map { query -> JSON in
      let text = query["query"]?.stringValue ?? ""
      let page = query["page"]?.intValue ?? 0
      if query["indexName"] == "actors" {
        return [
          "hits": [
            ["objectID": "1", "name": .string("Tom \(text)")], ["objectID": "2", "name": "Ann"],
          ], "nbHits": 2, "nbPages": 1, "page": 0, "hitsPerPage": 2,
        ]
      }
      let second: JSON =
        page == 0 ? ["objectID": "b", "title": "no year"] : ["title": "later", "year": 2000]
      return [
        "hits": [["title": .string("\(text) \(page)"), "year": 1999], second],
        "nbHits": 10, "nbPages": 5, "page": .int(Int64(page)), "hitsPerPage": 2,
      ]
    }
    let answer: JSON = queries == nil ? results[0] : ["results": .array(results)]
    return TransportResponse(status: 200, body: Array(answer.text.utf8))
  }

  @Test func oneStateWithTypedSectionsIsPublishedPerSearch() async throws {
    let transport = ScriptedTransport { request, _ in try Self.answer(request) }
    let searcher = searcher(transport)
    let hits = MultiIndexHits(actors, movies)
    let states = hits.states(buffering: .unbounded)
    let errors = hits.interactor.errors(buffering: .unbounded)
    let connection = hits.connectSearcher(searcher)
    #expect(hits.connectSearcher(searcher) === connection)
    #expect(transport.requests.isEmpty)
    searcher.setQuery("a")
    var log: [String] = []
    for await (actors, movies) in states {
      log.append(
        "\(actors.isLoading) \(movies.isLoading) \(actors.hits.loaded.map(\.name)) "
          + "\(movies.hits.map { $0?.title }.prefix(2))")
      if !movies.hits.isEmpty { break }
    }
    expectEqual(
      log,
      [
        "false false [] []", "true true [] []",
        #"false false ["Tom a", "Ann"] [Optional("a 0"), nil]"#,
      ])
    expectEqual(transport.requests.count, 1)
    var failures = errors.makeAsyncIterator()
    let failure = try #require(await failures.next())
    expectEqual(failure.section, 1)
    expectEqual(failure.error.failures.map(\.objectID), ["b"])
    expectEqual(hits.state.0.hits[0]?.objectID, "1")
  }

  @Test func sectionsAndRowsAreSafeAndTyped() async throws {
    let searcher = searcher(ScriptedTransport { request, _ in try Self.answer(request) })
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    searcher.submit()
    let state = try #require(await hits.state { $0.sections[1].numberOfHits > 0 })
    expectEqual(hits.numberOfSections(), 2)
    expectEqual((-1...2).map { hits.numberOfHits(inSection: $0) }, [0, 2, 10, 0])
    let movie: Movie? = try hits.hit(atIndex: 0, inSection: 1)
    expectEqual(movie, Movie(title: " 0", year: 1999))
    #expect(try hits.hit(atIndex: 1, inSection: 1, as: Movie.self) == nil)
    #expect(try hits.hit(atIndex: 99, inSection: 1, as: Movie.self) == nil)
    expectEqual(hits.rawHit(atIndex: 1, inSection: 1)?["title"], "no year")
    #expect(hits.rawHit(atIndex: 1, inSection: 9) == nil)
    #expect(try hits.hitsInteractor(forSection: 1, of: Movie.self) === movies)
    expectEqual(hits.section(of: movies), 1)
    #expect(!hits.contains(HitsInteractor<Movie>()))
    #expect(hits[section: 2] == nil)
    #expect(state[section: -1] == nil)
    try expectEqual(state[section: 0]?.state(of: Hit<Actor>.self).hits.count, 2)
    try expectEqual(state.sections[0].hit(atIndex: 1, as: Hit<Actor>.self)?.name, "Ann")
    for (code, body) in [
      (SearchError.Code.decoding, { _ = try hits.hit(atIndex: 0, inSection: 1, as: Actor.self) }),
      (.decoding, { _ = try hits.hitsInteractor(forSection: 0, of: Movie.self) }),
      (.decoding, { _ = try state.sections[0].state(of: Movie.self) }),
      (.decoding, { _ = try state.sections[0].hit(atIndex: 0, as: Movie.self) }),
      (.invalidRequest, { _ = try hits.hit(atIndex: 0, inSection: 2, as: Movie.self) }),
      (.invalidRequest, { _ = try hits.hitsInteractor(forSection: -1, of: Movie.self) }),
    ] as [(SearchError.Code, () throws -> Void)] {
      expectEqual(#expect(throws: SearchError.self, performing: body)?.code, code)
    }
  }

  @Test func rowOfASectionLoadsAPageOfItsIndexOnly() async throws {
    let transport = ScriptedTransport { request, _ in try Self.answer(request) }
    let searcher = searcher(transport)
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    searcher.setQuery("a")
    _ = await hits.state { $0.sections[1].numberOfHits > 0 }
    hits.notifyDidPresentRow(atIndex: 0, inSection: 0)
    hits.notifyDidPresentRow(atIndex: 1, inSection: 7)
    #expect(try await movies.loadNext())
    expectEqual(
      transport.requests.map(\.path), ["/1/indexes/*/queries", "/1/indexes/movies/query"])
    try expectEqual(hits.hit(atIndex: 2, inSection: 1, as: Movie.self)?.title, "a 1")
    // The whole list shows it too.
    let state = await hits.state { !$0.sections[1].isLoadingPage }
    try expectEqual(state?.sections[1].hit(atIndex: 2, as: Movie.self)?.title, "a 1")
    #expect(searcher.request[1].query.page == nil)
  }

  @Test func indexWithoutAResultKeepsItsSectionAndReportsWhy() async throws {
    let transport = ScriptedTransport { request, number in
      if number == 1 {
        let actors = #"{"hits":[{"objectID":"1","name":"Eve"}],"nbHits":1,"nbPages":1}"#
        return TransportResponse(
          status: 200, body: Array(#"{"results":[\#(actors),{"hits":7}]}"#.utf8))
      }
      if number == 2 { throw SearchError(.unreachable, "no network") }
      return try Self.answer(request)
    }
    let searcher = searcher(transport)
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    let searchErrors = searcher.errors(buffering: .unbounded)
    let sectionErrors = hits.errors(buffering: .unbounded)
    searcher.setQuery("a")
    _ = await hits.state { $0.sections[1].numberOfHits > 0 }
    let states = hits.states(buffering: .unbounded)
    searcher.setQuery("b")
    var texts: [String] = []
    for await state in states {
      let name = try state.sections[0].hit(atIndex: 0, as: Hit<Actor>.self)?.name
      let title = try state.sections[1].hit(atIndex: 0, as: Movie.self)?.title
      let failure = state.sections[1].failure?.code
      texts.append(
        "\(state.isLoading) \(name ?? "-") \(title ?? "-") \(failure?.description ?? "-")")
      if failure != nil { break }
    }
    expectEqual(texts, ["false Tom a a 0 -", "true Tom a a 0 -", "false Eve a 0 decoding"])
    #expect(hits.state.sections[0].failure == nil)
    // The rows belong to an older query, so no page of it is loaded.
    hits.notifyDidPresentRow(atIndex: 1, inSection: 1)
    await #expect(throws: SearchError.self) { try await movies.loadNext() }
    // If the whole request fails, every section reports it.
    searcher.setQuery("c")
    let failed = await hits.state { $0.sections.allSatisfy { $0.failure?.code == .unreachable } }
    expectEqual(failed?.sections.map(\.numberOfHits), [1, 10])
    expectEqual(transport.requests.count, 3)
    var codes: [String] = []
    for await error in searchErrors {
      codes.append("\(error.code) \(error.indexName ?? "-")")
      if error.code == .unreachable { break }
    }
    // The record without a year, the damaged result, the failed request.
    expectEqual(codes, ["decoding movies", "decoding movies", "unreachable -"])
    connectionEnds(hits, searcher)
    var sections: [Int] = []
    for await failure in sectionErrors {
      sections.append(failure.section)
      if sections.count == 1 { break }
    }
    expectEqual(sections, [1])
  }

  private func connectionEnds(_ hits: MultiIndexHitsInteractor, _ searcher: MultiIndexSearcher) {
    let connection = hits.connectSearcher(searcher)
    connection.disconnect()
    #expect(!connection.isConnected)
    expectEqual(hits.numberOfHits(inSection: 1), 10, "the rows stay")
    #expect(!hits.state.isLoading)
    let again = hits.connectSearcher(searcher)
    #expect(again !== connection)
    again.disconnect()
  }

  @Test func aSupersededSearchShowsNothingInAnySection() async throws {
    let gate = CallGate()
    let transport = ScriptedTransport { request, number in
      if number == 0 { await gate.pass() }
      return try Self.answer(request)
    }
    let searcher = searcher(transport)
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    let states = hits.states(buffering: .unbounded)
    searcher.setQuery("old")
    await gate.waitForCalls()
    let superseded = Task { try await searcher.search() }
    _ = await hits.state { $0.sections[1].generation == 2 }
    searcher.setQuery("new")
    gate.open()
    _ = await superseded.result
    _ = await hits.state { $0.sections[1].request?.query.query == "new" }
    for await state in states {
      let names = Set(
        [
          try state.sections[0].hit(atIndex: 0, as: Hit<Actor>.self)?.name.dropFirst(4),
          try state.sections[1].hit(atIndex: 0, as: Movie.self)?.title.dropLast(2),
        ].compactMap { $0 })
      #expect(names.count <= 1)
      expectEqual(state.sections[0].generation, state.sections[1].generation)
      if names == ["new"] { break }
    }
  }

  /// A search that is superseded, one with a damaged index and a record that does not fit, and one
  /// that fails as a whole.
  @Test func everyStreamReceivesExactlyItsEvents() async throws {
    let gate = CallGate()
    let answered = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { request, number in
      switch number {
      case 0:
        await gate.pass()
        answered.continuation.finish()
        return try Self.answer(request)
      case 1:
        let results = try JSON(parsing: Self.answer(request).body)["results"]?.arrayValue ?? []
        let damaged: JSON = ["results": [7, results[1]]]
        return TransportResponse(status: 200, body: Array(damaged.text.utf8))
      default: throw SearchError(.unreachable, "no network")
      }
    }
    let searcher = searcher(transport)
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    let states = hits.states(buffering: .unbounded)
    let sectionErrors = hits.errors(buffering: .unbounded)
    let searchErrors = searcher.errors(buffering: .unbounded)
    let movieErrors = movies.errors(buffering: .unbounded)
    let responses = searcher.responses(buffering: .unbounded)
    searcher.setQuery("old")
    await gate.waitForCalls()
    searcher.setQuery("new")
    _ = await hits.state { $0.sections[1].generation == 2 }
    // The late response of the first search changes nothing.
    gate.open()
    for await _ in answered.stream {}
    await #expect(throws: SearchError.self) { try await searcher.search() }
    var log: [String] = []
    for await state in states {
      let failures = state.sections.map { $0.failure?.code.description ?? "-" }
      let title = try state.sections[1].hit(atIndex: 0, as: Movie.self)?.title ?? "-"
      log.append("\(state.isLoading) \(state.sections[0].numberOfHits) \(title) \(failures)")
      if failures == ["unreachable", "unreachable"] { break }
    }
    expectEqual(
      log,
      [
        #"false 0 - ["-", "-"]"#, #"true 0 - ["-", "-"]"#,
        #"false 0 new 0 ["decoding", "-"]"#, #"true 0 new 0 ["-", "-"]"#,
        #"false 0 new 0 ["unreachable", "unreachable"]"#,
      ])
    var generations: [UInt64] = []
    for await response in responses {
      generations.append(response.generation)
      break
    }
    expectEqual(generations, [2])
    var reported: [String] = []
    for await error in searchErrors {
      reported.append("\(error.code) \(error.indexName ?? "-")")
      if error.code == .unreachable { break }
    }
    expectEqual(reported, ["decoding actors", "decoding movies", "unreachable -"])
    searcher.cancel()
    var sections = sectionErrors.makeAsyncIterator()
    let first = await sections.next()
    #expect(first?.section == 1 && first?.error.failures.map(\.objectID) == ["b"])
    var ofMovies = movieErrors.makeAsyncIterator()
    await expectEqual(ofMovies.next(), first?.error)
  }

  @Test func sectionWithoutAnIndexReportsAnError() async throws {
    let searcher = MultiIndexSearcher(
      client: SearchClient(
        transport: ScriptedTransport { request, _ in try Self.answer(request) }),
      indexNames: ["actors"])
    let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    hits.connectSearcher(searcher)
    searcher.submit()
    let state = await hits.state { $0.sections[0].numberOfHits == 2 }
    expectEqual(state?.sections[1].failure?.code, .invalidRequest)
    #expect(state?.sections[1].isLoading == false)
  }

  @Test func droppingTheInteractorEndsItsStreams() async {
    let searcher = searcher(ScriptedTransport { request, _ in try Self.answer(request) })
    var hits: MultiIndexHitsInteractor? = MultiIndexHitsInteractor(
      hitsInteractors: [actors, movies])
    hits?.connectSearcher(searcher)
    weak let released = hits
    guard let states = hits?.states, let errors = hits?.errors else { return }
    hits = nil
    #expect(released == nil)
    for await _ in states {}
    for await _ in errors {}
    expectEqual(searcher.state, .idle)
  }

  @Test func anotherSearcherReplacesTheFirstInAllSectionsAtOnce() async {
    let gate = CallGate()
    let first = searcher(
      ScriptedTransport { request, _ in
        await gate.pass()
        return try Self.answer(request)
      })
    let second = searcher(ScriptedTransport { request, _ in try Self.answer(request) })
    let hits = MultiIndexHits(actors, movies)
    let connection = hits.connectSearcher(first)
    first.setQuery("a")
    await gate.waitForCalls()
    _ = await hits.interactor.state { $0.isLoading }
    let states = hits.states(buffering: .unbounded)
    hits.connectSearcher(second)
    #expect(!connection.isConnected)
    second.setQuery("b")
    for await (actors, movies) in states {
      expectEqual(actors.isLoading, movies.isLoading)
      if movies.query == "b" { break }
    }
    gate.open()
  }

  @Test func searchersConnectedConcurrently() async {
    let transport = ScriptedTransport { request, _ in try Self.answer(request) }
    for round in 0..<Thoroughness.count(20, thorough: 200) {
      let searchers = [searcher(transport), searcher(transport)]
      let hits = MultiIndexHits(HitsInteractor<Hit<Actor>>(), HitsInteractor<Movie>())
      let connections = await withTaskGroup { group in
        for (index, searcher) in searchers.enumerated() {
          group.addTask { (index, hits.connectSearcher(searcher)) }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let connected = connections.filter { $0.value.isConnected }.keys
      expectEqual(connected.count, 1, "\(round)")
      guard let index = connected.first else { continue }
      searchers[1 - index].setQuery("other")
      searchers[index].setQuery("a")
      let shown = await hits.interactor.state { $0.sections[1].numberOfHits > 0 }
      expectEqual(shown?.sections.map { $0.request?.query.query }, ["a", "a"], "\(round)")
    }
  }

  @Test func listReconnectedDuringDecodingShowsTheResult() async throws {
    for _ in 0..<Thoroughness.count(5, thorough: 20) {
      let searcher = searcher(ScriptedTransport { request, _ in try Self.answer(request) })
      let other = self.searcher(ScriptedTransport { request, _ in try Self.answer(request) })
      try await searcher.search()
      try await other.search()
      let hits = MultiIndexHitsInteractor(
        hitsInteractors: [HitsInteractor<JSON>(), HitsInteractor<JSON>()])
      hits.connectSearcher(searcher).disconnect()
      hits.connectSearcher(searcher)
      #expect(try await hits.settledState().sections.allSatisfy { $0.numberOfHits > 0 })
      hits.connectSearcher(other)
      #expect(try await hits.settledState().sections.allSatisfy { $0.generation == 1 })
    }
  }

  @Test func interactorUsedForTwoSectionsShowsTheLast() async throws {
    let searcher = searcher(ScriptedTransport { request, _ in try Self.answer(request) })
    let hits = MultiIndexHitsInteractor(hitsInteractors: [movies, movies])
    let connection = hits.connectSearcher(searcher)
    let errors = hits.errors(buffering: .unbounded)
    searcher.setQuery("a")
    let shown = await hits.state { $0.sections[0].numberOfHits > 0 }
    expectEqual(shown?.sections.map(\.numberOfHits), [10, 10])
    #expect(shown?.isLoading == false)
    var failures = errors.makeAsyncIterator()
    let sections = [await failures.next()?.section, await failures.next()?.section]
    expectEqual(Set(sections), [0, 1])
    connection.disconnect()
    await #expect(throws: SearchError.self) { try await movies.loadNext() }
  }

  @Test func interactorInTwoListsUsesTheSearcherConnectedLast() async throws {
    let transport = ScriptedTransport { request, _ in try Self.answer(request) }
    let (first, second) = (searcher(transport), searcher(transport))
    let whole = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
    var other: MultiIndexHitsInteractor? = MultiIndexHitsInteractor(
      hitsInteractors: [HitsInteractor<Hit<Actor>>(), movies])
    whole.connectSearcher(first)
    let connection = other?.connectSearcher(second)
    first.setQuery("first")
    second.setQuery("second")
    _ = await other?.state { $0.sections[1].request?.query.query == "second" }
    let shown = await whole.state {
      $0.sections.map { $0.request?.query.query } == ["first", "second"]
    }
    #expect(shown != nil)
    other = nil
    #expect(connection?.isConnected == false)
    #expect(!whole.state.isLoading)
    whole.connectSearcher(second)
    _ = await whole.state { $0.sections.allSatisfy { $0.request?.query.query == "second" } }
  }

  /// The first call stops at the filters of a section while the second call is made.
  @Test func connectReturnsOnceTheSearcherIsObserved() async throws {
    let stop = StopOnce()
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try Self.answer(request) }),
      indexNames: ["actors", "movies"], options: .init(clock: ManualClock())
    ) { _ in
      stop.pass()
      return true
    }
    let filters = FilterState()
    filters.update { $0[and: "a"].add("a" == "b") }
    movies.connectFilterState(filters)
    let hits = MultiIndexHits(actors, movies)
    let first = stop.arm { hits.connectSearcher(searcher) }
    await stop.waitUntilStopped()
    let states = hits.states(buffering: .unbounded)
    let second = hits.connectSearcher(searcher)
    expectEqual(searcher.request[1].filterGroups, filters.groups)
    searcher.setQuery("a")
    try await searcher.search()
    expectEqual(hits.state.1.hits[0]?.title, "a 0")
    for await (_, movies) in states where movies.hits[0]?.title == "a 0" { break }
    stop.release()
    #expect(await first.value === second)
    second.disconnect()
    searcher.setQuery("b")
    try await searcher.search()
    expectEqual(hits.state.1.hits[0]?.title, "a 0", "nothing observes the searcher")
  }

  @Test(arguments: [1, 2, 8, 32])
  func sectionsAreCombinedOncePerStatus(count: Int) async throws {
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: ScriptedTransport { request, _ in try rowsOfEach(request) }),
      indexNames: (0..<count).map { "\($0)" }, options: .init(clock: ManualClock()))
    let hits = MultiIndexHitsInteractor(
      hitsInteractors: (0..<count).map { _ in HitsInteractor<Row>() })
    hits.connectSearcher(searcher)
    try await searcher.search()
    let states = hits.states(buffering: .unbounded)
    let before = hits.updateCount
    try await searcher.search()
    #expect(hits.state.sections.allSatisfy { $0.generation == 2 })
    // The start and the response, regardless of the number of sections.
    #expect(hits.updateCount - before <= 3)
    var published = 0
    for await state in states {
      published += 1
      if state.sections.allSatisfy({ $0.generation == 2 }) { break }
    }
    expectEqual(published, 3)
  }

  @Test func misspelledIndexNameFailsEverySection() async throws {
    let engine = LocalSearch()
    try await engine.save([["text": "a", "row": 1]] as [JSON], in: "films")
    let searcher = MultiIndexSearcher(
      client: SearchClient(transport: engine), indexNames: ["films", "fims"])
    let hits = MultiIndexHitsInteractor(
      hitsInteractors: [HitsInteractor<JSON>(), HitsInteractor<JSON>()])
    hits.connectSearcher(searcher)
    await #expect { try await searcher.search() } throws: { error in
      let error = error as? SearchError
      return error?.code == .indexNotFound && error?.indexName == "fims"
    }
    expectEqual(hits.state.sections.map(\.failure?.code), [.indexNotFound, .indexNotFound])
    searcher.update(at: 1) { $0.indexName = "films" }
    try await searcher.search()
    expectEqual(hits.state.sections.map(\.numberOfHits), [1, 1])
  }

  @Test func connectAndDisconnectFromSeveralThreads() async {
    let transport = ScriptedTransport { request, _ in try Self.answer(request) }
    let hits = MultiIndexHits(actors, movies)
    let searchers = [searcher(transport), searcher(transport), searcher(transport)]
    await withTaskGroup(of: Void.self) { group in
      for searcher in searchers {
        group.addTask {
          for round in 0..<Thoroughness.count(20, thorough: 100) {
            let connection = hits.connectSearcher(searcher)
            searcher.setQuery("\(round)")
            if round.isMultiple(of: 3) { connection.disconnect() }
            movies.notifyDidPresentRow(atIndex: 1)
          }
        }
      }
    }
    hits.connectSearcher(searchers[0])
    searchers[0].setQuery("end")
    let shown = await hits.interactor.state {
      !$0.isLoading && $0.sections.allSatisfy { $0.request?.query.query == "end" }
    }
    expectEqual(shown?.sections[0].generation, shown?.sections[1].generation)
  }
}
