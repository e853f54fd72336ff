@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// A long text is indexed in parts, as if it were one.
struct LongTextTests {
  private static func snapshot(_ texts: [String]) throws -> IndexSnapshot {
    let records = texts.enumerated().map { number, text in
      WriteOperation.put(
        objectID: "\(number)", record: Array((["t": .string(text)] as JSON).text.utf8))
    }
    return try IndexSnapshot.empty(settings: IndexSettings(searchableAttributes: ["t"]))
      .applying(records)
  }

  private static func results(
    _ query: SearchQuery, of text: String
  ) throws -> [OracleSearch.Result] {
    try EngineSearch.results(query, in: snapshot([text]))
  }

  /// Each mark of a letter is read a fixed number of times, also if some characters are replaced.
  @Test(arguments: [1_000, 100_000]) func marksOfALetterTakeALinearTime(count: Int) throws {
    var settings = IndexSettings(searchableAttributes: ["t"])
    settings.keepDiacriticsOnCharacters = "é"
    settings.additionalSettings["customNormalization"] = ["default": ["ä": "ae"]]
    let text = "a" + String(repeating: "\u{301}", count: count)
    let record: JSON = ["t": .string(text)]
    let snapshot = try IndexSnapshot.empty(settings: settings)
      .applying([.put(objectID: "1", record: Array(record.text.utf8))])
    try expectEqual(EngineSearch.results(SearchQuery("a"), in: snapshot).count, 1)
  }

  /// Every word has the position that it has in the text, also at the borders of parts.
  @Test func wordsKeepTheirPositions() throws {
    let words = (0..<60_000).map { "w\($0)" }
    let snapshot = try Self.snapshot([words.joined(separator: " ")])
    for number in stride(from: 0, to: words.count - 1, by: 97) {
      var query = SearchQuery("\"\(words[number]) \(words[number + 1])\"")
      query.advancedSyntax = true
      query.queryType = .prefixNone
      let found = try EngineSearch.results(query, in: snapshot)
      expectEqual(found.map(\.attributeKey), [number], "\(number)")
    }
    let query = SearchQuery("w10 w59999").setting(\.queryType, to: .prefixNone)
    try expectEqual(EngineSearch.results(query, in: snapshot).map(\.proximity), [8])
  }

  /// A text is equal to a word only if it has no other word, in any of its parts.
  @Test(
    arguments: [
      ("word", "", 1), ("", "word", 1), ("", "word's", 1), ("word", "other", 0), ("", "", nil),
      ("word", "other word", 0),
    ] as [(String, String, Int?)])
  func aWholeTextIsOneWord(start: String, end: String, exact: Int?) throws {
    let spaces = String(repeating: "! ", count: 100_000)
    var query = SearchQuery(end.isEmpty ? "word" : end == "word's" ? "word's" : "word")
    query.queryType = .prefixNone
    let found = try Self.results(query, of: start + " " + spaces + end)
    expectEqual(found.map(\.exact), exact.map { [$0] } ?? [])
  }

  /// A word may be longer than a part.
  @Test func longWordsAreNotDivided() throws {
    let long = String(repeating: "a", count: 300_000)
    let snapshot = try Self.snapshot(["b \(long) c", "\(long)"])
    let c = try EngineSearch.results(SearchQuery("c"), in: snapshot)
    expectEqual(c.map(\.attributeKey), [2])
    let b = try EngineSearch.results(SearchQuery("b c"), in: snapshot)
    expectEqual(b.map(\.proximity), [2])
  }
}
