// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The part of Foundation Models that a tool of a session needs, for type-checking.
// Source: the public interface of the framework.

/// A tool that a session can call.
public protocol Tool<Arguments, Output>: Sendable {
  associatedtype Output: PromptRepresentable
  associatedtype Arguments: ConvertibleFromGeneratedContent

  var name: String { get }
  var description: String { get }
  var parameters: GenerationSchema { get }

  func call(arguments: Arguments) async throws -> Output
}

public protocol PromptRepresentable {}

extension String: PromptRepresentable {}

public protocol ConvertibleFromGeneratedContent: SendableMetatype {}

public protocol Generable: ConvertibleFromGeneratedContent {}

extension String: Generable {}
extension Int: Generable {}
extension Double: Generable {}
extension Bool: Generable {}

public struct GeneratedContent: Sendable, Generable {
  public var jsonString: String { "" }
}

public struct GenerationSchema: Sendable {
  public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {}
}

public struct GenerationGuide<Value>: Sendable {}

public struct DynamicGenerationSchema: Sendable {
  public struct Property: Sendable {
    public init(
      name: String, description: String? = nil, schema: DynamicGenerationSchema,
      isOptional: Bool = false
    ) {}
  }

  public init(name: String, description: String? = nil, properties: [Property]) {}

  public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {}

  public init(name: String, description: String? = nil, anyOf choices: [String]) {}

  public init(
    arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil,
    maximumElements: Int? = nil
  ) {}

  public init<Value: Generable>(type: Value.Type, guides: [GenerationGuide<Value>] = []) {}
}

public final class LanguageModelSession: Sendable {
  public struct Response: Sendable {
    public var content: String
  }

  public init(tools: [any Tool] = [], instructions: String? = nil) {}

  public func respond(to prompt: String) async throws -> Response { Response(content: "") }
}
