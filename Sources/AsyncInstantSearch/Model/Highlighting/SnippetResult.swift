package import InstantSearchJSON

/// The part of one attribute's value around the words that match the query, with these marked.
public struct SnippetResult: Sendable, Hashable {
  /// The excerpt, with its marks.
  public var value: HighlightedString
  /// How much of the query the excerpt matches.
  public var matchLevel: MatchLevel

  /// Creates a result.
  public init(value: HighlightedString, matchLevel: MatchLevel) {
    self.value = value
    self.matchLevel = matchLevel
  }
}

extension SnippetResult: Codable {
  private enum Key: String, CodingKey {
    case value, matchLevel
  }

  /// Reads a leaf of `_snippetResult`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      value: try container.decode(HighlightedString.self, forKey: .value),
      matchLevel: try container.decode(MatchLevel.self, forKey: .matchLevel))
  }

  /// Writes a leaf of `_snippetResult`, member names as they are, whatever the key strategy.
  public func encode(to encoder: any Encoder) throws {
    let members: [String: JSON] = [
      Key.value.rawValue: .string(value.raw),
      Key.matchLevel.rawValue: .string(matchLevel.rawValue),
    ]
    try JSON.object(members).encode(to: encoder)
  }
}

extension SnippetResult: JSONNodeDecodable, JSONWritable {
  /// Reads a leaf of `_snippetResult`.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(leaf: node)
  }

  /// Writes a leaf of `_snippetResult`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(Key.value.rawValue)
    writer.string(value.raw)
    writer.key(Key.matchLevel.rawValue)
    writer.string(matchLevel.rawValue)
    writer.endObject()
  }
}
