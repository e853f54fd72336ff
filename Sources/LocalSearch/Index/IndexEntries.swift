import InstantSearchJSON

/// The synonyms and the rules of an index. They are stored and returned, and have no effect.
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
  private var rules: [String: Entry] = [:]

  /// The maximum number of entries of a kind in an index.
  ///
  /// Source: the limits of the hosted service.
  static let maximumCount = 10_000
  /// The maximum size of an entry, in bytes. The consequence of a rule has 100 KiB at most.
  static let maximumSize = 200_000

  /// The entry with an ID, or `nil`.
  func entry(_ objectID: String, _ kind: Kind) -> Entry? { entries(kind)[objectID] }

  /// The entries of a kind by ID.
  func entries(_ kind: Kind) -> [String: Entry] {
    switch kind {
    case .synonyms: synonyms
    case .rules: rules
    }
  }

  /// Takes the entries of a kind from another index.
  mutating func copy(_ kind: Kind, from other: IndexEntries) {
    switch kind {
    case .synonyms: synonyms = other.synonyms
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
    case .synonyms: synonyms = entries
    case .rules: rules = entries
    }
  }
}

extension IndexEntries {
  /// One synonym or rule: its ID and its JSON object, as it was sent.
  struct Entry: Sendable {
    let objectID: String
    let node: JSONNode
  }
}

extension IndexEntries.Entry {
  /// Reads and checks an entry.
  ///
  /// - Parameter pathID: The ID in the path of the call, which the body must repeat.
  init(
    _ node: JSONNode, _ kind: IndexEntries.Kind, pathID: String? = nil,
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
    case .synonyms: try Self.checkSynonym(node)
    case .rules: try Self.checkRule(node)
    }
    self.objectID = objectID
    try cancellation.count(bytes: node.sourceRange.count)
    // An entry must not keep the document of the whole list in memory.
    self.node = try cancellation.stored(node.source[...])
  }

  private static func checkSynonym(_ node: JSONNode) throws {
    do {
      let synonym = try JSONValueDecoder().decode(Synonym.self, from: node)
      if case .equivalent(let words) = synonym.kind, words.count < 2 {
        throw APIError("A synonym needs at least two words in synonyms")
      }
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError("Invalid synonym: \(SearchError(decodingFailure: error).message)")
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
