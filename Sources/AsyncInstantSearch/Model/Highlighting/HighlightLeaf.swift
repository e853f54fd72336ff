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
  private static let keys = JSONKeys(["value", "matchLevel", "matchedWords", "fullyHighlighted"])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    var value: String?
    var matchLevel: MatchLevel?
    var words: [String] = []
    var fullyHighlighted: Bool?
    document.forEach(of: Self.keys, inObjectAt: index) { key, member in
      switch key {
      case 0: value = document.string(at: member)
      case 1: matchLevel = MatchLevel(at: member, of: document)
      case 2: words = document.strings(at: member) ?? []
      default: fullyHighlighted = document.bool(at: member)
      }
    }
    guard let value, let matchLevel else { return nil }
    self.init(
      value: HighlightedString(value, tags: tags), matchLevel: matchLevel, matchedWords: words,
      fullyHighlighted: fullyHighlighted)
  }
}

extension SnippetResult: HighlightLeaf {
  private static let keys = JSONKeys(["value", "matchLevel"])

  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    var value: String?
    var matchLevel: MatchLevel?
    document.forEach(of: Self.keys, inObjectAt: index) { key, member in
      if key == 0 {
        value = document.string(at: member)
      } else {
        matchLevel = MatchLevel(at: member, of: document)
      }
    }
    guard let value, let matchLevel else { return nil }
    self.init(value: HighlightedString(value, tags: tags), matchLevel: matchLevel)
  }
}

extension MatchLevel {
  /// Reads the word on the wire; `nil` for what is no string.
  fileprivate init?(at index: Int, of document: JSONDocument) {
    if document.isString("none", at: index) {
      self = .none
    } else if document.isString("full", at: index) {
      self = .full
    } else if document.isString("partial", at: index) {
      self = .partial
    } else if let word = document.string(at: index) {
      self.init(rawValue: word)
    } else {
      return nil
    }
  }
}
