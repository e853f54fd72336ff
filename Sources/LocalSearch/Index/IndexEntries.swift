import InstantSearchJSON

/// The synonyms and the rules of an index. Rules are stored and returned, and have no effect.
struct IndexEntries: Sendable {
  /// The kind of an entry.
  enum Kind: Sendable {
    case synonyms
    case rules
  }

  /// A change to the entries of one kind.
  enum Change: Sendable {
    /// Writes entries. One with the same ID replaces the older one.
    case save([Entry], replacesAll: Bool)
    /// Deletes an entry, if it exists.
    case delete(objectID: String)
    /// Deletes all entries.
    case clear
  }

  /// The entries of a kind by ID, as JSON objects.
  private var synonyms: [String: Entry] = [:]
  /// The placeholders of the synonyms, sorted.
  private(set) var placeholders: [Placeholder] = []
  private var rules: [String: Entry] = [:]

  /// The maximum number of entries of a kind in an index. The contract has a limit that depends on
  /// the plan.
  static let maximumCount = 10_000
  /// The maximum size of an entry, in bytes. The consequence of a rule has 100 KiB at most.
  static let maximumSize = 200_000
  /// The maximum number of words and phrases of a synonym.
  static let maximumWordCount = 1000

  /// The entry with an ID, or `nil`.
  func entry(_ objectID: String, _ kind: Kind) -> Entry? { entries(kind)[objectID] }

  /// The entries of a kind by ID.
  func entries(_ kind: Kind) -> [String: Entry] {
    switch kind {
    case .synonyms: synonyms
    case .rules: rules
    }
  }

  /// Returns the synonyms arranged for lookup, in the order of their IDs.
  func synonymTable(
    _ form: IndexForm, _ cancellation: CancellationCheck
  ) throws -> SynonymTable {
    if synonyms.isEmpty { return .empty }
    var builder = SynonymTable.Builder(
      Tokenizer(settings: form.settings, segmenter: form.segmenter), cancellation)
    var names = Array(synonyms.keys)
    try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
    for name in names {
      guard let node = synonyms[name]?.node else { continue }
      try cancellation.count(bytes: node.sourceRange.count)
      // Checked when it was written.
      guard let synonym = try? JSONValueDecoder().decode(Synonym.self, from: node) else { continue }
      try builder.add(synonym)
    }
    return try builder.build()
  }

  /// Takes the entries of a kind from another index.
  mutating func copy(_ kind: Kind, from other: IndexEntries) {
    switch kind {
    case .synonyms: (synonyms, placeholders) = (other.synonyms, other.placeholders)
    case .rules: rules = other.rules
    }
  }

  /// Applies a change.
  mutating func apply(_ change: Change, to kind: Kind, _ cancellation: CancellationCheck) throws {
    var entries = self.entries(kind)
    switch change {
    case .save(let saved, let replacesAll):
      if replacesAll { entries = [:] }
      for entry in saved {
        try cancellation.count()
        entries[entry.objectID] = entry
      }
      guard entries.count <= Self.maximumCount else {
        throw APIError(
          "Too many \(kind): an index can have \(Self.maximumCount), got \(entries.count)")
      }
    case .delete(let objectID): entries[objectID] = nil
    case .clear: entries = [:]
    }
    switch kind {
    case .synonyms:
      synonyms = entries
      try findPlaceholders(cancellation)
    case .rules: rules = entries
    }
  }

  private mutating func findPlaceholders(_ cancellation: CancellationCheck) throws {
    var found: Set<String> = []
    for entry in synonyms.values {
      try cancellation.count()
      if let text = entry.placeholder { found.insert(text) }
    }
    placeholders = found.sorted().compactMap(Placeholder.init)
  }
}

extension IndexEntries {
  /// One synonym or rule: its ID and its JSON object, as it was sent.
  struct Entry: Sendable {
    let objectID: String
    let node: JSONNode
    /// The placeholder of a synonym, or `nil` for other entries.
    var placeholder: String?
  }
}

