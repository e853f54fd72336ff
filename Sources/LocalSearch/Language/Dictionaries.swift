import InstantSearchAPI

/// The word lists of an engine: for each language its stop words, and the forms of its words.
///
/// A value is immutable. A write creates another one. The words are normalized like the words of an
/// index, on first use.
final class Dictionaries: Sendable {
  /// The standard lists.
  static let standard = Dictionaries()

  /// The entries that were written.
  let entries: DictionaryEntries
  /// The entries of the configuration.
  private let configured: [DictionaryEntry]

  private struct Key: Hashable {
    let language: Language
    let form: TextForm
  }

  /// The lists of a language in the form of an index.
  struct Lists: Sendable {
    var stopWords: Set<String> = []
    /// The words of each entry with forms, and for each word its entries, as indices.
    var forms: [[String]] = []
    var formsOfWord: [String: [Int]] = [:]
    /// The compound words, and for each part the ones with it, as indices.
    var compounds: [String] = []
    var compoundsOfPart: [String: [Int32]] = [:]
    /// The parts of each compound word, and the compound word of adjacent parts.
    var parts: [String: [String]] = [:]
    var joined: [[String]: String] = [:]
    /// Whether the rules for English nouns apply.
    var hasEnglishForms = false
  }

  private let lists = Lock<[Key: Lists]>([:])
  /// The entries by language: first the ones of the configuration, then the others by ID.
  private let entriesOfLanguage = CachedValue<[Language: [DictionaryEntry]]>()
  private let knownLanguages = CachedValue<[DictionaryEntry.Dictionary: [Language]]>()

  /// The maximum number of lists that are kept in the form of an index.
  private static let maximumKept = 500

  init(_ entries: DictionaryEntries = DictionaryEntries(), configured: [DictionaryEntry] = []) {
    self.entries = entries
    self.configured = configured
  }

  /// Returns the dictionaries after a change.
  func applying(
    _ change: DictionaryEntries.Change, _ cancellation: CancellationCheck
  ) throws -> Dictionaries {
    var entries = entries
    try entries.apply(change, cancellation)
    return with(entries)
  }

  /// Returns the dictionaries with other written entries.
  func with(_ entries: DictionaryEntries) -> Dictionaries {
    Dictionaries(entries, configured: configured)
  }

  // MARK: Languages

  /// Returns the languages with a list in a dictionary, sorted.
  func languages(_ name: DictionaryEntry.Dictionary) -> [Language] {
    let all = knownLanguages.value {
      Dictionary(
        uniqueKeysWithValues: DictionaryEntry.Dictionary.allCases.map { ($0, findLanguages($0)) })
    }
    return all[name] ?? []
  }

  /// Searches all entries, which searches should not do.
  private func findLanguages(_ name: DictionaryEntry.Dictionary) -> [Language] {
    var codes: Set<String> = Set(standardLanguages(name))
    for entry in configured where entry.dictionary == name {
      codes.insert(entry.language.rawValue)
    }
    for entry in entries.entries[name, default: [:]].values {
      codes.insert(entry.value.language.rawValue)
    }
    return codes.sorted().map(Language.init(rawValue:))
  }

  private func standardLanguages(_ name: DictionaryEntry.Dictionary) -> [String] {
    let all: [String] =
      switch name {
      case .stopwords: Array(StopWordList.texts.keys)
      case .plurals: [Language.english.rawValue]
      case .compounds: []
      }
    return all.filter { !entries.settings.disables(name, Language(rawValue: $0)) }
  }

  /// Returns the number of written entries in each language.
  func entryCounts(_ name: DictionaryEntry.Dictionary) -> [Language: Int] {
    entries.entries[name, default: [:]].values.reduce(into: [:]) {
      $0[$1.value.language, default: 0] += 1
    }
  }

  // MARK: Words

  /// Whether a normalized word is a stop word of a language.
  func isStopWord(
    _ word: String, _ language: Language, _ tokenizer: Tokenizer,
    _ cancellation: CancellationCheck
  ) throws -> Bool {
    try lists(language, tokenizer, cancellation).stopWords.contains(word)
  }

  /// Returns the other forms of a normalized word in a language.
  func forms(
    of word: String, _ language: Language, _ tokenizer: Tokenizer,
    _ cancellation: CancellationCheck
  ) throws -> [String] {
    let lists = try lists(language, tokenizer, cancellation)
    var forms: [String] = []
    var seen: Set<String> = [word]
    for entry in lists.formsOfWord[word] ?? [] {
      for form in lists.forms[entry] {
        try cancellation.count()
        guard seen.insert(form).inserted else { continue }
        forms.append(form)
        if forms.count > QueryGraph.maximumAlternatives.ofSpan { return forms }
      }
    }
    return forms + (lists.hasEnglishForms ? EnglishForms.forms(of: word) : [])
  }

