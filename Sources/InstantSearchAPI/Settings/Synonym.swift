/// Words that a search treats alike, stored with an index.
///
/// ```swift
/// Synonym("tv", .equivalent(["tv", "television"]))
/// Synonym("phones", .oneWay(from: "phone", to: ["iphone", "galaxy"]))
/// ```
///
/// A search applies them at once after the write. Words of queries and of records are compared
/// without regard to case and diacritics. Synonyms have no typos, and no synonyms of their own.
public struct Synonym: Sendable, Hashable {
  /// The effect of a synonym, with its words.
  public enum Kind: Sendable, Hashable {
    /// Each of the words, at least two, finds the others.
    case equivalent([String])
    /// A word finds the others, which do not find it.
    case oneWay(from: String, to: [String])
    /// A word finds its corrections, with the rank of a match with one typo.
    case oneTypo(of: String, [String])
    /// A word finds its corrections, with the rank of a match with two typos.
    case twoTypos(of: String, [String])
    /// A placeholder in records, such as `<street number>`, matches each of the replacements.
    case placeholder(String, [String])
  }

  /// The ID, which must not be empty.
  public var objectID: String
  /// The effect of the synonym.
  public var kind: Kind

  /// Creates a synonym.
  public init(_ objectID: String, _ kind: Kind) {
    self.objectID = objectID
    self.kind = kind
  }

  /// The name of a kind on the wire, without regard to case.
  package enum TypeName: String, Sendable, CaseIterable {
    case synonym
    case oneWaySynonym
    case altCorrection1
    case altCorrection2
    case placeholder

    /// Reads a name. The contract allows two spellings of some.
    package init?(anySpelling text: String) {
      let lowercased = text.lowercased()
      guard let name = Self.allCases.first(where: { $0.rawValue.lowercased() == lowercased })
      else { return nil }
      self = name
    }
  }

  /// The name of the kind on the wire.
  package var typeName: TypeName {
    switch kind {
    case .equivalent: .synonym
    case .oneWay: .oneWaySynonym
    case .oneTypo: .altCorrection1
    case .twoTypos: .altCorrection2
    case .placeholder: .placeholder
    }
  }
}

extension Synonym: Codable {
  private enum CodingKeys: String, CodingKey {
    case objectID, type, synonyms, input, word, corrections, placeholder, replacements
  }

  /// Reads a synonym in the form of the contract, with `type` in either spelling.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    objectID = try container.decode(String.self, forKey: .objectID)
    let type = try container.decode(String.self, forKey: .type)
    func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
    func list(_ key: CodingKeys) throws -> [String] {
      try container.decode([String].self, forKey: key)
    }
    kind =
      switch TypeName(anySpelling: type) {
      case .synonym: .equivalent(try list(.synonyms))
      case .oneWaySynonym: .oneWay(from: try text(.input), to: try list(.synonyms))
      case .altCorrection1: .oneTypo(of: try text(.word), try list(.corrections))
      case .altCorrection2: .twoTypos(of: try text(.word), try list(.corrections))
      case .placeholder: .placeholder(try text(.placeholder), try list(.replacements))
      case nil:
        throw DecodingError.dataCorruptedError(
          forKey: .type, in: container, debugDescription: "Unknown type of synonym \(type)")
      }
  }

  /// Writes the synonym in the form of the contract.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(objectID, forKey: .objectID)
    try container.encode(typeName.rawValue, forKey: .type)
    switch kind {
    case .equivalent(let words):
      try container.encode(words, forKey: .synonyms)
    case .oneWay(let word, let words):
      try container.encode(word, forKey: .input)
      try container.encode(words, forKey: .synonyms)
    case .oneTypo(let word, let words), .twoTypos(let word, let words):
      try container.encode(word, forKey: .word)
      try container.encode(words, forKey: .corrections)
    case .placeholder(let word, let words):
      try container.encode(word, forKey: .placeholder)
      try container.encode(words, forKey: .replacements)
    }
  }
}
