import SearchJSON

/// A leaf of a hit's tree of highlights or snippets.
protocol HighlightLeaf: Sendable, Hashable {
  /// Reads a leaf: an object whose `value` and `matchLevel` are strings; `nil` for any other object.
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags)
  /// The text with its marks.
  var value: HighlightedString { get set }
}

extension HighlightResult: HighlightLeaf {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    var value: String?
    var matchLevel: MatchLevel?
    var words: [String] = []
    var fullyHighlighted: Bool?
    var members = document.members(at: index)
    while let member = members.next(in: document) {
      if document.key(of: member, is: "value") {
        value = document.string(at: member)
      } else if document.key(of: member, is: "matchLevel") {
        matchLevel = MatchLevel(at: member, of: document)
      } else if document.key(of: member, is: "matchedWords") {
        words = document.strings(at: member) ?? []
      } else if document.key(of: member, is: "fullyHighlighted") {
        fullyHighlighted = document.bool(at: member)
      }
    }
    guard let value, let matchLevel else { return nil }
    self.init(
      value: HighlightedString(value, tags: tags), matchLevel: matchLevel, matchedWords: words,
      fullyHighlighted: fullyHighlighted)
  }
}

extension SnippetResult: HighlightLeaf {
  init?(at index: Int, of document: JSONDocument, tags: HighlightedString.Tags) {
    var value: String?
    var matchLevel: MatchLevel?
    var members = document.members(at: index)
    while let member = members.next(in: document) {
      if document.key(of: member, is: "value") {
        value = document.string(at: member)
      } else if document.key(of: member, is: "matchLevel") {
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
    guard let word = document.string(at: index) else { return nil }
    self.init(rawValue: word)
  }
}

extension JSONDocument {
  /// The elements as text; `nil` unless this is an array of nothing but strings.
  func strings(at index: Int) -> [String]? {
    guard kind(at: index) == .array else { return nil }
    var strings: [String] = []
    strings.reserveCapacity(count(at: index))
    var elements = elements(at: index)
    while let element = elements.nextElement(in: self) {
      guard let string = string(at: element) else { return nil }
      strings.append(string)
    }
    return strings
  }
}