  /// Returns the parts of a normalized compound word, or `nil` if no entry has it.
  func parts(
    of word: String, _ language: Language, _ tokenizer: Tokenizer,
    _ cancellation: CancellationCheck
  ) throws -> [String]? {
    try lists(language, tokenizer, cancellation).parts[word]
  }

  /// Returns the compound words with a normalized word as a part, and where the part is in them.
  func compounds(
    with part: String, _ language: Language, _ tokenizer: Tokenizer,
    _ cancellation: CancellationCheck
  ) throws -> [(word: String, slice: Range<Int>?)] {
    let lists = try lists(language, tokenizer, cancellation)
    return try (lists.compoundsOfPart[part] ?? []).prefix(QueryGraph.maximumCompounds + 1).map {
      try cancellation.count()
      let word = lists.compounds[Int($0)]
      return (word, Self.slice(of: part, in: word))
    }
  }

  /// Returns the compound words by their parts.
  func compounds(
    _ language: Language, _ tokenizer: Tokenizer, _ cancellation: CancellationCheck
  ) throws -> [[String]: String] {
    try lists(language, tokenizer, cancellation).joined
  }

  /// Returns where a part is in a compound word, in characters.
  private static func slice(of part: String, in compound: String) -> Range<Int>? {
    let (part, compound) = (Array(part.unicodeScalars), Array(compound.unicodeScalars))
    guard part.count <= compound.count else { return nil }
    let start = (0...compound.count - part.count).first { compound[$0...].starts(with: part) }
    return start.map { $0..<$0 + part.count }
  }

  private func lists(
    _ language: Language, _ tokenizer: Tokenizer, _ cancellation: CancellationCheck
  ) throws -> Lists {
    try cancellation.count()
    let key = Key(language: language, form: tokenizer.form)
    if let known = lists.withLock({ $0[key] }) { return known }
    let entries = try entries(of: language, cancellation)
    var made = Lists()
    // A query can name any number of languages.
    if entries.isEmpty, StopWordList.texts[language.rawValue] == nil { return made }
    try makeLists(language, entries, tokenizer, cancellation, &made)
    lists.withLock { [made] lists in
      if lists.count >= Self.maximumKept { lists.removeAll() }
      lists[key] = made
    }
    return made
  }

  private func entries(
    of language: Language, _ cancellation: CancellationCheck
  ) throws -> [DictionaryEntry] {
    try entriesOfLanguage.value {
      let written = try DictionaryEntry.Dictionary.allCases.flatMap {
        try entries.sorted($0, cancellation).map(\.value)
      }
      var found: [Language: [DictionaryEntry]] = [:]
      for entry in configured + written {
        try cancellation.count()
        found[entry.language, default: []].append(entry)
      }
      return found
    }[language] ?? []
  }

  private func makeLists(
    _ language: Language, _ entries: [DictionaryEntry], _ tokenizer: Tokenizer,
    _ cancellation: CancellationCheck, _ lists: inout Lists
  ) throws {
    func word(_ text: some StringProtocol) throws -> String? {
      let row = try WordRow(Array(text.utf8), tokenizer, cancellation)
      return row.words.count == 1 ? row.words[0].word : nil
    }
    let settings = self.entries.settings
    if !settings.disables(.stopwords, language) {
      let standard = StopWordList.texts[language.rawValue] ?? ""
      for text in standard.split(whereSeparator: \.isWhitespace) {
        if let word = try word(text) { lists.stopWords.insert(word) }
      }
    }
    lists.hasEnglishForms =
      language == .english && !settings.disables(.plurals, language)
    for entry in entries {
      try cancellation.count()
      switch entry.kind {
      case .stopWord(let text, let isEnabled):
        guard let word = try word(text) else { continue }
        if isEnabled { lists.stopWords.insert(word) } else { lists.stopWords.remove(word) }
      case .plural(let texts):
        let words = try texts.compactMap { try word($0) }
        for word in Set(words) { lists.formsOfWord[word, default: []].append(lists.forms.count) }
        lists.forms.append(words)
      case .compound(let text, let texts):
        guard let compound = try word(text) else { continue }
        let parts = try texts.compactMap { try word($0) }
        guard parts.count == texts.count, !parts.contains(compound) else { continue }
        lists.parts[compound] = parts
        lists.joined[parts] = compound
        let number = Int32(truncatingIfNeeded: lists.compounds.count)
        for part in Set(parts) { lists.compoundsOfPart[part, default: []].append(number) }
        lists.compounds.append(compound)
      }
    }
  }
}
