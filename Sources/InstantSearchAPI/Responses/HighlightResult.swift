package import InstantSearchJSON

/// The value of one attribute with the matched words highlighted.
public struct HighlightResult: Sendable, Hashable {
  /// The value as highlighted text, even for a number.
  public var value: HighlightedString
  /// The extent to which the value matches the query.
  public var matchLevel: MatchLevel
  /// The words of the query that the value matches.
  public var matchedWords: [String]
  /// Whether the whole value is highlighted; `nil` if nothing matches.
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
    case matchedWords, fullyHighlighted
  }

  /// The members that a leaf of `_snippetResult` also has.
  private var excerpt: SnippetResult { SnippetResult(value: value, matchLevel: matchLevel) }

  /// Reads a leaf of `_highlightResult`. A missing `matchedWords` means no words.
  public init(from decoder: any Decoder) throws {
    let excerpt = try SnippetResult(from: decoder)
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      value: excerpt.value, matchLevel: excerpt.matchLevel,
      matchedWords: (try? container.decode([String].self, forKey: .matchedWords)) ?? [],
      fullyHighlighted: try? container.decode(Bool.self, forKey: .fullyHighlighted))
  }

  /// Writes a leaf of `_highlightResult`. Member names are unchanged, regardless of the key
  /// strategy.
  public func encode(to encoder: any Encoder) throws {
    var members = excerpt.members
    members[Key.matchedWords.rawValue] = .array(matchedWords.map(JSON.string))
    members.set(Key.fullyHighlighted.rawValue, fullyHighlighted)
    try JSON.object(members).encode(to: encoder)
  }
}

extension HighlightResult: JSONNodeDecodable, JSONWritable {
  /// Writes a leaf of `_highlightResult`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    excerpt.writeMembers(to: &writer)
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

/// An excerpt of one attribute's value with the matched words highlighted.
public struct SnippetResult: Sendable, Hashable {
  /// The excerpt as highlighted text.
  public var value: HighlightedString
  /// The extent to which the excerpt matches the query.
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

  /// Writes a leaf of `_snippetResult`. Member names are unchanged, regardless of the key
  /// strategy.
  public func encode(to encoder: any Encoder) throws {
    try JSON.object(members).encode(to: encoder)
  }
}

extension SnippetResult: JSONNodeDecodable, JSONWritable {
  /// Writes a leaf of `_snippetResult`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  fileprivate var members: [String: JSON] {
    [
      Key.value.rawValue: .string(value.raw),
      Key.matchLevel.rawValue: .string(matchLevel.rawValue),
    ]
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.key(Key.value.rawValue)
    writer.string(value.raw)
    writer.key(Key.matchLevel.rawValue)
    writer.string(matchLevel.rawValue)
  }
}

/// The extent to which an attribute's value matches the query.
///
/// If a level is optional, write `MatchLevel.none` in full: `.none` alone is `nil`.
public struct MatchLevel: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire, which is nearly always one of three.
  private enum Word: Hashable {
    case none, partial, full
    indirect case other(String)
  }

  private var word: Word

  /// The name on the wire.
  public var rawValue: String {
    get {
      switch word {
      case .none: "none"
      case .partial: "partial"
      case .full: "full"
      case .other(let word): word
      }
    }
    set { self = MatchLevel(rawValue: newValue) }
  }

  /// Creates a level from its name on the wire.
  public init(rawValue: String) {
    switch rawValue {
    case "none": word = .none
    case "partial": word = .partial
    case "full": word = .full
    default: word = .other(rawValue)
    }
  }

  /// No word of the query matches.
  public static let none = MatchLevel(rawValue: "none")
  /// Some words of the query match.
  public static let partial = MatchLevel(rawValue: "partial")
  /// All words of the query match.
  public static let full = MatchLevel(rawValue: "full")
}

extension MatchLevel: ExpressibleByStringLiteral {
  /// Creates a level from its name on the wire.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

/// A leaf of a hit's tree of highlights or snippets.
protocol HighlightLeaf: Sendable, Hashable {
  /// Reads a leaf: an object whose `value` and `matchLevel` are strings; `nil` for any other
  /// object.
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags)
  /// The highlighted text.
  var value: HighlightedString { get set }
}

extension HighlightLeaf {
  /// Reads a leaf, with the standard tags.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    if let leaf = Self(at: node.index, of: node.document, tags: .standard) {
      self = leaf
      return
    }
    // Reads the missing member again, for the error.
    _ = try node.text("value")
    _ = try node.text("matchLevel")
    throw node.mismatch([String: Any].self)
  }
}

extension HighlightResult: HighlightLeaf {
  // In the order of the wire format.
  private enum Member: Int { case value, matchLevel, fullyHighlighted, matchedWords }

  private static let keys = JSONKeys([
    Member.value: "value", .matchLevel: "matchLevel", .fullyHighlighted: "fullyHighlighted",
    .matchedWords: "matchedWords",
  ])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let value = members[Member.value].flatMap(document.string(at:)),
      let matchLevel = members[Member.matchLevel].flatMap({ MatchLevel(at: $0, of: document) })
    else { return nil }
    self.init(
      value: HighlightedString(value, tags: tags), matchLevel: matchLevel,
      matchedWords: members[Member.matchedWords].flatMap(document.strings(at:)) ?? [],
      fullyHighlighted: members[Member.fullyHighlighted].flatMap(document.bool(at:)))
  }
}

extension SnippetResult: HighlightLeaf {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    guard let leaf = HighlightResult(at: index, of: document, tags: tags) else { return nil }
    self.init(value: leaf.value, matchLevel: leaf.matchLevel)
  }
}

extension MatchLevel {
  private static let known: [MatchLevel] = [.none, .full, .partial]
  private static let words = JSONKeys(known.map(\.rawValue))

  /// Reads the name on the wire; `nil` if it is not a string.
  fileprivate init?(at index: Int, of document: JSONDocument) {
    guard case .string = document.kind(at: index) else { return nil }
    if let number = Self.words.number(ofTextAt: index, in: document) {
      self = Self.known[number]
    } else if let word = document.string(at: index) {
      self.init(rawValue: word)
    } else {
      return nil
    }
  }
}
