import LocalSearch
import TestSupport
import Testing

struct QueryParserTests {
  private func plan(_ text: String, _ change: (inout MatchingOptions) -> Void = { _ in })
    throws -> QueryPlan
  {
    var options = MatchingOptions()
    options.text = text
    options.understandsPhrases = true
    options.understandsExclusions = true
    change(&options)
    return try QueryPlan(options, CancellationCheck())
  }

  @Test func wordsHaveRangesAndMaximumTypos() throws {
    let words = try plan("The Café 1234 constitution").words
    expectEqual(words.map(\.word), ["the", "cafe", "1234", "constitution"])
    expectEqual(words.map(\.range), [0..<3, 4..<9, 10..<14, 15..<27])
    expectEqual(words.map(\.maximumTypos), [0, 1, 1, 2])
    expectEqual(words.map(\.allowsPrefix), [false, false, false, true])
  }

  @Test func prefixRulesAreKept() throws {
    try expectEqual(plan("a b") { $0.prefixRule = .all }.words.map(\.allowsPrefix), [true, true])
    try expectEqual(
      plan("a b") { $0.prefixRule = .none }.words.map(\.allowsPrefix), [false, false])
    try expectEqual(plan("a b ").words.map(\.allowsPrefix), [false, true])
    try expectEqual(plan("a \"b c\"").words.map(\.allowsPrefix), [false, false, false])
    try expectEqual(plan("a -b").words.map(\.allowsPrefix), [true])
  }

  @Test func typosCanBeTurnedOff() throws {
    try expectEqual(plan("black") { $0.typoTolerance = .off }.words[0].maximumTypos, 0)
    try expectEqual(plan("black") { $0.typoFreeWords = ["black"] }.words[0].maximumTypos, 0)
    try expectEqual(plan("12345") { $0.allowsNumericTypos = false }.words[0].maximumTypos, 0)
    try expectEqual(plan("a12345") { $0.allowsNumericTypos = false }.words[0].maximumTypos, 1)
    try expectEqual(plan("\"black bird\"").words.map(\.maximumTypos), [0, 0])
    try expectEqual(plan("black") { $0.minimumLengths = (6, 8) }.words[0].maximumTypos, 0)
    try expectEqual(plan("black") { $0.minimumLengths = (3, 5) }.words[0].maximumTypos, 2)
  }

  @Test func phrasesAndExclusionsAreRead() throws {
    let plan = try plan("one \"two three\" -four -\"five six\" sev-en")
    expectEqual(plan.words.map(\.word), ["one", "two", "three", "sev", "en"])
    expectEqual(plan.phrases.map(\.range), [1..<3])
    expectEqual(plan.phrases.map(\.sequence.words), [["two", "three"]])
    expectEqual(plan.exclusions.map(\.words), [["four"], ["five", "six"]])
  }

  @Test(arguments: ["\"open quote", "a - b", "--", "-", "\"\"", "- \"", "-\"", "\"-\"", "'\"'"])
  func oddSyntaxIsReadAsWords(text: String) throws {
    let plan = try plan(text)
    #expect(plan.phrases.isEmpty)
    #expect(plan.exclusions.isEmpty)
  }

  @Test func withoutTheSyntaxQuotesAndMinusAreSeparators() throws {
    let plan = try plan("\"a b\" -c") {
      $0.understandsPhrases = false
      $0.understandsExclusions = false
    }
    expectEqual(plan.words.map(\.word), ["a", "b", "c"])
    #expect(plan.phrases.isEmpty && plan.exclusions.isEmpty)
  }

  @Test func joinedWordsMatchAsPartsOrAsAWhole() throws {
    try expectEqual(plan("hello.world").words.map(\.word), ["hello", "world"])
    try expectEqual(plan("B.C.E.").words.map(\.word), ["bce"])
    let word = try plan("l'avion").words[0]
    expectEqual(word.word, "lavion")
    expectEqual(word.longPart, "avion")
    try expectEqual(plan("rock'n'roll").words.map(\.word), ["rocknroll"])
  }

  @Test func neighborsAmongTheFirstFiveWordsAreJoined() throws {
    func joined(
      _ text: String, _ change: (inout MatchingOptions) -> Void = { _ in }
    ) throws -> [Alternative] {
      try plan(text, change).graph.spans.flatMap(\.alternatives)
        .filter { $0.kind == .concatenation }
    }
    let found = try joined("a b c d e f")
    expectEqual(found.map(\.target), ["ab", "bc", "cd", "de", "abcdef"].map { .word($0) })
    expectEqual(found.map(\.allowsPrefix), [false, false, false, false, true])
    try expectEqual(joined("je b").map(\.allowsPrefix), [false])
    #expect(try joined("one two") { $0.typoTolerance = .off }.isEmpty)
    #expect(try joined("one \"two\"").isEmpty)
  }

  @Test func optionalWordsAreMarked() throws {
    let words = try plan("red Car blue") { $0.optionalWords = ["car"] }.words
    expectEqual(words.map(\.isOptional), [false, true, false])
  }
}
