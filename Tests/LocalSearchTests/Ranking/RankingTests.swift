import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct RankingTests {
  private func order(
    _ query: SearchQuery, _ records: [String], _ settings: IndexSettings = .init()
  ) throws -> [String] {
    let snapshot = try IndexSnapshot.empty(settings: settings).applying(
      records.enumerated().map { number, members in
        .put(
          objectID: "\(number)", record: Array(#"{"objectID":"\#(number)",\#(members)}"#.utf8))
      })
    return try EngineSearch.objectIDs(query, in: snapshot)
  }

  @Test func fewerTyposComeFirst() throws {
    try expectEqual(
      order(SearchQuery("black "), [#""n":"blakc""#, #""n":"black""#, #""n":"blacc""#]),
      ["1", "0", "2"])
  }

  @Test func moreMatchedWordsComeFirst() throws {
    var query = SearchQuery("red car")
    query.optionalWords = ["red", "car"]
    try expectEqual(order(query, [#""n":"car""#, #""n":"car red""#]), ["1", "0"])
  }

  @Test func nearerWordsComeFirst() throws {
    let records = [
      #""n":"new old york""#, #""n":"york new""#, #""n":"new york""#, #""n":["new","york"]"#,
    ]
    // Adjacent words have distance 1; the other order and a word in between have 2.
    try expectEqual(order(SearchQuery("new york"), records), ["2", "0", "1", "3"])
    var query = SearchQuery("new york")
    query.minProximity = 2
    try expectEqual(order(query, records), ["0", "1", "2", "3"])
  }

  @Test func moreImportantAttributesComeFirst() throws {
    let records = [#""b":"red","a":"x""#, #""a":"x red""#, #""a":"red""#]
    let listed = IndexSettings { $0.searchableAttributes = ["a", "b"] }
    try expectEqual(order(SearchQuery("red"), records, listed), ["2", "1", "0"])
    let unordered = IndexSettings {
      $0.searchableAttributes = ["unordered(a)", "b"]
      $0.ranking = ["attribute"]
    }
    try expectEqual(order(SearchQuery("red"), records, unordered), ["1", "2", "0"])
    let equal = IndexSettings {
      $0.searchableAttributes = ["b,a"]
      $0.ranking = ["attribute"]
    }
    try expectEqual(order(SearchQuery("red"), records, equal), ["0", "1", "2"])
  }

  /// Attributes below a listed one have its rank. The best position in any of them counts.
  @Test func attributesOfEqualRankShareTheirPositions() throws {
    let settings = IndexSettings { $0.searchableAttributes = ["author"] }
    let records = [
      #""author":{"name":"a b c tolkien","bio":"tolkien"}"#, #""author":{"name":"a tolkien"}"#,
    ]
    try expectEqual(order(SearchQuery("tolkien"), records, settings), ["0", "1"])
  }

  /// A phrase of one word keeps its place in the query.
  @Test func phrasesOfOneWordAreInTheOrderOfTheQuery() throws {
    var query = SearchQuery(#""foo" bar"#)
    query.advancedSyntax = true
    try expectEqual(order(query, [#""n":"bar foo""#, #""n":"foo bar""#]), ["1", "0"])
  }

  /// A word that is far away, and that a joined word covers already, makes a record no worse.
  @Test func joinedWordsAreNotMatchedASecondTime() throws {
    let records = [
      #""n":"icecream cone one two three four five six seven cream""#, #""n":"icecream cone""#,
    ]
    // Only the number of exact words differs.
    try expectEqual(order(SearchQuery("ice cream cone"), records), ["0", "1"])
  }

  @Test func wholeValuesAreExactForOneWord() throws {
    let records = [#""n":"reds""#, #""n":"red car""#, #""n":"red""#]
    var query = SearchQuery("red")
    try expectEqual(order(query, records), ["2", "0", "1"])
    query.exactOnSingleWordQuery = .word
    try expectEqual(order(query, records), ["1", "2", "0"])
    query.exactOnSingleWordQuery = ExactOnSingleWordQuery.none
    try expectEqual(order(query, records), ["0", "1", "2"])
  }

  @Test func exactWordsAreCountedForSeveral() throws {
    let records = [#""n":"red carpet""#, #""n":"red car""#]
    try expectEqual(order(SearchQuery("red car"), records), ["1", "0"])
    let settings = IndexSettings { $0.disableExactOnAttributes = ["n"] }
    try expectEqual(order(SearchQuery("red car"), records, settings), ["0", "1"])
  }

  @Test func customRankingDecidesBetweenEquals() throws {
    let records = [
      #""n":"red""#, #""n":"red","r":1"#, #""n":"red","r":3,"s":"b""#, #""n":"red","r":3,"s":"a""#,
      #""n":"red","r":null"#, #""n":"red","r":true"#, #""n":"red","r":"10""#,
    ]
    let descending = IndexSettings { $0.customRanking = ["desc(r)", "asc(s)"] }
    try expectEqual(
      order(SearchQuery("red"), records, descending), ["6", "3", "2", "1", "5", "0", "4"])
    try expectEqual(order(SearchQuery(), records, descending), ["6", "3", "2", "1", "5", "0", "4"])
    let ascending = IndexSettings { $0.customRanking = ["asc(r)"] }
    try expectEqual(
      order(SearchQuery("red"), records, ascending), ["5", "1", "2", "3", "6", "0", "4"])
  }

  @Test func sortingAttributesCanBeAnywhereInTheRanking() throws {
    let records = [#""n":"black","p":2"#, #""n":"blacc","p":1"#, #""n":"black","p":3"#]
    let top = IndexSettings { $0.ranking = ["asc(p)", "typo"] }
    try expectEqual(order(SearchQuery("black "), records, top), ["1", "0", "2"])
    let second = IndexSettings { $0.ranking = ["typo", "desc(p)"] }
    try expectEqual(order(SearchQuery("black "), records, second), ["2", "0", "1"])
  }

  @Test func objectIDDecidesLast() throws {
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying(
      ["b", "a", "10", "9"].map {
        .put(objectID: $0, record: Array(#"{"objectID":"\#($0)","n":"red"}"#.utf8))
      })
    try expectEqual(
      EngineSearch.objectIDs(SearchQuery("red"), in: snapshot), ["10", "9", "a", "b"])
    try expectEqual(
      EngineSearch.objectIDs(SearchQuery("red"), in: snapshot, limit: 2), ["10", "9"])
    #expect(try EngineSearch.objectIDs(SearchQuery("red"), in: snapshot, limit: 0).isEmpty)
  }

  @Test func distancesAndFilterScoresAffectTheRanking() throws {
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying(
      (0..<4).map {
        .put(objectID: "\($0)", record: Array(#"{"objectID":"\#($0)","n":"red"}"#.utf8))
      })
    let query = SearchQuery("red")
    let found = try QueryPlan(
      query: query, settings: snapshot.settings, cancellation: CancellationCheck()
    )
    .execute(on: snapshot, allowed: snapshot.liveDocuments, CancellationCheck())
    let distances: [Int?] = [7, nil, 3, 7]
    let ranked = try Ranking(
      query: query, settings: snapshot.settings,
      filterScore: { _, document in document == 3 ? 5 : 1 },
      geoDistance: { _, document, _ in distances[document] }
    ).ranked(found, CancellationCheck())
    expectEqual(ranked.map(\.document), [2, 3, 0, 1])
    expectEqual(ranked.map(\.features.filters), [1, 5, 1, 1])
    expectEqual(ranked.map(\.features.geoDistance), [3, 7, 7, nil])
  }

  @Test func firstMatchedWordHasAttributeAndPosition() throws {
    let settings = IndexSettings { $0.searchableAttributes = ["a", "b"] }
    let record = Array(#"{"objectID":"x","a":"one","b":"two three four"}"#.utf8)
    let snapshot = try IndexSnapshot.empty(settings: settings).applying([
      .put(objectID: "x", record: record)
    ]
    )
    let query = SearchQuery("four")
    let found = try QueryPlan(query: query, settings: settings, cancellation: CancellationCheck())
      .execute(on: snapshot, allowed: snapshot.liveDocuments, CancellationCheck())
    let ranked = try Ranking(query: query, settings: settings).ranked(found, CancellationCheck())
    expectEqual(ranked.map(\.features.firstMatchedWord), [1002])
  }
}
