import InstantSearchAPI

/// The lists of attributes in an index's settings, created once for all searches of a snapshot.
struct SettingsLists: Sendable {
  /// The attributes that are searched.
  let searchable: SearchableAttributes
  /// The attributes that are highlighted, unless the query names others.
  let highlighted: AttributeList
  /// The attributes that are shortened to snippets, unless the query names others.
  let snippets: SnippetList
  /// The attributes that are never returned.
  let hidden: AttributeList
  /// The attributes of hits that are returned, unless the query names others.
  let projection: RecordProjection
  /// The attributes without typos, the attributes that Exact ignores (unless the query names
  /// others), and the attributes without prefixes.
  let typoFree: AttributeList
  let exactFree: AttributeList
  let prefixFree: AttributeList
  /// The attributes whose compound words are found by their parts.
  let decompounded: [DecompoundedAttributes]
  /// The attributes whose words are split at capitals and digits.
  let camelCase: AttributeList
  /// The tokenizer of queries, without a segmenter.
  let tokenizer: Tokenizer

  /// Reads the settings.
  init(_ settings: IndexSettings, _ cancellation: CancellationCheck) throws {
    searchable = try SearchableAttributes(settings.searchableAttributes, cancellation)
    if let names = settings.attributesToHighlight {
      highlighted = try AttributeList(names, cancellation)
    } else {
      highlighted =
        searchable.isEmpty ? .all : try AttributeList(searchable.paths, cancellation)
    }
    snippets = try SnippetList(settings.attributesToSnippet, cancellation)
    hidden = try AttributeList(excluding: settings.unretrievableAttributes, cancellation)
    projection = try RecordProjection(
      attributes: settings.attributesToRetrieve, hidden: hidden, isForHits: true, cancellation)
    typoFree = try AttributeList(settings.disableTypoToleranceOnAttributes, cancellation)
    exactFree = try AttributeList(settings.disableExactOnAttributes, cancellation)
    prefixFree = try AttributeList(settings.disablePrefixOnAttributes, cancellation)
    camelCase = try AttributeList(settings.camelCaseAttributes, cancellation)
    tokenizer = Tokenizer(settings: settings)
    decompounded = try settings.decompoundedAttributes.map { language, names in
      DecompoundedAttributes(
        language: language, attributes: try AttributeList(names, cancellation))
    }
  }
}

/// The attributes whose words in a language are found by their parts.
struct DecompoundedAttributes: Sendable {
  let language: Language
  let attributes: AttributeList
}

/// The top-level members of a response.
struct ResponseFields: Sendable, Hashable {
  /// The names, or `nil` for all.
  private let names: Set<String>?

  private static let excludable = SearchQuery.excludableResponseFields

  /// Reads the parameter `responseFields`. An unknown name is an error.
  init(_ fields: [String]) throws(APIError) {
    for field in fields where field != "*" && !Self.excludable.contains(field) {
      throw APIError.invalidValue(
        of: "responseFields", expected: "names of response fields", got: field)
    }
    names = fields.contains("*") ? nil : Set(fields)
  }

  /// Whether a response has a member.
  func contains(_ name: String) -> Bool {
    guard let names, Self.excludable.contains(name) else { return true }
    return names.contains(name)
  }
}

/// The attributes that are shortened to snippets, with the length of their snippets in words.
struct SnippetList: Sendable {
  /// The default length of a snippet, in words.
  static let defaultLength = 10

  /// The length of each attribute.
  private let lengths: [Int]
  /// The length for attributes that no other entry covers.
  private let otherLength: Int
  /// The attributes.
  let attributes: AttributeList

  /// Reads entries such as `body`, `body:20`, `*` and `*:20`.
  init(_ entries: [String], _ cancellation: CancellationCheck) throws {
    var lengths: [String: Int] = [:]
    for entry in entries {
      try cancellation.count(bytes: entry.utf8.count)
      let entry = SnippetEntry(entry)
      lengths[entry.path] = max(entry.length ?? Self.defaultLength, 0)
    }
    attributes = try AttributeList(Array(lengths.keys), cancellation)
    self.lengths = attributes.paths.map { lengths[$0] ?? Self.defaultLength }
    otherLength = lengths["*"] ?? Self.defaultLength
  }

  /// Whether no attribute is shortened.
  var isEmpty: Bool { lengths.isEmpty && !attributes.isAll }

  /// Returns the snippet length of an attribute, from its entry, the nearest entry above it, or
  /// `*`.
  func length(of path: String, _ cancellation: CancellationCheck) throws -> Int {
    try attributes.nearest(path, cancellation).map { lengths[$0] } ?? otherLength
  }
}
