import InstantSearchJSON

/// One page of a search's result.
///
/// A hit that does not fit `Record` is in ``failures``; the others are in ``hits``. A member the
/// server left out has its default here. A member whose type is not the documented one has its
/// default too, and is kept as it came in ``additionalMembers``, where it is written from until
/// the property is given a value.
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
  public package(set) var origin: ResponseOrigin?

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

extension HitsPage {
  /// Reads the hits of an array on the tape, telling each what only the page knows.
  mutating func readHits(
    at array: Int, in session: DecodingSession, depth: Int, context: HitContext
  ) {
    if let type = Record.self as? any ContextualRecord.Type {
      // The opened type is `Record` itself, so the cast only gives the array its name back.
      let read = readContextual(type, at: array, in: session, depth: depth, context: context)
      if let read = read as? [Record] { hits = read }
    } else {
      hits = read(Record.self, at: array, in: session, context) { index, _ in
        try session.value(Record.self, at: index, depth: depth)
      }
    }
  }

  private mutating func readContextual<Contextual: ContextualRecord>(
    _ type: Contextual.Type, at array: Int, in session: DecodingSession, depth: Int,
    context: HitContext
  ) -> any Sendable {
    let source = HitSource(document: session.document, tags: context.tags)
    return read(type, at: array, in: session, context) { index, position in
      try Contextual(
        at: index, in: session, depth: depth, of: source, position: position,
        queryID: context.queryID)
    }
  }

  /// Reads all elements of an array, putting those that cannot be read among the failures.
  private mutating func read<Value>(
    _ type: Value.Type, at array: Int, in session: DecodingSession, _ context: HitContext,
    _ read: (_ index: Int, _ position: Int?) throws -> Value
  ) -> [Value] {
    let document = session.document
    var values: [Value] = []
    values.reserveCapacity(document.count(at: array))
    var elements = document.elements(at: array)
    var number = 0
    while let index = elements.nextElement(in: document) {
      let position = context.position(at: number)
      number += 1
      do {
        // A type may be able to read null, but a null is no hit.
        if case .null = document.kind(at: index) {
          throw session.node(at: index).mismatch([String: Any].self)
        }
        values.append(try read(index, position))
      } catch {
        failures.append(HitFailure(error, of: session.node(at: index), position: position))
      }
    }
    return values
  }

  // MARK: - Other decoders

  /// Reads the hits in a container of any decoder, telling each what only the page knows.
  mutating func readHits(from hits: ContainedHits, context: HitContext) {
    if let type = Record.self as? any ContextualRecord.Type {
      if let read = readContextual(type, from: hits, context: context) as? [Record] {
        self.hits = read
      }
    } else {
      self.hits = read(Record.self, from: hits, context) { _, _ in }
    }
  }

  private mutating func readContextual<Contextual: ContextualRecord>(
    _ type: Contextual.Type, from hits: ContainedHits, context: HitContext
  ) -> any Sendable {
    read(type, from: hits, context) { hit, position in
      hit.setContext(position: position, queryID: context.queryID)
      hit.setTags(context.tags)
    }
  }

  private mutating func read<Value: Decodable>(
    _ type: Value.Type, from hits: ContainedHits, _ context: HitContext,
    finish: (inout Value, Int?) -> Void
  ) -> [Value] {
    var hits = hits
    var values: [Value] = []
    values.reserveCapacity(hits.count)
    var number = 0
    while !hits.isAtEnd {
      let position = context.position(at: number)
      number += 1
      do throws(HitFailureBox) {
        var value = try hits.next(type, position: position)
        finish(&value, position)
        values.append(value)
      } catch {
        failures.append(error.failure)
      }
    }
    return values
  }
}

extension HitsPage: CustomStringConvertible {
  /// One line with the index, the number of hits here and of all, and the page, such as
  /// `HitsPage(index: movies, hits: 2, nbHits: 42, page: 2)`; safe to log.
  public var description: String {
    var parts: [String] = []
    if let index = index ?? request?.indexName { parts.append("index: \(index)") }
    parts.append("hits: \(hits.count)")
    if !failures.isEmpty { parts.append("failures: \(failures.count)") }
    parts.append("nbHits: \(nbHits)")
    parts.append(offset.map { "offset: \($0)" } ?? "page: \(page)")
    return "HitsPage(\(parts.joined(separator: ", ")))"
  }
}

extension HitsPage: CustomReflectable {
  /// The hits, and the members that are set, by name; the user token that the server repeats among
  /// the parameters is not shown.
  public var customMirror: Mirror {
    var children: [Mirror.Child] = [("hits", hits), ("failures", failures), ("facets", facets)]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch (HitsPageMember(rawValue: name), value) {
      case (.failures, _): continue
      case (.params, .string(let params)):
        children.append((name, PersonalData.masked(urlEncoded: params)))
      default: children.append((name, PersonalData.masked(value)))
      }
    }
    if let request { children.append(("request", request)) }
    children.append(("generation", generation))
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// Which figures of a result are exact rather than estimated.
///
/// A property is `nil` when the question does not arise or the server does not answer it.
public struct Exhaustive: Sendable, Hashable, JSONObjectCodable {
  /// Whether the number of hits is exact.
  public var nbHits: Bool?
  /// Whether every typo was considered.
  public var typo: Bool?
  /// Whether the facet counts are exact.
  public var facetsCount: Bool?
  /// Whether every facet value was considered.
  public var facetValues: Bool?
  /// Whether every rule was considered.
  public var rulesMatch: Bool?
  /// All other members, and known ones of another type than documented.
  public var additionalMembers: [String: JSON]

  /// Creates an answer; everything is absent by default.
  public init(
    nbHits: Bool? = nil,
    typo: Bool? = nil,
    facetsCount: Bool? = nil,
    facetValues: Bool? = nil,
    rulesMatch: Bool? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.nbHits = nbHits
    self.typo = typo
    self.facetsCount = facetsCount
    self.facetValues = facetValues
    self.rulesMatch = rulesMatch
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    nbHits = members.take("nbHits", \.boolValue)
    typo = members.take("typo", \.boolValue)
    facetsCount = members.take("facetsCount", \.boolValue)
    facetValues = members.take("facetValues", \.boolValue)
    rulesMatch = members.take("rulesMatch", \.boolValue)
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    members.set("nbHits", nbHits)
    members.set("typo", typo)
    members.set("facetsCount", facetsCount)
    members.set("facetValues", facetValues)
    members.set("rulesMatch", rulesMatch)
    return members
  }

  /// The same answer; what it does not say is taken from another one.
  func completed(by other: Exhaustive) -> Exhaustive {
    Exhaustive(
      nbHits: nbHits ?? other.nbHits, typo: typo ?? other.typo,
      facetsCount: facetsCount ?? other.facetsCount, facetValues: facetValues ?? other.facetValues,
      rulesMatch: rulesMatch ?? other.rulesMatch, additionalMembers: additionalMembers)
  }
}

extension Exhaustive: JSONNodeDecodable, JSONWritable {}