extension IndexEntries.Entry {
  /// Reads and checks an entry.
  ///
  /// - Parameters:
  ///   - pathID: The ID in the path of the call, which the body must repeat.
  ///   - isStored: Whether it is in a file. The words of a synonym were checked when it was
  ///     written, by an older engine perhaps. Defaults to `false`.
  init(
    _ node: JSONNode, _ kind: IndexEntries.Kind, pathID: String? = nil, isStored: Bool = false,
    _ cancellation: CancellationCheck
  ) throws {
    guard node.kind == .object else { throw APIError("Expected a JSON object") }
    guard node.sourceRange.count <= IndexEntries.maximumSize else {
      throw APIError(
        "Expected at most \(IndexEntries.maximumSize) bytes, got \(node.sourceRange.count)")
    }
    guard let objectID = node["objectID"]?.string, !objectID.isEmpty else {
      throw APIError("Invalid `objectID`: expected a text that is not empty")
    }
    if let pathID, pathID != objectID {
      throw APIError("The objectID \(objectID) of the body is not the \(pathID) of the path")
    }
    guard try !cancellation.isNested(node, deeperThan: CancellationCheck.maximumDepth) else {
      throw APIError(
        "Expected at most \(CancellationCheck.maximumDepth) nested arrays and objects")
    }
    switch kind {
    case .synonyms: placeholder = try Self.checkSynonym(node, isStored: isStored)
    case .rules: try Self.checkRule(node)
    }
    self.objectID = objectID
    try cancellation.count(bytes: node.sourceRange.count)
    // An entry must not keep the document of the whole list in memory.
    self.node = try cancellation.stored(node.source[...])
  }

  /// Checks a synonym, and returns its placeholder if it has one.
  private static func checkSynonym(_ node: JSONNode, isStored: Bool) throws -> String? {
    do {
      let synonym = try JSONValueDecoder().decode(Synonym.self, from: node)
      if !isStored { try check(synonym.kind) }
      if case .placeholder(let text, _) = synonym.kind { return text }
      return nil
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError("Invalid synonym: \(SearchError(decodingFailure: error).message)")
    }
  }

  private static func check(_ kind: Synonym.Kind) throws {
    switch kind {
    case .equivalent(let words):
      guard words.count >= 2 else {
        throw APIError("A synonym needs at least two words in synonyms")
      }
      try check(words, of: "synonyms")
    case .oneWay(let input, let outputs):
      try check(input, of: "input")
      try check(outputs, of: "synonyms", input: input)
    case .oneTypo(let word, let corrections), .twoTypos(let word, let corrections):
      try check(word, of: "word")
      try check(corrections, of: "corrections", input: word)
    case .placeholder(let token, let words):
      guard Placeholder(token) != nil else {
        throw APIError.invalidValue(
          of: "placeholder", expected: "a text in angle brackets, such as <number>",
          got: token.excerpt())
      }
      try check(words, of: "replacements")
    }
  }

  private static func check(_ words: [String], of member: String, input: String? = nil) throws {
    guard words.count <= IndexEntries.maximumWordCount else {
      throw APIError.invalidValue(
        of: member, expected: "at most \(IndexEntries.maximumWordCount) words",
        got: "\(words.count)")
    }
    for (number, word) in words.enumerated() {
      try check(word, of: "\(member)[\(number)]")
      if word == input {
        throw APIError.invalidValue(
          of: "\(member)[\(number)]", expected: "another word than the input",
          got: word.excerpt())
      }
    }
  }

  /// A query has no longer words.
  private static func check(_ word: String, of place: String) throws {
    guard word.utf8.count <= ParameterLimits.maximumQueryLength else {
      throw APIError.invalidValue(
        of: place, expected: "at most \(ParameterLimits.maximumQueryLength) bytes",
        got: "\(word.utf8.count) bytes")
    }
  }

  private static func checkRule(_ node: JSONNode) throws {
    if node["condition"] != nil, node["conditions"] != nil {
      throw APIError("A rule has either condition or conditions")
    }
    if let conditions = node["conditions"], !conditions.isNull {
      guard conditions.kind == .array else {
        throw APIError("Expecting an array (in `conditions`)")
      }
      guard conditions.count <= 25 else {
        throw APIError("A rule has at most 25 conditions, got \(conditions.count)")
      }
    }
    guard let consequence = node["consequence"], consequence.kind == .object, consequence.count > 0
    else { throw APIError("A rule must have at least one consequence (`consequence.*`)") }
  }
}
