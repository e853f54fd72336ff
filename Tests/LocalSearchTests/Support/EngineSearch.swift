import InstantSearchAPI
@testable import InstantSearchJSON
@testable import LocalSearch

/// Searches with the engine in the form of a naive search.
enum EngineSearch {
  struct Result: Equatable, CustomStringConvertible {
    var objectID: String
    var typos = 0
    var words = 0
    var proximity = 0
    var attributeKey = 0
    var exact = 0
    var description: String {
      "\(objectID)(t\(typos) w\(words) p\(proximity) a\(attributeKey) e\(exact))"
    }
  }

  static func results(
    _ query: SearchQuery, in snapshot: IndexSnapshot, limit: Int? = nil
  ) throws -> [Result] {
    let cancellation = CancellationCheck()
    let plan = try QueryPlan(
      query: query, settings: snapshot.settings, lists: snapshot.lists(cancellation),
      lexicon: snapshot.lexicon(cancellation), cancellation: cancellation)
    let matches = try plan.execute(
      on: snapshot, allowed: snapshot.liveDocuments, CancellationCheck())
    let ranked = try Ranking(query: query, settings: snapshot.settings)
      .ranked(matches, limit: limit, CancellationCheck())
    return ranked.map {
      Result(
        objectID: snapshot.objectID(segment: $0.segment, document: $0.document),
        typos: $0.features.typos, words: $0.features.words, proximity: $0.features.proximity,
        attributeKey: $0.features.attributeKey, exact: $0.features.exact)
    }
  }

  /// The object IDs in order.
  static func objectIDs(
    _ query: SearchQuery, in snapshot: IndexSnapshot, limit: Int? = nil
  ) throws -> [String] {
    try results(query, in: snapshot, limit: limit).map(\.objectID)
  }
}

extension IndexSnapshot {
  /// Saves synonyms.
  mutating func save(_ synonyms: [Synonym]) throws {
    let saved = try synonyms.map {
      try IndexEntries.Entry(
        JSONDocument(Array(JSON(encoding: $0).text.utf8)).root, .synonyms, CancellationCheck())
    }
    try entries.apply(.save(saved, replacesAll: true), to: .synonyms, CancellationCheck())
  }
}
