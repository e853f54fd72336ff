@testable import InstantSearchAPI
@testable import LocalSearch

/// A call of the contract, and what the engine does with it.
struct ContractCall: Sendable {
  /// The call. The names in its path are placeholders.
  let endpoint: Endpoint
  /// What the engine does with it. A refused call has status 402.
  let state: ContractState
  /// What is particular, in words that complete a sentence; may be empty.
  let note: String

  private init(_ endpoint: Endpoint, _ state: ContractState = .honored, _ note: String = "") {
    self.endpoint = endpoint
    self.state = state
    self.note = note
  }

  /// All calls, in the order of ``/InstantSearchAPI/Endpoint``.
  static let all: [ContractCall] = {
    let index = "{index}"
    let objectID = "{objectID}"
    let key = "{key}"
    let dictionary = "{dictionary}"
    let stored = "stored, and not applied to searches"
    return [
      ContractCall(.search(index: index)),
      ContractCall(.multiQuery, note: "for hits and for facet values"),
      ContractCall(.facetValues(index: index, facet: "{facet}")),
      ContractCall(.browse(index: index)),
      ContractCall(.recommendations, .refused),
      ContractCall(.places, note: "in the index of `placesIndexName`"),
      ContractCall(.reversePlaces, note: "in the index of `placesIndexName`"),
      ContractCall(.place(objectID: objectID), note: "in the index of `placesIndexName`"),
      ContractCall(.getObjects),
      ContractCall(.getObject(index: index, objectID: objectID)),
      ContractCall(.saveObject(index: index)),
      ContractCall(.replaceObject(index: index, objectID: objectID)),
      ContractCall(.partialUpdate(index: index, objectID: objectID)),
      ContractCall(.deleteObject(index: index, objectID: objectID)),
      ContractCall(.batch(index: index)),
      ContractCall(.multiBatch),
      ContractCall(.deleteBy(index: index)),
      ContractCall(.clear(index: index)),
      ContractCall(.listIndices),
      ContractCall(.deleteIndex(index: index)),
      ContractCall(.operation(index: index), note: "copies or moves an index"),
      ContractCall(.settings(index: index)),
      ContractCall(.setSettings(index: index)),
      ContractCall(.task(index: index, taskID: "{taskID}"), note: "every task is published"),
      ContractCall(.appTask(taskID: "{taskID}"), note: "every task is published"),
      ContractCall(.synonyms(index: index, .get(objectID: objectID))),
      ContractCall(.synonyms(index: index, .save(objectID: objectID))),
      ContractCall(.synonyms(index: index, .delete(objectID: objectID))),
      ContractCall(.synonyms(index: index, .batch)),
      ContractCall(.synonyms(index: index, .clear)),
      ContractCall(.synonyms(index: index, .search)),
      ContractCall(.rules(index: index, .get(objectID: objectID))),
      ContractCall(.rules(index: index, .save(objectID: objectID)), .withoutEffect, stored),
      ContractCall(.rules(index: index, .delete(objectID: objectID))),
      ContractCall(.rules(index: index, .batch), .withoutEffect, stored),
      ContractCall(.rules(index: index, .clear)),
      ContractCall(.rules(index: index, .search)),
      ContractCall(.keys(.list), .refused),
      ContractCall(.keys(.add), .refused),
      ContractCall(.keys(.get(key: key)), .refused),
      ContractCall(.keys(.update(key: key)), .refused),
      ContractCall(.keys(.delete(key: key)), .refused),
      ContractCall(.keys(.restore(key: key)), .refused),
      ContractCall(.dictionaries(.batch(dictionary: dictionary))),
      ContractCall(
        .dictionaries(.search(dictionary: dictionary)), note: "finds entries that were written"),
      ContractCall(.dictionaries(.settings)),
      ContractCall(.dictionaries(.setSettings)),
      ContractCall(.dictionaries(.languages)),
      ContractCall(.sources(.list), .withoutEffect, "always empty"),
      ContractCall(.sources(.replace), .refused),
      ContractCall(.sources(.append), .refused),
      ContractCall(.sources(.delete(source: "{source}")), .refused),
      ContractCall(.logs, .withoutEffect, "always empty"),
      ContractCall(.events, .refused),
      ContractCall(.deleteUser(userToken: "{userToken}"), .refused),
    ]
  }()

  private init(_ endpoint: Endpoint, note: String) { self.init(endpoint, .honored, note) }
}

/// A member of a response to a search, and whether the engine returns it.
struct ContractMember: Sendable {
  /// The object that has a member.
  enum Owner: String, Sendable, CaseIterable {
    /// The response to a search or to browsing.
    case response
    /// A hit.
    case hit
    /// The `_rankingInfo` of a hit.
    case rankingInfo
  }

