import SearchJSON

/// A leaf of a hit's tree of highlights or snippets.
protocol HighlightLeaf: Sendable, Hashable {
  /// Reads a leaf: an object whose `value` and `matchLevel` are strings; `nil` for any other object.
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
  private static let keys = JSONKeys(["value", "matchLevel", "fullyHighlighted", "matchedWords"])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let value = members[0].flatMap(document.string(at:)),
      let matchLevel = members[1].flatMap({ MatchLevel(at: $0, of: document) })
    else { return nil }
    self.init(
      value: HighlightedString(value, tags: tags), matchLevel: matchLevel,
      matchedWords: members[3].flatMap(document.strings(at:)) ?? [],
      fullyHighlighted: members[2].flatMap(document.bool(at:)))
  }
}

extension SnippetResult: HighlightLeaf {
  private static let keys = JSONKeys(["value", "matchLevel"])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let value = members[0].flatMap(document.string(at:)),
      let matchLevel = members[1].flatMap({ MatchLevel(at: $0, of: document) })
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
