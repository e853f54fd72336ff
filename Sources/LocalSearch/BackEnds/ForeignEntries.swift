package import InstantSearchAPI
package import InstantSearchJSON

/// The synonyms and rules of an index that another back end keeps: read, checked and found as in
/// the engine.
package struct ForeignEntries: Sendable {
  /// The kind of an entry.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case synonyms, rules

    fileprivate var inEngine: IndexEntries.Kind { self == .synonyms ? .synonyms : .rules }
  }

  private var entries = IndexEntries()
  private var table = CachedValue<SynonymTable>()
  private var decodedRules = CachedValue<[Rule]>()

  /// Creates an index without entries.
  package init() {}

  /// Reads entries that were stored.
  package init(
    synonyms: [JSONNode], rules: [JSONNode], _ cancellation: CancellationCheck
  ) throws {
    for (nodes, kind) in [(synonyms, Kind.synonyms), (rules, .rules)] where !nodes.isEmpty {
      let read = try nodes.map {
        try IndexEntries.Entry($0, kind.inEngine, isStored: true, cancellation)
      }
      try entries.apply(.save(read, replacesAll: true), to: kind.inEngine, cancellation)
    }
  }

  /// The entries of a kind as JSON, in the order of their IDs.
  package func json(_ kind: Kind) -> [JSON] {
    entries.entries(kind.inEngine).sorted { $0.key < $1.key }.map { JSON(node: $0.value.node) }
  }

  /// Whether there are none of a kind.
  package func isEmpty(_ kind: Kind) -> Bool { entries.entries(kind.inEngine).isEmpty }

  /// Applies a call that writes.
  package mutating func apply(
    _ call: Endpoint.Entries, _ kind: Kind, _ request: TransportRequest,
    _ cancellation: CancellationCheck
  ) throws {
    let change = try IndexEntries.Change(call, kind.inEngine, request, cancellation)
    try entries.apply(change, to: kind.inEngine, cancellation)
    forgetDecoded()
  }

  /// Takes the entries of some kinds from another index.
  package mutating func take(_ kinds: [Kind], from other: ForeignEntries) throws {
    for kind in kinds { entries.copy(kind.inEngine, from: other.entries) }
    forgetDecoded()
  }

  /// Performs a call that reads.
  package func response(
    to call: Endpoint.Entries, _ kind: Kind, _ request: TransportRequest,
    _ cancellation: CancellationCheck
  ) throws -> TransportResponse {
    try entries.response(to: call, kind.inEngine, request, cancellation)
  }

  /// The synonyms, in the order of their IDs.
  package func synonyms() throws -> [Synonym] {
    try entries.entries(.synonyms).sorted { $0.key < $1.key }.map {
      try JSONValueDecoder().decode(Synonym.self, from: $0.value.node)
    }
  }

  /// The rules, in the order of their IDs.
  package func rules() -> [Rule] {
    decodedRules.value {
      entries.entries(.rules).sorted { $0.key < $1.key }.compactMap {
        try? JSONValueDecoder().decode(Rule.self, from: $0.value.node)
      }
    }
  }

  private mutating func forgetDecoded() {
    table = CachedValue()
    decodedRules = CachedValue()
  }

  func lexicon(_ settings: IndexSettings, _ cancellation: CancellationCheck) throws -> Lexicon {
    if isEmpty(.synonyms) { return Lexicon() }
    return Lexicon(
      synonyms: try table.value {
        try entries.synonymTable(IndexForm(settings), cancellation)
      })
  }

  /// Returns the words of a text, as in queries.
  package static func words(
    of text: String, settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> [String] {
    try WordRow(Array(text.utf8), Tokenizer(settings: settings), cancellation).words.map(\.word)
  }
}
