import LocalSearch
import Testing

struct HighlightMatchTests {
  private func plan(_ text: String) -> QueryPlan {
    var options = MatchingOptions()
    options.text = text
    options.prefixFreeAttributes = AttributeList(["code"])
    options.typoFreeAttributes = AttributeList(["code"])
    return QueryPlan(options)
  }

  @Test func theTypedPartOfABeginningIsCovered() {
    let matches = plan("george clo").matches(ofToken: "clooney")
    #expect(matches == [TokenMatch(wordIndex: 1, typos: 0, matchedCharacters: 3)])
  }

  @Test func aMisspeltWordIsCoveredWhole() {
    let matches = plan("blacc ").matches(ofToken: "black")
    #expect(matches == [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 5)])
  }

  @Test func joinedWordsMatchBothWordsOfTheQuery() {
    let matches = plan("ice cream").matches(ofToken: "icecream")
    #expect(matches.map(\.wordIndex) == [0, 1])
    #expect(matches.allSatisfy { $0.typos == 1 && $0.matchedCharacters == 8 })
  }

  @Test func longPartsOfJoinedWordsMatch() {
    let matches = plan("l'avion vole").matches(ofToken: "avion")
    #expect(matches == [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 5)])
  }

  @Test func splitPartsMatchOnceTheSplitIsKnown() throws {
    let record = Array(#"{"objectID":"a","name":"sun flower"}"#.utf8)
    let snapshot = try Snapshot.empty(settings: .init()).applying([
      .put(objectID: "a", record: record)
    ])
    let found = try plan("sunflower").execute(
      on: snapshot, allowed: snapshot.liveDocuments, Checkpoint())
    #expect(found.count == 1)
    #expect(
      found.plan.matches(ofToken: "flower")
        == [TokenMatch(wordIndex: 0, typos: 1, matchedCharacters: 6)])
  }

  @Test func settingsOfAnAttributeAreKept() {
    let plan = plan("blacc")
    #expect(plan.matches(ofToken: "black", attribute: "code").isEmpty)
    #expect(plan.matches(ofToken: "blaccs", attribute: "code.x").isEmpty)
    #expect(plan.matches(ofToken: "blacc", attribute: "code").count == 1)
    #expect(plan.matches(ofToken: "black", attribute: "name").count == 1)
  }

  @Test func unrelatedWordsDoNotMatch() {
    #expect(plan("red car").matches(ofToken: "workcar").isEmpty)
  }
}
