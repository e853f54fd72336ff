import InstantSearchJSON

/// Offers tools to programs that run language models, over the Model Context Protocol.
///
/// ```swift
/// let server = ToolServer(name: "films", version: "1.0.0", tools: tools)
/// try await server.runOverStandardStreams()
/// ```
///
/// It knows the revision 2026-07-28, in which each request stands alone, and the ones from
/// 2024-11-05 to 2025-11-25, which begin with `initialize`. It keeps no session, sends no
/// notification, and offers tools only.
///
/// A message that is not of the protocol gets the error of the protocol. A mistake in the arguments
/// of a tool is a result with `isError`, because the model can mend it. No error contains a text of
/// a record, a key or a path.
public struct ToolServer: Sendable {
  /// The name of the server, for people and logs.
  public var name: String
  /// The version of the server.
  public var version: String
  /// What a model should know about the tools as a whole; `nil` for nothing.
  public var instructions: String?
  /// The tools, whose names differ.
  public var tools: [SearchTool]

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - name: The name of the server.
  ///   - version: The version of the server.
  ///   - instructions: What a model should know about the tools as a whole. Defaults to nothing.
  ///   - tools: The tools. Of several with one name, the first counts.
  public init(
    name: String, version: String, instructions: String? = nil, tools: [SearchTool]
  ) {
    self.name = name
    self.version = version
    self.instructions = instructions
    self.tools = tools
  }

  /// The time for which a client may keep a list of tools, in milliseconds.
  private static let listLifetime = 60_000

  /// Answers a request.
  ///
  /// - Returns: The response as a message, and its error, if it has one.
  package func response(
    to request: ToolRequest, in revision: ToolRevision, options: RequestOptions = RequestOptions()
  ) async -> (message: [UInt8], error: ToolError?) {
    do {
      let result = try await result(of: request, in: revision, options)
      return (
        ToolMessage.response(to: request.id, result: result, in: revision, from: self), nil
      )
    } catch {
      return (ToolMessage.response(to: request.id, error: error), error)
    }
  }

  private func result(
    of request: ToolRequest, in revision: ToolRevision, _ options: RequestOptions
  ) async throws(ToolError) -> [String: JSON] {
    switch (request.method, revision.isStateless) {
    case ("tools/list", _): return try list(request, in: revision)
    case ("tools/call", _): return try await call(request, in: revision, options)
    case ("server/discover", true): return discovery
    case ("initialize", false): return try initialization(request)
    case ("ping", false): return [:]
    default:
      throw ToolError(
        .methodNotFound, "This server has no method \(ToolArguments.quoted(request.method)).")
    }
  }

  private var capabilities: JSON { ["tools": ["listChanged": false]] }

  /// The name and the version, as every result of the stateless revision has them.
  var serverInfo: JSON { ["name": .string(name), "version": .string(version)] }

  private var discovery: [String: JSON] {
    var result: [String: JSON] = [
      "supportedVersions": .array(ToolRevision.stateless.map { .string($0.rawValue) }),
      "capabilities": capabilities,
      "ttlMs": .int(Int64(Self.listLifetime)), "cacheScope": "private",
    ]
    if let instructions { result["instructions"] = .string(instructions) }
    return result
  }

  private func initialization(_ request: ToolRequest) throws(ToolError) -> [String: JSON] {
    guard let asked = request.parameters["protocolVersion"]?.stringValue else {
      throw ToolError(.invalidParameters, "initialize needs a text protocolVersion.")
    }
    for name in ["capabilities", "clientInfo"] {
      if let value = request.parameters[name], value.objectValue == nil {
        throw ToolError(.invalidParameters, "\(name) of initialize must be an object.")
      }
    }
    var result: [String: JSON] = [
      "protocolVersion": .string(ToolRevision.negotiated(asked).rawValue),
      "capabilities": capabilities, "serverInfo": serverInfo,
    ]
    if let instructions { result["instructions"] = .string(instructions) }
    return result
  }

  private func list(
    _ request: ToolRequest, in revision: ToolRevision
  ) throws(ToolError) -> [String: JSON] {
    // The list has one page, so no cursor can come from it.
    if let cursor = request.parameters["cursor"], !cursor.isNull {
      throw ToolError(.invalidParameters, "The cursor is not one of this server.")
    }
    var names: Set<String> = []
    let tools = tools.filter { names.insert($0.name).inserted }.map { tool in
      var members: [String: JSON] = [
        "name": .string(tool.name), "description": .string(tool.description),
        "inputSchema": tool.inputSchema,
        "annotations": [
          "title": .string(tool.title), "readOnlyHint": true, "openWorldHint": false,
        ],
      ]
      if revision.hasStructuredContent {
        members["title"] = .string(tool.title)
        members["outputSchema"] = tool.outputSchema
      }
      return JSON.object(members)
    }
    var result: [String: JSON] = ["tools": .array(tools)]
    if revision.isStateless {
      result["ttlMs"] = .int(Int64(Self.listLifetime))
      result["cacheScope"] = "private"
    }
    return result
  }

  private func call(
    _ request: ToolRequest, in revision: ToolRevision, _ options: RequestOptions
  ) async throws(ToolError) -> [String: JSON] {
    guard let name = request.parameters["name"]?.stringValue else {
      throw ToolError(.invalidParameters, "tools/call needs a text name.")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw ToolError(
        .invalidParameters, "There is no tool \(ToolArguments.quoted(name)). See tools/list.")
    }
    let arguments = request.parameters["arguments"] ?? .null
    guard arguments.isNull || arguments.objectValue != nil else {
      throw ToolError(.invalidParameters, "The arguments of tools/call must be an object.")
    }
    let output: SearchTool.Output
    do throws(SearchError) {
      output = try await tool.call(arguments, options: options)
    } catch {
      output = SearchTool.Output(mistake: Self.message(about: error))
    }
    var result: [String: JSON] = [
      "content": [["type": "text", "text": .string(output.text)]],
      "isError": .bool(output.isError),
    ]
    if revision.hasStructuredContent, let content = output.content {
      result["structuredContent"] = content
    }
    return result
  }

  /// What a model reads about a failure that it did not cause.
  private static func message(about error: SearchError) -> String {
    switch error.code {
    case .timedOut: "The search took too long. Try a simpler one."
    case .cancelled: "The search was cancelled."
    default: "The search failed. Try again later."
    }
  }
}
