import InstantSearchAPI
import InstantSearchJSON

/// The dictionary entries that were written to an engine, and the standard lists that are off.
struct DictionaryEntries: Sendable {
  typealias Name = DictionaryEntry.Dictionary

  /// One entry, with its JSON object as it was sent.
  struct Entry: Sendable {
    let value: DictionaryEntry
    let node: JSONNode
  }

  /// A change of the entries of a dictionary, or of the settings.
  enum Change: Sendable {
    /// Adds entries, of which one with the same ID replaces the older one, and deletes others.
    case entries(Name, saved: [Entry], deleted: [String], replacesAll: Bool)
    /// Turns standard lists off and on.
    case settings(DictionarySettings)
  }

  private(set) var entries: [Name: [String: Entry]] = [:]
  private(set) var settings = DictionarySettings()

  /// The maximum size of the entries of a language in a dictionary, in bytes.
  static let maximumSize = 1 << 20
  /// The maximum number of languages of a dictionary.
  static let maximumLanguageCount = 100
  /// The maximum size of an entry, in bytes.
  static let maximumEntrySize = 200_000
  /// The maximum number of words of an entry.
  static let maximumWordCount = 100

  /// Whether nothing was written.
  var isEmpty: Bool { entries.allSatisfy(\.value.isEmpty) && settings.isEmpty }

  /// Returns the entries of a dictionary, in the order of their IDs.
  func sorted(_ name: Name, _ cancellation: CancellationCheck) throws -> [Entry] {
    var ids = Array(entries[name, default: [:]].keys)
    try cancellation.sort(&ids, length: { $0.utf8.count }, by: <)
    return ids.compactMap { entries[name]?[$0] }
  }

  /// Applies a change.
  mutating func apply(_ change: Change, _ cancellation: CancellationCheck) throws {
    switch change {
    case .settings(let settings):
      self.settings.merge(settings)
      try self.settings.checkCount()
    case .entries(let name, let saved, let deleted, let replacesAll):
      var changed = replacesAll ? [:] : entries[name, default: [:]]
      for objectID in deleted {
        try cancellation.count()
        changed[objectID] = nil
      }
      for entry in saved {
        try cancellation.count()
        changed[entry.value.objectID] = entry
      }
      var sizes: [Language: Int] = [:]
      for entry in changed.values {
        try cancellation.count()
        let size = sizes[entry.value.language, default: 0] + entry.node.sourceRange.count
        guard size <= Self.maximumSize else {
          throw APIError(
            "Too many \(name.rawValue): a language can have \(Self.maximumSize) bytes of entries,"
              + " \(entry.value.language.rawValue) has more")
        }
        sizes[entry.value.language] = size
      }
      guard sizes.count <= Self.maximumLanguageCount else {
        throw APIError(
          "Too many languages: \(name.rawValue) can have \(Self.maximumLanguageCount), got"
            + " \(sizes.count)")
      }
      entries[name] = changed
    }
  }
}

extension DictionaryEntries.Entry {
  /// Reads and checks an entry.
  init(
    _ node: JSONNode, _ name: DictionaryEntries.Name, _ cancellation: CancellationCheck
  ) throws {
    guard node.kind == .object else { throw APIError("Expected a JSON object") }
    guard node.sourceRange.count <= DictionaryEntries.maximumEntrySize else {
      throw APIError(
        "Expected at most \(DictionaryEntries.maximumEntrySize) bytes, got \(node.sourceRange.count)"
      )
    }
    guard try !cancellation.isNested(node, deeperThan: CancellationCheck.maximumDepth) else {
      throw APIError(
        "Expected at most \(CancellationCheck.maximumDepth) nested arrays and objects")
    }
    do {
      value = try JSONValueDecoder().decode(DictionaryEntry.self, from: node)
    } catch {
      throw APIError("Invalid entry: \(SearchError(decodingFailure: error).message)")
    }
    guard !value.objectID.isEmpty else {
      throw APIError("Invalid `objectID`: expected a text that is not empty")
    }
    guard value.dictionary == name else {
      throw APIError("The entry \(value.objectID) does not have the members of \(name.rawValue)")
    }
    try Self.check(value)
    try cancellation.count(bytes: node.sourceRange.count)
    self.node = try cancellation.stored(node.source[...])
  }

