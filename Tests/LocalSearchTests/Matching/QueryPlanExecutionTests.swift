import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct QueryPlanExecutionTests {
  private func snapshot(
    _ names: [String], _ settings: IndexSettings = .init()
  ) throws -> IndexSnapshot {
    try IndexSnapshot.empty(settings: settings).applying(
      names.enumerated().map { number, name in
        .put(
          objectID: "\(number)", record: Array(#"{"objectID":"\#(number)","name":"\#(name)"}"#.utf8)
        )
      })
  }

  private func execute(_ query: SearchQuery, _ snapshot: IndexSnapshot) throws -> MatchedRecords {
    try QueryPlan(query: query, settings: snapshot.settings, cancellation: CancellationCheck())
      .execute(on: snapshot, allowed: snapshot.liveDocuments, CancellationCheck())
  }

  private func ids(_ query: SearchQuery, _ names: [String]) throws -> [String] {
    try EngineSearch.objectIDs(query, in: try snapshot(names)).sorted()
  }

  @Test func onlyTheLastWordMatchesPrefixes() throws {
    let names = ["jet bought", "jet black", "jets big"]
    try expectEqual(ids(SearchQuery("je b"), names), [])
    try expectEqual(ids(SearchQuery("jet b"), names), ["0", "1"])
    var all = SearchQuery("je b")
    all.queryType = .prefixAll
    try expectEqual(ids(all, names), ["0", "1", "2"])
    var none = SearchQuery("jet b")
    none.queryType = .prefixNone
    try expectEqual(ids(none, names), [])
  }

  @Test func wordsMatchAtTheirStartOnly() throws {
    try expectEqual(ids(SearchQuery("pants"), ["pants", "workpants"]), ["0"])
  }

  @Test func splitAndJoinedWordsAreFound() throws {
    let names = ["sun flower", "sunflower", "flower sun", "icecream"]
    try expectEqual(ids(SearchQuery("sunflower"), names), ["0", "1"])
    try expectEqual(ids(SearchQuery("ice cream"), names), ["3"])
    var off = SearchQuery("ice cream")
    off.typoTolerance = false
    try expectEqual(ids(off, names), [])
  }

  @Test func phrasesMustBeAdjacentAndExclusionsAbsent() throws {
    let names = ["red small car", "small red car", "small red bus", "red. Car"]
    var query = SearchQuery("\"red car\"")
    query.advancedSyntax = true
    try expectEqual(ids(query, names), ["1", "3"])
    query.query = "small -car"
    try expectEqual(ids(query, names), ["2"])
    query.query = "-car"
    try expectEqual(ids(query, names), ["2"])
    query.query = "-\"red car\""
    try expectEqual(ids(query, names), ["0", "2"])
  }

  @Test func wordsAreRemovedUntilSomethingIsFound() throws {
    let snapshot = try snapshot(["alpha beta", "gamma delta", "epsilon"])
    func removed(_ rule: RemoveWordsIfNoResults, _ text: String) throws -> ([Int], Int) {
      var query = SearchQuery(text)
      query.removeWordsIfNoResults = rule
      let found = try execute(query, snapshot)
      return (found.removedWords, found.count)
    }
    #expect(try removed(.lastWords, "alpha beta gamma xyzzy") == ([2, 3], 1))
    #expect(try removed(.firstWords, "alpha gamma delta") == ([0], 1))
    #expect(try removed(.allOptional, "alpha gamma") == ([0, 1], 2))
    #expect(try removed(.lastWords, "alpha beta") == ([], 1))
    try expectEqual(removed(.none, "alpha gamma").1, 0)
    let many = "alpha q1 q2 q3 q4 q5 q6"
    try expectEqual(removed(.lastWords, many).1, 0, "no more than five words are removed")
    try expectEqual(removed(.lastWords, "alpha q1 q2 q3 q4 q5").1, 1)
  }

  @Test func removedWordsStillCountWhenTheyMatch() throws {
    var query = SearchQuery("alpha beta gamma")
    query.removeWordsIfNoResults = .lastWords
    let snapshot = try snapshot(["alpha", "alpha gamma", "delta"])
    try expectEqual(EngineSearch.objectIDs(query, in: snapshot), ["1", "0"])
  }

  @Test func requiredWordsGrowWithTheNumberOfRecords() throws {
    let names =
      (0..<1200).map { _ in "one" } + (0..<1100).map { _ in "one two" }
      + (0..<50).map { _ in "one two three" }
    var query = SearchQuery("one two three four")
    query.optionalWords = "one two three four"
    query.typoTolerance = false
    try expectEqual(execute(query, snapshot(names)).count, 1150)
    try expectEqual(execute(query, snapshot(Array(names.suffix(400)))).count, 400)
    query.query = "one two three"
    try expectEqual(execute(query, snapshot(names)).count, 2350)
  }

  @Test func onlyTheFewestTyposAreKept() throws {
    let names = ["michael", "mickael", "mickaal", "tickael"]
    var query = SearchQuery("michaels")
    query.queryType = .prefixNone
    try expectEqual(execute(query, snapshot(names)).count, 2)
    query.typoTolerance = .min
    try expectEqual(ids(query, names), ["0"])
    query.typoTolerance = .strict
    try expectEqual(ids(query, names), ["0", "1"])
    query.typoTolerance = false
    try expectEqual(ids(query, names), [])
  }

  @Test func filtersApplyWhenWordsAreRemoved() throws {
    let snapshot = try snapshot(["red car", "red bus"])
    var allowed = snapshot.liveDocuments
    allowed[0][0] = false
    let found = try QueryPlan(
      query: SearchQuery("red"), settings: snapshot.settings, cancellation: CancellationCheck()
    )
    .execute(on: snapshot, allowed: allowed, CancellationCheck())
    expectEqual(found.documents[0].members, [1])
  }

  @Test func aDeadlineEndsTheWork() throws {
    let snapshot = try snapshot((0..<3000).map { "word\($0) common" })
    let isTimeout: (any Error) -> Bool = { ($0 as? SearchError)?.code == .timedOut }
    for text in ["common", "word1 common", "commom words"] {
      #expect {
        let cancellation = CancellationCheck(
          deadline: CountingClock().deadline(atCheck: 1), interval: 64)
        _ = try QueryPlan(
          query: SearchQuery(text), settings: snapshot.settings, cancellation: CancellationCheck()
        )
        .execute(on: snapshot, allowed: snapshot.liveDocuments, cancellation)
      } throws: {
        isTimeout($0)
      }
    }
    let found = try execute(SearchQuery("common"), snapshot)
    #expect {
      let cancellation = CancellationCheck(
        deadline: CountingClock().deadline(atCheck: 1), interval: 64)
      _ = try Ranking(query: SearchQuery("common"), settings: snapshot.settings)
        .ranked(found, limit: 10, cancellation)
    } throws: {
      isTimeout($0)
    }
  }

  @Test func aQueryWithoutWordsFindsEverything() throws {
    try expectEqual(ids(SearchQuery(""), ["a", "b"]), ["0", "1"])
    try expectEqual(ids(SearchQuery(" - !"), ["a", "b"]), ["0", "1"])
    #expect(try EngineSearch.objectIDs(SearchQuery("a"), in: try snapshot([])).isEmpty)
  }

  @Test func veryManyWordsAreMatchedToo() throws {
    let text = (0..<170).map { _ in "東" }.joined()
    try expectEqual(ids(SearchQuery(text), [text + "京", "東京"]), ["0"])
    let words = (0..<120).map { "w\($0)" }.joined(separator: " ")
    try expectEqual(ids(SearchQuery(words), [words, "w1 w2"]), ["0"])
  }
}
