/// A word that searches treat specially in one language, for all indices of an application: a stop
/// word, the forms of a word, or a compound word.
///
/// ```swift
/// DictionaryEntry("1", .stopWord("acme"), .english)
/// DictionaryEntry("2", .plural(["hemd", "hemden", "hemdes"]), .german)
/// DictionaryEntry("3", .compound("gartenstühle", parts: ["garten", "stühle"]), .german)
/// ```
///
/// Use it for words that the standard lists of a language lack, or have by mistake.
public struct DictionaryEntry: Sendable, Hashable {
  /// A list of entries.
  public enum Dictionary: String, Sendable, Hashable, Codable, CaseIterable {
    /// Words that `removeStopWords` removes from queries.
    case stopwords
    /// Forms of words, which `ignorePlurals` treats as equal.
    case plurals
    /// Words that consist of others, which `decompoundQuery` and `decompoundedAttributes` split.
    case compounds
  }

  /// The meaning of an entry, with its words.
  public enum Kind: Sendable, Hashable {
    /// A stop word. Without effect, it turns off the standard stop word.
    case stopWord(String, isEnabled: Bool = true)
    /// All forms of one word, at least two.
    case plural([String])
    /// A compound word and its parts, at least two.
    case compound(String, parts: [String])
  }

  /// The ID, which must not be empty.
  public var objectID: String
  /// The meaning of the entry.
  public var kind: Kind
  /// The language of the words.
  public var language: Language

  /// Creates an entry.
  public init(_ objectID: String, _ kind: Kind, _ language: Language) {
    self.objectID = objectID
    self.kind = kind
    self.language = language
  }

  /// The list of the entry.
  public var dictionary: Dictionary {
    switch kind {
    case .stopWord: .stopwords
    case .plural: .plurals
    case .compound: .compounds
    }
  }

  /// Returns the entries of a text with one on each line, such as the contents of a file.
  ///
  /// A line is a stop word, the forms of a word, or a compound word and its parts, separated by
  /// spaces or commas. A `#` or `|` begins a comment. The ID is the language and the first word,
  /// such as `de-hemd`; of lines with the same ID a write keeps the last one.
  ///
  /// - Parameters:
  ///   - dictionary: The list to which the lines belong.
  ///   - lines: The text.
  ///   - language: The language of the words.
  /// - Returns: The entries, in order.
  /// - Throws: `SearchError` with code `invalidRequest` and the number of a line with too few
  ///   words: two forms, or a compound word and two parts.
  public static func list(
    _ dictionary: Dictionary, lines: String, _ language: Language
  ) throws(SearchError) -> [DictionaryEntry] {
    var entries: [DictionaryEntry] = []
    let all = lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in all.enumerated() {
      let text = line.prefix { $0 != "#" && $0 != "|" }
      let words = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
      guard let first = words.first else { continue }
      let kind: Kind
      switch dictionary {
      case .stopwords: kind = .stopWord(first)
      case .plurals where words.count > 1: kind = .plural(words)
      case .compounds where words.count > 2:
        kind = .compound(first, parts: Array(words.dropFirst()))
      case .plurals, .compounds:
        throw SearchError(
          .invalidRequest,
          "Line \(number + 1): \(dictionary == .plurals ? "two forms" : "a word and two parts")"
            + " are needed, got \"\(text.prefix(100))\"")
      }
      entries.append(DictionaryEntry("\(language.rawValue)-\(first)", kind, language))
    }
    return entries
  }
}

extension DictionaryEntry: Codable {
  private enum CodingKeys: String, CodingKey {
    case objectID, language, word, words, decomposition, state
  }

  /// Reads an entry in the form of the contract. Its members tell its dictionary.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    objectID = try container.decode(String.self, forKey: .objectID)
    language = try container.decode(Language.self, forKey: .language)
    if let words = try container.decodeIfPresent([String].self, forKey: .words) {
      kind = .plural(words)
      return
    }
    let word = try container.decode(String.self, forKey: .word)
    if let parts = try container.decodeIfPresent([String].self, forKey: .decomposition) {
      kind = .compound(word, parts: parts)
    } else {
      let state = try container.decodeIfPresent(String.self, forKey: .state)
      guard state == nil || state == "enabled" || state == "disabled" else {
        throw DecodingError.dataCorruptedError(
          forKey: .state, in: container, debugDescription: "Expected enabled or disabled")
      }
      kind = .stopWord(word, isEnabled: state != "disabled")
    }
  }

  /// Writes the entry in the form of the contract.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(objectID, forKey: .objectID)
    try container.encode(language, forKey: .language)
    switch kind {
    case .stopWord(let word, let isEnabled):
      try container.encode(word, forKey: .word)
      try container.encode(isEnabled ? "enabled" : "disabled", forKey: .state)
    case .plural(let words): try container.encode(words, forKey: .words)
    case .compound(let word, let parts):
      try container.encode(word, forKey: .word)
      try container.encode(parts, forKey: .decomposition)
    }
  }
}
