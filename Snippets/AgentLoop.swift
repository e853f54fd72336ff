// A server's own loop around a language model: it calls tools until it answers.
import Foundation
import InstantSearchClient
import LocalSearch

/// What a model does next.
enum Step {
  case call(tool: String, arguments: JSON)
  case answer(String)
}

/// A message of a conversation.
struct Message {
  enum Role { case user, tool }
  let role: Role
  let text: String
}

/// A language model, of any provider.
protocol LanguageModel {
  func next(after messages: [Message], tools: [SearchTool]) async throws -> Step
}

struct Unanswered: Error {}

// snippet.loop
/// Lets a model call tools until it answers, eight times at most.
func answer(
  _ question: String, with model: some LanguageModel, tools: [SearchTool]
) async throws -> String {
  var messages = [Message(role: .user, text: question)]
  for _ in 0..<8 {
    switch try await model.next(after: messages, tools: tools) {
    case .answer(let text): return text
    case .call(let name, let arguments):
      guard let tool = tools.first(where: { $0.name == name }) else {
        messages.append(Message(role: .tool, text: "There is no tool \(name)."))
        continue
      }
      // A wrong argument is an output, too: the model reads the sentence and mends it.
      let output = try await tool.call(arguments, options: RequestOptions(timeout: .seconds(5)))
      messages.append(Message(role: .tool, text: output.text))
    }
  }
  throw Unanswered()
}
// snippet.end

/// Takes the place of a model here: it uses a value that no film has, and follows the hint.
struct StandIn: LanguageModel {
  func next(after messages: [Message], tools: [SearchTool]) async throws -> Step {
    guard let last = messages.last, last.role == .tool else {
      return .call(
        tool: "algolia_search_films", arguments: ["query": "dreams", "facet_genres": ["Sci-Fi"]])
    }
    let result = try JSON(parsing: Array(last.text.utf8))
    if let title = result["hits"]?[0]?["title"]?.stringValue { return .answer(title) }
    for hint in result["hints"]?.arrayValue ?? [] {
      print("hint: \(hint["message"]?.stringValue ?? "")")
    }
    let genre = result["facets"]?["genres"]?.objectValue?.keys.first ?? ""
    return .call(
      tool: "algolia_search_films",
      arguments: ["query": "dreams", "facet_genres": [.string(genre)]])
  }
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
let settings = IndexSettings(
  searchableAttributes: ["title", "plot"], attributesForFaceting: ["searchable(genres)"],
  customRanking: ["desc(oscars)", "desc(year)"])
try await client.setSettings(settings, of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")

let films = SearchTool.Index("films", settings: settings, about: "Films since 1920")
let tools = SearchTool.all(for: [films], client: client)
print("tools: \(tools.map(\.name).joined(separator: ", "))")
print(
  try await answer("Which science fiction film is about dreams?", with: StandIn(), tools: tools))