  /// The name on the wire.
  let name: String
  /// The object that has the member.
  let owner: Owner
  /// Whether the engine returns the member.
  let isReturned: Bool
  /// When it is returned, or why not, in words that complete a sentence; may be empty.
  let note: String

  private init(_ name: String, _ owner: Owner, isReturned: Bool = true, _ note: String = "") {
    self.name = name
    self.owner = owner
    self.isReturned = isReturned
    self.note = note
  }

  /// All members, sorted.
  static let all = responses + hits + rankingInfos

  private static let responses = [
    ContractMember("_automaticInsights", .response, isReturned: false, "there are no events"),
    ContractMember("abTestID", .response, isReturned: false, "there are no A/B tests"),
    ContractMember("abTestVariantID", .response, isReturned: false, "there are no A/B tests"),
    ContractMember("appliedRelevancyStrictness", .response, isReturned: false),
    ContractMember("appliedRules", .response, isReturned: false, "rules are not applied"),
    ContractMember("aroundLatLng", .response, "around a point"),
    ContractMember("automaticRadius", .response, "around a point without a radius"),
    ContractMember("cursor", .response, "of browsing, before the last page"),
    ContractMember("exhaustive", .response, "every flag is true"),
    ContractMember("exhaustiveFacetsCount", .response, "with `facets`"),
    ContractMember("exhaustiveNbHits", .response),
    ContractMember("exhaustiveTypo", .response, "unless `typoTolerance` is `false`"),
    ContractMember("explain", .response, "with `explain`"),
    ContractMember("extensions", .response, isReturned: false, "queries have no categories"),
    ContractMember("facets", .response, "with `facets`"),
    ContractMember("facets_stats", .response, "with `facets` that have numbers"),
    ContractMember("hits", .response),
    ContractMember("hitsPerPage", .response, "without `offset`"),
    ContractMember("index", .response),
    ContractMember("indexUsed", .response, "with `getRankingInfo`"),
    ContractMember("length", .response, "with `offset`"),
    ContractMember("message", .response, "about mistakes and unreachable pages"),
    ContractMember("nbHits", .response),
    ContractMember("nbPages", .response, "without `offset`"),
    ContractMember(
      "nbSortedHits", .response, isReturned: false, "a virtual replica is a standard one"),
    ContractMember("offset", .response, "with `offset`"),
    ContractMember("page", .response, "without `offset`"),
    ContractMember("params", .response),
    ContractMember("parsedQuery", .response, "with `getRankingInfo`"),
    ContractMember("processed", .response, "with `stopIfEnoughMatches`"),
    ContractMember("processingTimeMS", .response, "0 without a clock"),
    ContractMember("processingTimingsMS", .response, isReturned: false),
    ContractMember("query", .response),
    ContractMember("queryAfterRemoval", .response, "if words were removed"),
    ContractMember("queryID", .response, "with `clickAnalytics`"),
    ContractMember("redirect", .response, isReturned: false, "rules are not applied"),
    ContractMember("renderingContent", .response),
    ContractMember("serverTimeMS", .response, isReturned: false),
    ContractMember("serverUsed", .response, "with `getRankingInfo`"),
    ContractMember("userData", .response, "if the settings have it"),
  ]

  private static let hits = [
    ContractMember("_distinctSeqID", .hit, "with `distinct`"),
    ContractMember("_highlightResult", .hit),
    ContractMember("_rankingInfo", .hit, "with `getRankingInfo`"),
    ContractMember("_score", .hit, isReturned: false, "there are no recommendations"),
    ContractMember("_snippetResult", .hit, "with `attributesToSnippet`"),
    ContractMember("objectID", .hit),
  ]

  private static let rankingInfos = [
    ContractMember("filters", .rankingInfo),
    ContractMember("firstMatchedWord", .rankingInfo),
    ContractMember("geoDistance", .rankingInfo),
    ContractMember("geoPrecision", .rankingInfo),
    ContractMember("matchedGeoLocation", .rankingInfo, "around a point"),
    ContractMember("nbExactWords", .rankingInfo),
    ContractMember("nbTypos", .rankingInfo),
    ContractMember("personalization", .rankingInfo, isReturned: false, "there are no profiles"),
    ContractMember("promoted", .rankingInfo, isReturned: false, "rules are not applied"),
    ContractMember(
      "promotedByReRanking", .rankingInfo, isReturned: false, "there is no re-ranking"),
    ContractMember("proximityDistance", .rankingInfo),
    ContractMember("userScore", .rankingInfo),
    ContractMember("words", .rankingInfo),
  ]
}
