import AsyncInstantSearch

/// The lists of attributes in the settings of an index, made once for all searches of a snapshot.
struct SettingsLists: Sendable {
  /// What is searched.
  let searchable: SearchableAttributes
  /// The attributes that are highlighted unless the query names others.
  let highlighted: AttributeList
  /// The attributes that are cut to passages unless the query names others.
  let snippets: SnippetList
  /// The attributes that are never returned.
  let hidden: AttributeList
  /// Cuts hits to the attributes to be returned, unless the query names others.
  let projection: RecordProjection
  /// The attributes without typos and not seen by Exact unless the query names others, and those
  /// without prefixes.
  let typoFree: AttributeList
  let exactFree: AttributeList
  let prefixFree: AttributeList

  /// Reads the settings.
  init(_ settings: IndexSettings, _ checkpoint: Checkpoint) throws {
    searchable = try SearchableAttributes(settings.searchableAttributes, checkpoint)
    if let names = settings.attributesToHighlight {
      highlighted = try AttributeList(names, checkpoint)
    } else {
      highlighted =
        searchable.isEmpty ? .all : try AttributeList(searchable.paths, checkpoint)
    }
    snippets = try SnippetList(settings.attributesToSnippet, checkpoint)
    hidden = try AttributeList(excluding: settings.unretrievableAttributes, checkpoint)
    projection = try RecordProjection(
      attributes: settings.attributesToRetrieve, hidden: hidden, isForHits: true, checkpoint)
    typoFree = try AttributeList(settings.disableTypoToleranceOnAttributes, checkpoint)
    exactFree = try AttributeList(settings.disableExactOnAttributes, checkpoint)
    prefixFree = try AttributeList(settings.disablePrefixOnAttributes, checkpoint)
  }
}

extension Snapshot {
  /// The lists of attributes in the settings.
  func lists(_ checkpoint: Checkpoint) throws -> SettingsLists {
    try knownLists.value { try SettingsLists(settings, checkpoint) }
  }
}

/// Which top-level members an answer has.
struct ResponseFields: Sendable, Hashable {
  /// The names; `nil` for all.
  private let names: Set<String>?

  /// The members that can be left out.
  private static let excludable: Set<String> = [
    "aroundLatLng", "automaticRadius", "exhaustive", "facets", "facets_stats", "hits",
    "hitsPerPage", "index", "length", "nbHits", "nbPages", "offset", "page", "params",
    "processingTimeMS", "query", "queryAfterRemoval", "renderingContent", "serverTimeMS",
    "userData",
  ]

  /// Reads the parameter `responseFields`; a name it does not know is an error.
  init(_ fields: [String]) throws(APIError) {
    for field in fields where field != "*" && !Self.excludable.contains(field) {
      throw APIError.invalidValue(
        of: "responseFields", expected: "names of response fields", got: field)
    }
    names = fields.contains("*") ? nil : Set(fields)
  }

  /// Whether an answer has a member.
  func contains(_ name: String) -> Bool {
    guard let names, Self.excludable.contains(name) else { return true }
    return names.contains(name)
  }
}
