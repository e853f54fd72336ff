// Search tools in a session of Foundation Models; type-checked by .ci/views, not run.

// snippet.modeltool
import FoundationModels
import InstantSearchClient

/// A search tool of a session.
@available(macOS 26, iOS 26, visionOS 26, *)
struct ModelTool: Tool {
  let tool: SearchTool
  let parameters: GenerationSchema
  var name: String { tool.name }
  var description: String { tool.description }

  init(_ tool: SearchTool) throws {
    self.tool = tool
    parameters = try GenerationSchema(
      root: DynamicGenerationSchema(tool.inputSchema, name: tool.name), dependencies: [])
  }

  func call(arguments: GeneratedContent) async throws -> String {
    try await tool.call(JSON(parsing: Array(arguments.jsonString.utf8))).text
  }
}

@available(macOS 26, iOS 26, visionOS 26, *)
extension DynamicGenerationSchema {
  /// Translates a schema of a search tool.
  init(_ schema: JSON, name: String) {
    if let choices = schema["anyOf"]?.arrayValue {
      self.init(
        name: name,
        anyOf: choices.enumerated().map { DynamicGenerationSchema($1, name: "\(name).\($0)") })
    } else if let values = schema["enum"]?.arrayValue {
      self.init(name: name, anyOf: values.compactMap(\.stringValue))
    } else if let members = schema["properties"]?.objectValue {
      let required = schema["required"]?.arrayValue ?? []
      let properties = members.sorted { $0.key < $1.key }.map { key, value in
        Property(
          name: key, description: value["description"]?.stringValue,
          schema: DynamicGenerationSchema(value, name: "\(name).\(key)"),
          isOptional: !required.contains(.string(key)))
      }
      self.init(name: name, properties: properties)
    } else if let items = schema["items"] {
      self.init(
        arrayOf: DynamicGenerationSchema(items, name: "\(name).item"),
        maximumElements: schema["maxItems"]?.intValue)
    } else {
      switch schema["type"]?.stringValue {
      case "integer": self.init(type: Int.self)
      case "number": self.init(type: Double.self)
      default: self.init(type: String.self)
      }
    }
  }
}
// snippet.end

@available(macOS 26, iOS 26, visionOS 26, *)
func ask(_ question: String, tools: [SearchTool]) async throws -> String {
  // snippet.session
  let session = LanguageModelSession(
    tools: try tools.map { try ModelTool($0) },
    instructions: "Answer from the results of the tools only. Name the films that you used.")
  let answer = try await session.respond(to: question).content
  // snippet.end
  return answer
}
