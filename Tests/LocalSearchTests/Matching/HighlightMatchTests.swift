import LocalSearch
import TestSupport
import Testing

struct HighlightMatchTests {
  private func plan(_ text: String) throws -> QueryPlan {
    var options = MatchingOptions()
    options.text = text
    options.prefixFreeAttributes = try AttributeList(["code"], CancellationCheck())
    options.typoFreeAttributes = try AttributeList(["code"], CancellationCheck())
    return try QueryPlan(options, CancellationCheck())
  }

  @Test func typedPrefixIsHighlighted() throws {
    let matches = try plan("george clo").matches(ofToken: "clooney", CancellationCheck())
    expectEqual(matches, [TokenMatch(wordIndex: 1, typos: 0, matchedCharacters: 3)])
  }

  @Test func misspelledWordIsHighlightedCompletely() throws {
    let matches = try plan("blacc ").matches(ofToken: "black", CancellationCheck())
    expectEqual(matches, [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 5)])
  }

  @Test func joinedWordsMatchBothWordsOfTheQuery() throws {
    let matches = try plan("ice cream").matches(ofToken: "icecream", CancellationCheck())
    expectEqual(matches.map(\.wordIndex), [0, 1])
    #expect(matches.allSatisfy { $0.typos == 1 && $0.matchedCharacters == 8 })
  }

  @Test func longPartsOfJoinedWordsMatch() throws {
    let matches = try plan("l'avion vole").matches(ofToken: "avion", CancellationCheck())
    expectEqual(matches, [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 5)])
  }

  @Test func splitPartsMatchOnceTheSplitIsKnown() throws {
    let record = Array(#"{"objectID":"a","name":"sun flower"}"#.utf8)
    let snapshot = try IndexSnapshot.empty(settings: .init()).applying([
      .put(objectID: "a", record: record)
    ])
    let found = try plan("sunflower").execute(
      on: snapshot, allowed: snapshot.liveDocuments, CancellationCheck())
    expectEqual(found.count, 1)
    try expectEqual(
      found.plan.matches(ofToken: "flower", CancellationCheck()),
      [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 6)])
  }

  @Test func settingsOfAnAttributeApply() throws {
    let plan = try plan("blacc")
    #expect(try plan.matches(ofToken: "black", attribute: "code", CancellationCheck()).isEmpty)
    #expect(try plan.matches(ofToken: "blaccs", attribute: "code.x", CancellationCheck()).isEmpty)
    try expectEqual(plan.matches(ofToken: "blacc", attribute: "code", CancellationCheck()).count, 1)
    try expectEqual(plan.matches(ofToken: "black", attribute: "name", CancellationCheck()).count, 1)
  }

  @Test func unrelatedWordsDoNotMatch() throws {
    #expect(try plan("red car").matches(ofToken: "workcar", CancellationCheck()).isEmpty)
  }
}
