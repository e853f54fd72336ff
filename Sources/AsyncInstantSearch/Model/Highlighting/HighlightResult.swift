package import InstantSearchJSON

/// One attribute's value with the words that match the query marked.
public struct HighlightResult: Sendable, Hashable {
  /// The value as text, with its marks; a number is given as text too.
  public var value: HighlightedString
  /// How much of the query this value matches.
  public var matchLevel: MatchLevel
  /// The words of the query that this value matches.
  public var matchedWords: [String]
  /// Whether the whole value is marked; `nil` when nothing matches.
  public var fullyHighlighted: Bool?

  /// Creates a result.
  public init(
    value: HighlightedString,
    matchLevel: MatchLevel,
    matchedWords: [String] = [],
    fullyHighlighted: Bool? = nil
  ) {
    self.value = value
    self.matchLevel = matchLevel
    self.matchedWords = matchedWords
    self.fullyHighlighted = fullyHighlighted
  }
}

extension HighlightResult: Codable {
  private enum Key: String, CodingKey {
    case value, matchLevel, matchedWords, fullyHighlighted
  }

  /// Reads a leaf of `_highlightResult`; without `matchedWords` there are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      value: try container.decode(HighlightedString.self, forKey: .value),
      matchLevel: try container.decode(MatchLevel.self, forKey: .matchLevel),
      matchedWords: (try? container.decode([String].self, forKey: .matchedWords)) ?? [],
      fullyHighlighted: try? container.decode(Bool.self, forKey: .fullyHighlighted))
  }

  /// Writes a leaf of `_highlightResult`, member names as they are, whatever the key strategy.
  public func encode(to encoder: any Encoder) throws {
    var members: [String: JSON] = [
      Key.value.rawValue: .string(value.raw),
      Key.matchLevel.rawValue: .string(matchLevel.rawValue),
      Key.matchedWords.rawValue: .array(matchedWords.map(JSON.string)),
    ]
    members.set(Key.fullyHighlighted.rawValue, fullyHighlighted)
    try JSON.object(members).encode(to: encoder)
  }
}

extension HighlightResult: JSONNodeDecodable, JSONWritable {
  /// Reads a leaf of `_highlightResult`.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(leaf: node)
  }

  /// Writes a leaf of `_highlightResult`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(Key.value.rawValue)
    writer.string(value.raw)
    writer.key(Key.matchLevel.rawValue)
    writer.string(matchLevel.rawValue)
    if let fullyHighlighted {
      writer.key(Key.fullyHighlighted.rawValue)
      writer.bool(fullyHighlighted)
    }
    writer.key(Key.matchedWords.rawValue)
    writer.beginArray()
    for word in matchedWords { writer.string(word) }
    writer.endArray()
    writer.endObject()
  }
}
