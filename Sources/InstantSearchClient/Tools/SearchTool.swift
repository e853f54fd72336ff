/// A search that a language model can call: its name, its description, the JSON schema of its
/// arguments, and the call.
///
/// Give it to any program that offers tools to a model. A ``ToolServer`` offers tools over the
/// Model Context Protocol.
///
/// ```swift
/// let films = SearchTool.Index("films", settings: settings, about: "Films since 1920")
/// let tools = SearchTool.all(for: [films], client: client)
/// let output = try await tools[0].call(["query": "heist", "facet_genres": ["Crime"]])
/// ```
///
/// A call never trusts its arguments: an unknown name, a value of a wrong type or one out of its
/// bounds makes an output with ``Output/isError``, whose text says what to change. An output has a
/// bounded size. The texts of records in it are data; nothing in them is followed here, and the
/// program that calls a model must not follow them either.
///
/// The names of the tools and of their arguments are the ones of the hosted service's own server.
public struct SearchTool: Sendable {
  /// The name, of `A-Z a-z 0-9 _ -`, 64 characters at most.
  public let name: String
  /// The name for people.
  public let title: String
  /// When to use the tool, and what its arguments mean.
  public let description: String
  /// The JSON schema of the arguments, which is an object (JSON Schema 2020-12).
  public let inputSchema: JSON
  /// The JSON schema of ``Output/content``.
  public let outputSchema: JSON
  private let run: @Sendable (JSON, RequestOptions) async throws -> JSON

  init(
    name: String, title: String, description: String, inputs: [ToolSchema.Property],
    outputs: [ToolSchema.Property],
    run: @escaping @Sendable (ToolArguments, RequestOptions) async throws -> JSON
  ) {
    self.name = name
    self.title = title
    self.description = description
    inputSchema = ToolSchema.object(inputs)
    outputSchema = ToolSchema.object(outputs)
    let names = inputs.map(\.name)
    self.run = { arguments, options in
      try await run(ToolArguments(arguments, names: names), options)
    }
  }

  /// Runs the tool.
  ///
  /// - Parameters:
  ///   - arguments: The arguments that the model chose, an object. `null` counts as an empty one.
  ///   - options: Options of the calls that the tool makes, such as a timeout for each.
  /// - Returns: The result; a sentence about the mistake if the arguments are wrong, or if the
  ///   service refuses the search.
  /// - Throws: The errors that no other arguments mend: `cancelled`, `timedOut`, `unreachable` and
  ///   failures of the service.
  @concurrent
  public func call(
    _ arguments: JSON, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> Output {
    do {
      return Output(content: try await run(arguments, options))
    } catch let mistake as ToolMistake {
      return Output(mistake: mistake.message)
    } catch let error as SearchError {
      guard let message = Self.message(about: error) else { throw error }
      return Output(mistake: message)
    } catch {
      throw SearchError(.cancelled, "The call of \(name) was cancelled.")
    }
  }

  /// Returns what a model can do about an error; `nil` if it can do nothing.
  private static func message(about error: SearchError) -> String? {
    switch error.code {
    case .invalidRequest, .unauthorized, .indexNotFound, .objectNotFound:
      "The search was refused: " + (error.message.onOneLine.cut(to: 300) ?? error.message.onOneLine)
    case .rateLimited: "Too many searches. Call the tool again later."
    default: nil
    }
  }
}

extension SearchTool {
  /// The output of a call, for the model.
  public struct Output: Sendable, Hashable {
    /// The output as text: the JSON of ``content``, or one sentence about a mistake.
    public var text: String
    /// The output as a value that fits ``SearchTool/outputSchema``; `nil` for a mistake.
    public var content: JSON?
    /// Whether the arguments were wrong, or the service refused them.
    public var isError: Bool

    init(content: JSON) {
      text = content.text
      self.content = content
      isError = false
    }

    init(mistake: String) {
      text = mistake
      content = nil
      isError = true
    }
  }
}

extension SearchTool {
  /// Returns the tools for some indices, in this order: one search for each index, the values of
  /// their facets, `search` and `fetch` for general clients, and recommendations.
  ///
  /// - Parameters:
  ///   - indices: The indices, as the tools show them.
  ///   - client: The client that makes the calls.
  ///   - recommends: Whether there is a tool for recommendations. Set it for a transport whose
  ///     service has trained models. Defaults to `false`.
  public static func all(
    for indices: [Index], client: SearchClient, recommends: Bool = false
  ) -> [SearchTool] {
    if indices.isEmpty { return [] }
    var tools: [SearchTool] = []
    var names = ToolNames()
    for name in [facetValuesName, searchName, fetchName, recommendationsName] { names.add(name) }
    for index in indices {
      let name = names.add("algolia_search_" + ToolNames.stable(index.name))
      tools.append(.indexTool(index, named: name, client: client))
    }
    if indices.contains(where: { !$0.facets.isEmpty }) {
      tools.append(.facetValuesTool(of: indices, client: client))
    }
    tools.append(.searchTool(of: indices, client: client))
    tools.append(.fetchTool(from: indices, client: client))
    if recommends { tools.append(.recommendationsTool(of: indices, client: client)) }
    return tools
  }

  static let facetValuesName = "algolia_search_for_facet_values"
  static let searchName = "search"
  static let fetchName = "fetch"
  static let recommendationsName = "algolia_recommendations"
}

/// A mistake in the arguments of a tool, as one sentence for the model.
struct ToolMistake: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Names that models and their clients accept, each used once.
struct ToolNames {
  private var used: Set<String> = []

  /// The longest name that all clients accept.
  private static let maximumLength = 64

  /// Returns a name of an index that stays the same whatever other indices there are: with a
  /// checksum if a character cannot be part of a name of a tool.
  static func stable(_ text: String) -> String {
    var names = ToolNames()
    let name = names.add(text)
    if name.utf8.elementsEqual(text.utf8) { return name }
    let sum = String(Checksum.of(Array(text.utf8)) >> 32, radix: 16)
    return String(name.prefix(32)) + "_" + sum
  }

  /// Returns a name that is not used yet, and like the given one.
  @discardableResult
  mutating func add(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar -> Character in
      let isSafe =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
      return isSafe ? Character(scalar) : "_"
    }
    var name = String(safe.prefix(Self.maximumLength))
    var number = 2
    while !used.insert(name).inserted {
      let suffix = "_\(number)"
      name = String(safe.prefix(Self.maximumLength - suffix.count)) + suffix
      number += 1
    }
    return name
  }
}
