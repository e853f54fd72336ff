import InstantSearchClient
import LocalSearch
import TestSupport
import Testing

/// A program that follows the hints of the tools finds the films that questions are about.
struct AgentTests {
  /// The questions that are not answered, by their films. The list says what the hints do not help
  /// with: a question that is answered must leave it.
  private static let unanswered: Set<String> = []

  @Test func questionsAreAnsweredInFourCalls() async throws {
    let engine = LocalSearch()
    let client = SearchClient(transport: engine)
    let settings = IndexSettings {
      $0.searchableAttributes = ["title", "directors", "cast", "plot"]
      $0.attributesForFaceting = [
        "searchable(genres)", "searchable(directors)", "country",
      ]
      $0.customRanking = ["desc(oscars)", "desc(year)"]
      $0.ignorePlurals = .enabled(true)
      $0.removeStopWords = .enabled(true)
      $0.queryLanguages = [.english]
    }
    try await client.setSettings(settings, of: "films")
    try await engine.load(contentsOf: SnippetData.file("films.json"), into: "films")
    let index = SearchTool.Index(
      "films", settings: settings, about: "Films", numericAttributes: ["year", "oscars"])
    let agent = ScriptedAgent(search: SearchTool.all(for: [index], client: client)[0])
    expectEqual(AgentQuestion.all.count, 50)
    var missed: Set<String> = []
    var counts: [Int: Int] = [:]
    for question in AgentQuestion.all {
      let answer = try await agent.answer(question)
      counts[answer.callCount, default: 0] += 1
      if answer.film == question.film { continue }
      missed.insert(question.film)
      print("missed: \(question.text): \(answer.film ?? "nothing"), calls \(answer.calls)")
    }
    print(
      "answered \(50 - missed.count) of 50, by number of calls: \(counts.sorted { $0.key < $1.key })"
    )
    expectEqual(missed, Self.unanswered)
  }
}
