/// One page of a search's result.
///
/// A hit that does not fit `Record` is in ``failures``; the others are in ``hits``. A member the
/// server left out has its default here. A member whose type is not the documented one has its
/// default too, and is kept as it came in ``additionalMembers``, where it is written from until the
/// property is given a value.
public struct HitsPage<Record: Decodable & Sendable>: Sendable {
  /// The hits that could be decoded, best first.
  public var hits: [Record]
  /// The hits that could not be decoded.
  public var failures: [HitFailure]

  /// How many hits there are on all pages; with grouping of more than one, how many groups.
  public var nbHits: Int
  /// The page's number, from 0.
  public var page: Int
  /// How many pages can be asked for.
  public var nbPages: Int
  /// How many hits a full page has.
  public var hitsPerPage: Int
  /// The first hit's index among all hits, when the query asked by `offset` and `length`.
  public var offset: Int?
  /// How many hits were asked for, when the query asked by `offset` and `length`.
  public var length: Int?

  /// The query's text.
  public var query: String
  /// The query's parameters, URL-encoded.
  public var params: String?
  /// The query's text without the words that were removed to find something, these marked.
  public var queryAfterRemoval: String?
  /// The query's text after normalisation, with `getRankingInfo`.
  public var parsedQuery: String?
  /// The index that was asked.
  public var index: String?
  /// The index that answered, when it may be another, as in an A/B test.
  public var indexUsed: String?
  /// The server that answered, with `getRankingInfo`.
  public var serverUsed: String?

  /// How long the engine worked, in milliseconds.
  public var processingTimeMS: Int
  /// How long the server took for the request, in milliseconds.
  public var serverTimeMS: Int?
  /// What the engine spent the time on; free-form.
  public var processingTimingsMS: JSON?

  /// Which figures are exact.
  public var exhaustive: Exhaustive
  /// The facets that were asked for, in the server's order.
  public var facets: Facets
  /// Figures about numeric facets, by attribute; on the wire `facets_stats`.
  public var facetStats: [String: FacetStats]
  /// What the index, or a rule, wants to be shown along with the hits.
  public var renderingContent: RenderingContent?
  /// What the index's settings or rules attach to the result.
  public var userData: JSON?
  /// The rules that changed the query.
  public var appliedRules: [JSON]

  /// The centre of a geographical search.
  public var aroundLatLng: Point?
  /// The radius the engine chose for a geographical search, in metres.
  public var automaticRadius: Int?

  /// A warning of the server.
  public var message: String?
  /// The A/B test the query took part in.
  public var abTestID: Int?
  /// The variant of the A/B test that answered.
  public var abTestVariantID: Int?
  /// The query's ID, to be sent with click events, with `clickAnalytics`.
  public var queryID: String?
  /// How many hits are left after relevant sorting.
  public var nbSortedHits: Int?
  /// Which other index the query was led to; internal to the server, free-form.
  public var redirect: JSON?
  /// Whether the server records events by itself; on the wire `_automaticInsights`.
  public var automaticInsights: Bool?
  /// What the server's extensions add, such as query categories; free-form.
  public var extensions: JSON?
  /// Whether the query was run at all; `false` when an earlier one of the same call had sufficed.
  public var processed: Bool?
  /// Where to go on browsing; `nil` on the last page.
  public var cursor: String?
  /// How the query was understood, when it asked for that; free-form.
  public var explain: JSON?
  /// All other members, and known ones of another type than documented.
  public var additionalMembers: [String: JSON]

  /// The request that was answered; `nil` for a page that did not come from a search.
  public package(set) var request: SearchRequest<Record>?
  /// Which of a searcher's searches was answered, ascending; 0 for a page that is not a searcher's.
  public package(set) var generation: UInt64
  /// Who gave the answer, where the transport tells; `nil` for a page that did not come from a
  /// search.
  public package(set) var origin: AnswerOrigin?

  /// Creates a page of some hits, with every other property at its default.
  ///
  /// - Parameters:
  ///   - hits: The hits.
  ///   - nbHits: How many hits there are on all pages; by default those given.
  ///   - page: The page's number, from 0.
  ///   - nbPages: How many pages there are; by default one, or none without a hit.
  ///   - hitsPerPage: How many hits a full page has; by default those given.
  public init(
    hits: [Record] = [],
    nbHits: Int? = nil,
    page: Int = 0,
    nbPages: Int? = nil,
    hitsPerPage: Int? = nil
  ) {
    self.hits = hits
    failures = []
    self.nbHits = nbHits ?? hits.count
    self.page = page
    self.nbPages = nbPages ?? (hits.isEmpty ? 0 : 1)
    self.hitsPerPage = hitsPerPage ?? hits.count
    query = ""
    processingTimeMS = 0
    exhaustive = Exhaustive()
    facets = Facets()
    facetStats = [:]
    appliedRules = []
    additionalMembers = [:]
    generation = 0
  }
}

extension HitsPage: Equatable where Record: Equatable {}
extension HitsPage: Hashable where Record: Hashable {}

extension HitsPage {
  /// The number of the page after this one; `nil` on the last page, beyond it, and when the query
  /// asked by `offset` and `length`.
  public var nextPage: Int? {
    page >= 0 && page < nbPages && page + 1 < nbPages ? page + 1 : nil
  }

  /// The number of the page before this one, for a page beyond the last the last one; `nil` on the
  /// first page, without any page, and when the query asked by `offset` and `length`.
  public var previousPage: Int? {
    page > 0 && nbPages > 0 ? min(page, nbPages) - 1 : nil
  }
}
