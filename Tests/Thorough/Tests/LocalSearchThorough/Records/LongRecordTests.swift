@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Work on one long record is counted by its length and can be interrupted.
struct LongRecordTests {
  /// A kind of work on a long record.
  enum Work: String, CaseIterable, Sendable {
    case highlight, snippet, phrase, highlightOneWord, annotatedArray, retrievedPart, record,
      records
    case saveOneWord

    /// The number of words, letters or members of the record.
    var length: Int {
      switch self {
      case .phrase: 20_000
      case .highlightOneWord, .saveOneWord: 100_000
      default: 2000
      }
    }

    func record(_ length: Int) -> JSON {
      let value: JSON =
        switch self {
        case .highlight, .snippet, .phrase:
          .string(String(repeating: "alpha beta ", count: length / 2))
        // Longer words would not be marked.
        case .highlightOneWord:
          .array((0..<length / 20_000).map { _ in .string(String(repeating: "a", count: 20_000)) })
        case .saveOneWord: .string(String(repeating: "a", count: length))
        case .annotatedArray: .array((0..<length).map { .int(Int64($0)) })
        case .retrievedPart, .record, .records:
          .object(
            Dictionary(uniqueKeysWithValues: (0..<length).map { ("m\($0)", JSON.int(1)) }))
        }
      return ["objectID": "1", "text": value]
    }

    func request(_ record: JSON, _ deadline: Deadline) -> TransportRequest {
      let path: [String]
      let body: JSON
      switch self {
      case .highlight: (path, body) = (["query"], ["query": "alpha", "attributesToRetrieve": []])
      case .highlightOneWord:
        (path, body) = (["query"], ["query": "a", "attributesToRetrieve": []])
      case .snippet:
        body = [
          "query": "alpha", "attributesToRetrieve": [], "attributesToHighlight": [],
          "attributesToSnippet": ["text:5"],
        ]
        path = ["query"]
      case .phrase:
        body = [
          "query": "\"alpha beta alpha\" beta", "advancedSyntax": true, "attributesToRetrieve": [],
          "attributesToHighlight": [],
        ]
        path = ["query"]
      case .annotatedArray:
        (path, body) = (["query"], ["attributesToRetrieve": [], "attributesToHighlight": ["*"]])
      case .retrievedPart:
        body = ["attributesToRetrieve": ["text.m1"], "attributesToHighlight": []]
        path = ["query"]
      case .record: (path, body) = (["1"], [:])
      case .records:
        body = [
          "requests": [
            ["indexName": "items", "objectID": "1", "attributesToRetrieve": ["text.m1"]]
          ]
        ]
        path = ["objects"]
      case .saveOneWord: (path, body) = (["2"], record)
      }
      return TransportRequest(
        method: self == .record ? .get : self == .saveOneWord ? .put : .post,
        pathComponents: ["1", "indexes", self == .records ? "*" : EngineFixture.index] + path,
        queryItems: self == .record
          ? [QueryItem(name: "attributesToRetrieve", value: "text.m1")] : [],
        body: self == .record ? [] : Array(body.text.utf8),
        callType: self == .saveOneWord ? .write : .read, deadline: deadline)
    }
  }

  private static func fixture(_ work: Work, _ length: Int) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 128
    return try await EngineFixture(
      [work == .saveOneWord ? ["objectID": "1"] : work.record(length)],
      configuration: configuration)
  }

  /// Makes the call, whose deadline passes at a check, and returns the number of checks.
  private static func checks(
    _ work: Work, _ record: JSON, _ fixture: EngineFixture, endingAt check: Int?
  ) async throws -> Int {
    let clock = CountingClock()
    let deadline = clock.deadline(atCheck: check)
    let response = try await fixture.engine.send(work.request(record, deadline))
    expectEqual(response.status, 200)
    return clock.reads
  }

  @Test(arguments: Work.allCases) func checksAreProportionalToTheLength(
    work: Work
  ) async throws {
    var checks: [Int] = []
    for length in [work.length, 4 * work.length] {
      let fixture = try await Self.fixture(work, length)
      checks.append(
        try await Self.checks(work, work.record(length), fixture, endingAt: nil))
    }
    #expect(checks[1] > 2 * checks[0], "\(checks)")
    #expect(checks[1] < 8 * checks[0], "\(checks)")
  }

  @Test(arguments: Work.allCases) func deadlineEndsTheCallAtAnyCheck(work: Work) async throws {
    let record = work.record(work.length)
    let fixture = try await Self.fixture(work, work.length)
    let count = try await Self.checks(work, record, fixture, endingAt: nil)
    for check in [1, count / 3, count / 2, count * 2 / 3, count - 1] where check > 0 {
      await #expect {
        _ = try await Self.checks(work, record, fixture, endingAt: check)
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }

  /// Phrases match where a linear scan finds them, in texts of few different words.
  @Test(arguments: Seed.all(20)) func phraseMatchesEqualALinearScan(
    seed: Seed
  ) async throws {
    var generator = SeededGenerator(seed: seed.value)
    func words(_ count: Int) -> [String] {
      (0..<count).map { _ in ["aa", "bb", "cc"].randomElement(using: &generator) ?? "" }
    }
    let texts = (0..<60).map { _ in
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        words(Int.random(in: 0...12, using: &generator))
      }
    }
    let records = texts.enumerated().map { number, values in
      [
        "objectID": .string("\(number)"),
        "text": .array(values.map { .string($0.joined(separator: " ")) }),
      ] as JSON
    }
    let fixture = try await EngineFixture(records)
    for _ in 0..<10 {
      let phrase = words(Int.random(in: 2...4, using: &generator))
      let wanted = texts.indices.filter { number in
        texts[number].contains { value in
          value.indices.contains { value[$0...].starts(with: phrase) }
        }
      }
      let found = try await fixture.ids([
        "query": .string("\"" + phrase.joined(separator: " ") + "\""), "advancedSyntax": true,
      ])
      expectEqual(Set(found), Set(wanted.map { "\($0)" }), "\(phrase)")
    }
  }
}
