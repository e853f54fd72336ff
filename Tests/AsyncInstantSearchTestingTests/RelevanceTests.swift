import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Judged queries, and the scores of hits.
struct RelevanceTests {
  private static func engine(_ titles: [String]) async throws -> LocalSearch {
    try await LocalSearch(
      indexName: "films",
      records: titles.map { ["objectID": .string($0), "title": .string($0)] as JSON })
  }

  private func scores(
    _ grades: [String: Int], of titles: [String], depth: Int = 3
  ) async throws -> RelevanceScores {
    let report = try await RelevanceReport(
      of: [JudgedQuery("film", grades: grades)], in: "films", over: Self.engine(titles),
      depth: depth)
    return report.mean
  }

  private func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 5e-4 }

  // MARK: Scores

  @Test func scoresAreThoseOfTheirDefinitions() async throws {
    // Ties are ranked by ID. The gains are 7 / 1 and 3 / 2, of 7 / 1, 3 / 1.585 and 1 / 2.
    let titles = ["film a", "film b", "film c", "film d"]
    let found = try await RelevanceReport(
      of: [JudgedQuery("film", grades: [:]).graded(["film a": 1])], in: "films",
      over: Self.engine(titles), depth: 4
    ).results[0].objectIDs
    let grades = [found[0]: 3, found[2]: 2, "other": 1]
    let scores = try await scores(grades, of: titles)
    #expect(isNear(scores.precision, 2 / 3) && isNear(scores.recall, 2 / 3), "\(scores)")
    #expect(scores.reciprocalRank == 1 && isNear(scores.nDCG, 0.905), "\(scores)")
    let late = try await self.scores([found[2]: 1], of: titles)
    #expect(isNear(late.reciprocalRank, 1 / 3) && late.recall == 1, "\(late)")
    #expect(isNear(late.precision, 1 / 3) && isNear(late.nDCG, 0.5), "\(late)")
    let deeper = try await self.scores([found[3]: 1], of: titles)
    expectEqual(deeper, try await self.scores(["other": 1], of: titles))
    #expect(deeper.nDCG == 0 && deeper.reciprocalRank == 0 && deeper.recall == 0)
    let all = try await self.scores([found[0]: 2, found[1]: 1], of: titles)
    #expect(all.nDCG == 1 && all.recall == 1 && isNear(all.precision, 2 / 3))
  }

  @Test func linesEndWithALineFeedOnly() throws {
    let line = "{\"query\": \"a\u{2028}b\u{85}c\", \"grades\": {\"1\": 1}}"
    let queries = try JudgedQuery.list("\u{FEFF}# A mark\r\n" + line + "\r\n" + line + "\n")
    expectEqual(queries.map(\.query), ["a\u{2028}b\u{85}c", "a\u{2028}b\u{85}c"])
  }

  @Test func aContextDoesNotChangeTheDepth() async throws {
    let query = JudgedQuery(
      "film",
      context: SearchQuery().with {
        ($0.offset, $0.length, $0.responseFields) = (1, 1, ["nbHits"])
      },
      grades: ["film b": 1])
    let report = try await RelevanceReport(
      of: [query], in: "films", over: Self.engine(["film a", "film b"]))
    expectEqual(report.results[0].objectIDs, ["film a", "film b"])
  }

  @Test func aReportIsATable() async throws {
    let engine = try await Self.engine(["Heat", "Cold Mountain"])
    let queries = [
      JudgedQuery("heat", grades: ["Heat": 2]),
      JudgedQuery(
        "cold", context: SearchQuery().setting(\.typoTolerance, to: .enabled(false)),
        grades: ["Heat": 1]),
    ]
    let report = try await RelevanceReport(of: queries, in: "films", over: engine, depth: 2)
    expectEqual(
      report.description,
      """
      first 2                      | precision | recall | MRR   | nDCG
      heat                         | 0.500     | 1.000  | 1.000 | 1.000
      cold {"typoTolerance":false} | 0.000     | 0.000  | 0.000 | 0.000
      mean                         | 0.250     | 0.500  | 0.500 | 0.500
      """)
  }

  @Test func aLimitIsAnExpectation() async throws {
    let engine = try await Self.engine(["Heat", "Cold Mountain"])
    let queries = [JudgedQuery("heat", grades: ["Heat": 2])]
    // snippet.limit
    let report = try await RelevanceReport(of: queries, in: "films", over: engine)
    #expect(report.mean.nDCG >= 0.9, "\(report)")
    // snippet.end
  }

  @Test func queriesThatMovedAreCompared() async throws {
    let engine = try await Self.engine(["Heat", "Sofa"])
    let queries = [
      JudgedQuery("sofas", grades: ["Sofa": 1]), JudgedQuery("heat", grades: ["Heat": 1]),
      JudgedQuery("haet", grades: ["Heat": 1]),
    ]
    func report(_ parameters: SearchQuery) async throws -> RelevanceReport {
      try await RelevanceReport(
        of: queries, in: "films", over: engine, parameters: parameters, depth: 1)
    }
    let before = try await report(SearchQuery())
    let after = try await report(
      SearchQuery().setting(\.typoTolerance, to: .enabled(false))
        .setting(\.ignorePlurals, to: .languages([.english])))
    let comparison = RelevanceComparison(before, after)
    expectEqual(comparison.changes.map(\.query.query), ["haet"])
    expectEqual(comparison.changes[0].gain, -1)
    expectEqual(
      comparison.description,
      """
      mean   | precision | recall | MRR   | nDCG
      before | 1.000     | 1.000  | 1.000 | 1.000
      after  | 0.667     | 0.667  | 0.667 | 0.667
      nDCG | before | after | change
      haet | 1.000  | 0.000 | -1.000
      """)
    #expect(RelevanceComparison(before, before).changes.isEmpty)
  }

  // MARK: Files

  @Test func aFileHasOneQueryInALine() throws {
    let queries = try JudgedQuery.list(
      """
      # A comment

      {"query": "lamp", "context": {"filters": "room:office"}, "grades": {"1": 3, "2": 0}}\r
        {"grades": {"3": 10}, "query": ""}
      """)
    expectEqual(
      queries,
      [
        JudgedQuery(
          "lamp", context: SearchQuery().setting(\.filters, to: "room:office"),
          grades: ["1": 3, "2": 0]),
        JudgedQuery("", grades: ["3": 10]),
      ])
    try expectEqual(JudgedQuery.list(""), [])
  }

  @Test(arguments: [
    ("{", "Line 1: "), ("[]", "Expected an object"), ("{\"grades\":{\"a\":1}}", "\"query\""),
    ("{\"query\":\"a\"}", "\"grades\""), ("\n{\"query\":\"a\",\"grades\":{}}", "Line 2: No record"),
    ("{\"query\":\"a\",\"grades\":{\"b\":0}}", "\"a\""),
    ("{\"query\":\"a\",\"grades\":{\"b\":11}}", "expected 0 to 10"),
    ("{\"query\":\"a\",\"grades\":{\"b\":-1,\"c\":1}}", "\"b\""),
    ("{\"query\":\"a\",\"grades\":{\"b\":1.5}}", "\"b\", got 1.5"),
    ("{\"query\":\"a\",\"grades\":{\"b\":1,\"b\":2}}", "\"b\" occurs twice"),
    ("{\"query\":\"a\",\"query\":\"b\",\"grades\":{\"b\":1}}", "\"query\" occurs twice"),
    ("{\"query\":\"a\",\"grade\":{\"b\":1}}", "Unknown member \"grade\""),
    ("{\"query\":\"a\",\"context\":{\"query\":\"b\"},\"grades\":{\"b\":1}}", "another query"),
    ("{\"query\":\"a\",\"context\":{\"page\":\"x\"},\"grades\":{\"b\":1}}", "page"),
  ])
  func aMistakeHasTheNumberOfItsLine(text: String, message: String) throws {
    let error = #expect(throws: SearchError.self) { try JudgedQuery.list(text) }
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("Line ") == true)
  }

  @Test func reportsNeedQueriesAndAnIndex() async throws {
    let engine = try await Self.engine(["Heat"])
    let heat = JudgedQuery("heat", grades: ["Heat": 1])
    func code(
      _ queries: [JudgedQuery], _ index: String = "films", depth: Int = 10
    ) async -> SearchError.Code? {
      do throws(SearchError) {
        _ = try await RelevanceReport(of: queries, in: index, over: engine, depth: depth)
        return nil
      } catch {
        return error.code
      }
    }
    await expectEqual(code([heat]), nil)
    await expectEqual(code([]), .invalidRequest)
    await expectEqual(code([JudgedQuery("heat", grades: [:])]), .invalidRequest)
    await expectEqual(code([JudgedQuery("heat", grades: ["Heat": 2000])]), .invalidRequest)
    await expectEqual(code([heat], depth: 0), .invalidRequest)
    await expectEqual(code([heat], depth: .max), .invalidRequest)
    await expectEqual(code([heat], "none"), .indexNotFound)
    await expectEqual(
      code([heat.with { $0.context.page = -1 }]), nil)
    await expectEqual(
      code([heat.with { $0.context.minProximity = 9 }]), .invalidRequest)
  }
}

extension JudgedQuery {
  fileprivate func graded(_ grades: [String: Int]) -> JudgedQuery { with { $0.grades = grades } }
  fileprivate func with(_ change: (inout JudgedQuery) -> Void) -> JudgedQuery {
    var copy = self
    change(&copy)
    return copy
  }
}
