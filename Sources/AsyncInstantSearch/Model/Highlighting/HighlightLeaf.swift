import InstantSearchJSON

/// A leaf of a hit's tree of highlights or snippets.
protocol HighlightLeaf: Sendable, Hashable {
  /// Reads a leaf: an object whose `value` and `matchLevel` are strings; `nil` for any other
  /// object.
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags)
  /// The text with its marks.
  var value: HighlightedString { get set }
}

extension HighlightLeaf {
  /// Reads a leaf, with the standard tags.
  init(leaf node: JSONNode) throws {
    if let leaf = Self(at: node.index, of: node.document, tags: .standard) {
      self = leaf
      return
    }
    // What is missing is asked for again, for the error.
    _ = try node.text("value")
    _ = try node.text("matchLevel")
    throw node.mismatch([String: Any].self)
  }
}

extension HighlightResult: HighlightLeaf {
  // In the order of the wire.
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
  private enum Member: Int { case value, matchLevel }

  private static let keys = JSONKeys([Member.value: "value", .matchLevel: "matchLevel"])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let value = members[Member.value].flatMap(document.string(at:)),
      let matchLevel = members[Member.matchLevel].flatMap({ MatchLevel(at: $0, of: document) })
    else { return nil }
    self.init(value: HighlightedString(value, tags: tags), matchLevel: matchLevel)
  }
}

extension MatchLevel {
  private static let known: [MatchLevel] = [.none, .full, .partial]
  private static let words = JSONKeys(known.map(\.rawValue))

  /// Reads the word on the wire; `nil` for what is no string.
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
