import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Queries with very many words: their cost is counted, and equal words cost once.
struct LongQueryTests {
  private static let parameters: JSON = ["queryType": "prefixAll", "hitsPerPage": 0]

  private static func fixture(_ count: Int = 200, interval: Int = 16) async throws -> EngineFixture
  {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = interval
    return try await EngineFixture(
      (0..<count).map { number in
        [
          "objectID": .string("\(number)"),
          "text": .string("alpha\(number) beta abba\(number % 7) bob baba alpha beta"),
        ]
      }, configuration: configuration)
  }

  /// Searches and returns the number of deadline checks.
  private func checks(
    _ fixture: EngineFixture, _ text: String, _ parameters: JSON = parameters,
    endingAt last: Int? = nil
  ) async throws -> Int {
    var body = parameters
    body["query"] = .string(text)
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(body.text.utf8), callType: .read, deadline: clock.deadline(atCheck: last)))
    expectEqual(response.status, 200)
    return clock.reads
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: " ")
  }

  /// The postings of a repeated word are read once.
  @Test(arguments: ["a b", "alpha beta", "\"alpha beta\"", "-zeta alpha", "alphq beta"])
  func equalWordsAreLookedUpOnce(text: String) async throws {
    let fixture = try await Self.fixture()
    var parameters = Self.parameters
    parameters["advancedSyntax"] = true
    let once = try await checks(fixture, Self.repeated(text, 3), parameters)
    let often = try await checks(fixture, Self.repeated(text, 36), parameters)
    #expect(often < 2 * once + 20, "\(once), \(often)")
  }

  /// Words that the query repeats do not multiply the work of ranking texts that repeat them too.
  @Test(arguments: Seed.all(30), ["prefixLast", "prefixAll", "prefixNone"])
  func repeatedWordsCostLikeOne(seed: Seed, queryType: String) async throws {
    var generator = SeededGenerator(seed: seed.value)
    func words(_ letters: [String], _ count: Int) -> [String] {
      (0..<count).compactMap { _ in letters.randomElement(using: &generator) }
    }
    let letters = words(["a", "b", "ab", "ba", "abc", "w", "wx", "wxy"], 3)
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    let fixture = try await EngineFixture(
      (0..<300).map { number in
        [
          "objectID": .string("\(number)"),
          "text": .string(words(letters, 100).joined(separator: " ")),
        ]
      }, configuration: configuration)
    let query = words(letters, 512 / 4)
    var distinct: [String] = []
    for word in query where !distinct.contains(word) { distinct.append(word) }
    // A word that is repeated at the end matches in two ways, whole and as a prefix.
    if let last = query.last, query.dropLast().contains(last) { distinct.append(last) }
    let parameters: JSON = [
      "queryType": .string(queryType), "hitsPerPage": 5, "attributesToHighlight": [],
    ]
    let often = try await checks(fixture, query.joined(separator: " "), parameters)
    let once = try await checks(fixture, distinct.joined(separator: " "), parameters)
    #expect(often < 10 * (once + 20), "\(often) \(once) \(distinct)")
  }

  /// Nor do repeated words in highlights and snippets of long texts.
  @Test(arguments: ["attributesToHighlight", "attributesToSnippet"])
  func repeatedWordsCostLikeOneInHighlights(parameter: String) async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 1_024
    let fixture = try await EngineFixture(
      (0..<20).map { number in
        ["objectID": .string("\(number)"), "text": .string(Self.repeated("a", 3_000))]
      }, configuration: configuration)
    var parameters: JSON = ["hitsPerPage": 20, "attributesToHighlight": []]
    parameters[parameter] = [parameter == "attributesToSnippet" ? "text:30" : "text"]
    let once = try await checks(fixture, "a a", parameters)
    let often = try await checks(fixture, Self.repeated("a", 254), parameters)
    #expect(often < 3 * (once + 20), "\(often) \(once)")
  }

  /// Nor do phrases, whether a record has them or not.
  @Test(arguments: ["a b", "a a", "a c"])
  func repeatedPhrasesCostLikeOne(phrase: String) async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 1_024
    let fixture = try await EngineFixture(
      (0..<100).map { number in
        [
          "objectID": .string("\(number)"),
          "text": .string(Self.repeated("a b", 1_000) + (number == 0 ? " c" : "")),
        ]
      }, configuration: configuration)
    var parameters = Self.parameters
    parameters["advancedSyntax"] = true
    let once = try await checks(fixture, "\"\(phrase)\"", parameters)
    let often = try await checks(fixture, Self.repeated("\"\(phrase)\"", 80), parameters)
    #expect(often < 10 * (once + 20), "\(often) \(once)")
  }

  /// Nor do words that a phrase repeats, in texts that are found and in texts that are not.
  @Test(arguments: [1, 2])
  func repeatedWordsOfPhrasesCostLikeOne(period: Int) async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 1_024
    let words = ["a", "b"].prefix(period).joined(separator: " ")
    let fixture = try await EngineFixture(
      (0..<200).map { number in
        let text = Self.repeated(words, 1_000) + (number % 2 == 0 ? "" : " c")
        return ["objectID": .string("\(number)"), "text": .string(text)]
      }, configuration: configuration)
    var parameters = Self.parameters
    parameters["advancedSyntax"] = true
    let once = try await checks(fixture, "\"\(words)\"", parameters)
    for text in [Self.repeated(words, 240 / period), Self.repeated(words, 60) + " c"] {
      let often = try await checks(fixture, "\"\(text)\"", parameters)
      #expect(often < 10 * once, "\(often) \(once)")
    }
  }

  /// Nor in long texts with few of the words, which no repetition follows.
  @Test(arguments: ["a", "a b"]) func repeatedWordsOfPhrasesCostLittleInOtherTexts(
    words: String
  ) async throws {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 1_024
    let fixture = try await EngineFixture(
      (0..<50).map { number in
        let text = Self.repeated(words + Self.repeated(" x", 50), 100)
        return ["objectID": .string("\(number)"), "text": .string(text)]
      }, configuration: configuration)
    var parameters = Self.parameters
    parameters["advancedSyntax"] = true
    let once = try await checks(fixture, "\"\(words)\"", parameters)
    let often = try await checks(fixture, "\"\(Self.repeated(words, 100))\"", parameters)
    #expect(often < 10 * once, "\(often) \(once)")
  }

  /// Different words are counted: each makes its own steps.
  @Test func differentWordsAreCounted() async throws {
    let fixture = try await Self.fixture()
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let words = letters.flatMap { first in letters.prefix(6).map { first + $0 } }
    var parameters = Self.parameters
    parameters["removeWordsIfNoResults"] = "allOptional"
    let few = try await checks(fixture, words.prefix(5).joined(separator: " "), parameters)
    let many = try await checks(fixture, words.joined(separator: " "), parameters)
    #expect(many > 2 * few, "\(few), \(many)")
  }

  /// The distances between the words of every match are counted, and can be interrupted.
  @Test func rankingByManyWordsCanBeCancelled() async throws {
    let fixture = try await Self.fixture()
    // Beginnings of the words, in any order.
    let words = ["a", "al", "alp", "alph", "alpha", "b", "be", "bet", "beta", "ab", "abb", "ba"]
    let text = (words + words.reversed()).joined(separator: " ")
    var parameters = Self.parameters
    parameters["hitsPerPage"] = 10
    let finding = try await checks(fixture, text)
    let ranking = try await checks(fixture, text, parameters)
    #expect(ranking > finding + 300, "\(finding), \(ranking)")
    for check in [1, finding, ranking / 2, ranking - 1] {
      await #expect {
        _ = try await checks(fixture, text, parameters, endingAt: check)
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }

  /// A query of 127 equal words that are prefixes of many others takes the steps of a query of two,
  /// and a few more for each word.
  @Test func manyEqualPrefixesAreLookedUpOnce() async throws {
    let interval = 128
    let count = 1000
    let fixture = try await Self.fixture(count, interval: interval)
    let two = try await checks(fixture, Self.repeated("al", 2))
    let many = try await checks(fixture, Self.repeated("al", 127))
    // A step is 16 postings, and every record has two with this prefix.
    let lookup = 2 * count / 16
    #expect((many - two) * interval < 125 * lookup / 10, "\(two), \(many)")
  }

  /// Each of equal words is exact if one is, in attributes where words can be exact.
  @Test(arguments: [1, 2, 80], [false, true])
  func eachOfEqualWordsCanBeExact(count: Int, isPhrase: Bool) async throws {
    let fixture = try await EngineFixture([
      ["objectID": "text", "text": "a b", "title": "x"],
      ["objectID": "title", "text": "x", "title": "a b"],
      ["objectID": "each", "text": "a b", "title": "a b"],
      ["objectID": "part", "text": "a x", "title": "x b"],
      ["objectID": "longer", "text": "ax bx", "title": "x"],
    ])
    func exactWords(_ disabled: [String]) async throws -> [String: Int] {
      let answer = try await fixture.search([
        "query": .string(Self.repeated(isPhrase ? "\"a b\"" : "a b", count)),
        "advancedSyntax": true, "queryType": "prefixAll", "getRankingInfo": true,
        "disableExactOnAttributes": .array(disabled.map { .string($0) }),
      ])
      var counts: [String: Int] = [:]
      for hit in answer["hits"]?.arrayValue ?? [] {
        let id = try #require(hit["objectID"]?.stringValue)
        counts[id] = hit["_rankingInfo"]?["nbExactWords"]?.intValue
      }
      return counts
    }
    let words = 2 * count
    var all = ["text": words, "title": words, "each": words]
    var withoutTitle = ["text": words, "title": 0, "each": words]
    if !isPhrase {
      all.merge(["part": words, "longer": 0]) { $1 }
      withoutTitle.merge(["part": count, "longer": 0]) { $1 }
    }
    try await expectEqual(exactWords([]), all)
    try await expectEqual(exactWords(["title"]), withoutTitle)
    try await expectEqual(exactWords(["title", "text"]), all.mapValues { _ in 0 })
  }

  /// Equal words share their positions, but are distinct words of the query.
  @Test func eachOfEqualWordsIsMatched() async throws {
    let fixture = try await EngineFixture([
      ["objectID": "far", "text": "new x x x x york"], ["objectID": "near", "text": "new york"],
    ])
    let answer = try await fixture.search(["query": "new new york new", "getRankingInfo": true])
    let hits = try #require(answer["hits"]?.arrayValue)
    expectEqual(hits.map { $0["objectID"]?.stringValue }, ["near", "far"])
    for hit in hits {
      expectEqual(hit["_rankingInfo"]?["words"]?.intValue, 4)
      expectEqual(hit["_rankingInfo"]?["nbExactWords"]?.intValue, 4)
      expectEqual(hit["_highlightResult"]?["text"]?["matchLevel"]?.stringValue, "full")
    }
    // A repeated word counts once, and the last one, which is a beginning, is another one. The
    // distance from a position to itself is one step back, as for any earlier word.
    expectEqual(hits[0]["_rankingInfo"]?["proximityDistance"]?.intValue, 1 + 2)
  }

  /// A list of attributes costs by its length, not by its length per word and attribute.
  @Test(
    arguments: [
      "restrictSearchableAttributes", "disableTypoToleranceOnAttributes",
      "disableExactOnAttributes",
    ])
  func listsOfAttributesCoverNestedOnes(name: String) async throws {
    let fixture = try await EngineFixture([
      ["objectID": "1", "author": ["name": "blacc"], "title": "white"]
    ])
    var parameters: JSON = ["query": "black", "attributesToRetrieve": []]
    parameters[name] = ["author", "other"]
    let isFound = name != "disableTypoToleranceOnAttributes"
    try await expectEqual(fixture.search(parameters)["nbHits"]?.intValue, isFound ? 1 : 0)
    parameters[name] = ["autho", "author.nam"]
    try await expectEqual(
      fixture.search(parameters)["nbHits"]?.intValue,
      name == "restrictSearchableAttributes" ? 0 : 1)
  }
}