  private static func check(_ entry: DictionaryEntry) throws {
    let (words, least, member): ([String], Int, String) =
      switch entry.kind {
      case .stopWord(let word, _): ([word], 1, "word")
      case .plural(let words): (words, 2, "words")
      case .compound(_, let parts): (parts, 2, "decomposition")
      }
    guard words.count >= least, words.count <= DictionaryEntries.maximumWordCount else {
      throw APIError.invalidValue(
        of: member, expected: "\(least) to \(DictionaryEntries.maximumWordCount) words",
        got: "\(words.count)")
    }
    for (number, word) in words.enumerated() {
      guard !word.isEmpty, word.utf8.count <= ParameterLimits.maximumQueryLength else {
        throw APIError.invalidValue(
          of: least == 1 ? member : "\(member)[\(number)]",
          expected: "1 to \(ParameterLimits.maximumQueryLength) bytes",
          got: "\(word.utf8.count) bytes")
      }
    }
  }
}

/// The standard lists that are off, by dictionary and language.
struct DictionarySettings: Sendable, Hashable {
  private(set) var isOff: [DictionaryEntries.Name: [String: Bool]] = [:]
  /// The dictionaries whose lists are all on again.
  private var resets: Set<DictionaryEntries.Name> = []

  var isEmpty: Bool { isOff.allSatisfy { !$0.value.values.contains(true) } && resets.isEmpty }

  /// Whether the standard list of a language has no effect.
  func disables(_ name: DictionaryEntries.Name, _ language: Language) -> Bool {
    isOff[name]?[language.rawValue] == true
  }

  /// Takes what other settings contain. Languages that they do not name stay.
  mutating func merge(_ other: DictionarySettings) {
    for name in other.resets { isOff[name] = nil }
    for (name, languages) in other.isOff {
      // A list that is on is not written down, so that the file says the same.
      let off = isOff[name, default: [:]].merging(languages) { $1 }.filter(\.value)
      isOff[name] = off.isEmpty ? nil : off
    }
  }

  /// Rejects more languages than there are.
  fileprivate func checkCount() throws(APIError) {
    for (name, languages) in isOff where languages.count > Self.maximumLanguageCount {
      throw APIError.invalidValue(
        of: "disableStandardEntries",
        expected: "at most \(Self.maximumLanguageCount) languages of \(name.rawValue)",
        got: "\(languages.count)")
    }
  }

  private static let maximumLanguageCount = 1000

  init() {}

  /// Reads the body of a call.
  init(_ root: JSONNode) throws(APIError) {
    let member = "disableStandardEntries"
    guard let lists = root[member] else { return }
    func invalid(_ node: JSONNode) -> APIError {
      .invalidValue(of: member, expected: "objects of Booleans by language", got: node.excerpt)
    }
    if lists.isNull {
      resets = Set(DictionaryEntries.Name.allCases)
      return
    }
    guard lists.kind == .object else { throw invalid(lists) }
    for list in lists.currentMembers {
      guard let name = DictionaryEntries.Name(rawValue: list.key) else {
        throw APIError.invalidValue(
          of: member, expected: DictionaryEntries.names, got: list.key.excerpt())
      }
      if list.value.isNull {
        resets.insert(name)
        continue
      }
      guard list.value.kind == .object, list.value.count <= Self.maximumLanguageCount
      else { throw invalid(list.value) }
      for language in list.value.currentMembers {
        guard let flag = language.value.bool else { throw invalid(language.value) }
        isOff[name, default: [:]][language.key] = flag
      }
    }
  }

  /// Writes the settings as the contract has them.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("disableStandardEntries")
    writer.beginObject()
    for name in resets.sorted(by: { $0.rawValue < $1.rawValue }) where isOff[name] == nil {
      writer.key(name.rawValue)
      writer.null()
    }
    for (name, languages) in isOff.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.key(name.rawValue)
      writer.beginObject()
      for (language, flag) in languages.sorted(by: { $0.key < $1.key }) {
        writer.key(language)
        writer.bool(flag)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }
}

extension DictionaryEntries {
  /// The names of the dictionaries, for messages.
  static let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
}
