import InstantSearchAPI
import LocalSearch

/// What differs between versions of the server.
struct Dialect: Sendable, Hashable {
  /// Whether the number of groups is exact. Later versions estimate it.
  let countsGroupsExactly: Bool
  /// Whether synonyms are sets beside the collections, which a search names. Otherwise they are
  /// parts of a collection.
  let hasSynonymSets: Bool
  /// Whether a search can do without the synonyms.
  let canDisableSynonyms: Bool
  /// Whether the version is known.
  let isKnown: Bool

  /// Creates the dialect of a version by its first number. `nil` is a version that is not known.
  init(majorVersion: Int?) {
    countsGroupsExactly = majorVersion.map { $0 < 29 } ?? false
    hasSynonymSets = majorVersion.map { $0 >= 30 } ?? true
    canDisableSynonyms = majorVersion.map { $0 >= 27 } ?? false
    isKnown = majorVersion != nil
  }

  /// The parameters of a search in a collection that has synonyms.
  func synonymParameters(
    _ search: ForeignSearch, _ collection: String
  ) throws(APIError) -> [String: JSON] {
    if search.query.synonyms == false {
      guard canDisableSynonyms else {
        throw APIError(
          "The parameter \"synonyms\" is not possible on this cluster: "
            + (isKnown
              ? "the server always uses them" : "set serverVersion in the configuration first"))
      }
      return ["enable_synonyms": false]
    }
    return hasSynonymSets ? ["synonym_sets": .string(Self.synonymSet(of: collection))] : [:]
  }

  /// The name of the set of a collection, without characters that separate names.
  static func synonymSet(of collection: String) -> String {
    String(hexadecimal: collection.utf8)
  }
}
