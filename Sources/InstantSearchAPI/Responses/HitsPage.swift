import InstantSearchJSON

/// One page of a search result.
///
/// A hit that does not match `Record` is in ``failures``, and the others are in ``hits``. A member
/// that the server left out has its default here. So has a member whose type is not the documented
/// one, which is kept unchanged in ``additionalMembers`` and written from there until the property
/// is set.
public struct HitsPage<Record: Decodable & Sendable>: Sendable {
  /// The hits that were decoded, best first.
  public var hits: [Record]
  /// The hits that could not be decoded.
  public var failures: [HitFailure]

  /// The number of hits on all pages, or of groups, if more than one hit per group is returned.
  public var nbHits: Int
  /// The page's number, counted from 0.
  public var page: Int
  /// The number of available pages.
  public var nbPages: Int
  /// The number of hits on a full page.
  public var hitsPerPage: Int
  /// The index of the first hit among all hits, if the query set `offset` and `length`.
  public var offset: Int?
  /// The requested number of hits, if the query set `offset` and `length`.
  public var length: Int?

  /// The text of the query.
  public var query: String
  /// The parameters of the query, URL-encoded.
  public var params: String?
  /// The text of the query with the words marked that were removed to get results.
  public var queryAfterRemoval: String?
  /// The normalized text of the query, with `getRankingInfo`.
  public var parsedQuery: String?
  /// The requested index.
  public var index: String?
  /// The index that was searched, if it can differ, as in an A/B test.
  public var indexUsed: String?
  /// The server that responded, with `getRankingInfo`.
  public var serverUsed: String?

  /// The processing time of the engine, in milliseconds.
  public var processingTimeMS: Int
  /// The processing time of the server, in milliseconds.
  public var serverTimeMS: Int?
  /// The parts of the processing time, as untyped JSON.
  public var processingTimingsMS: JSON?

  /// Whether the counts are exact.
  public var exhaustive: Exhaustive
  /// The requested facets, in the server's order.
  public var facets: Facets
  /// Statistics of numeric facets, by attribute; `facets_stats` on the wire.
  public var facetStats: [String: FacetStats]
  /// Instructions of the index or of a rule for displaying the results.
  public var renderingContent: RenderingContent?
  /// Data that the index's settings or rules attach to the result.
  public var userData: JSON?
  /// The rules that were applied to the query.
  public var appliedRules: [JSON]

  /// The center of a geographical search.
  public var aroundLatLng: Point?
  /// The radius that the engine chose for a geographical search, in meters.
  public var automaticRadius: Int?

  /// A warning of the server.
  public var message: String?
  /// The A/B test of the query.
  public var abTestID: Int?
  /// The variant of the A/B test that responded.
  public var abTestVariantID: Int?
  /// The ID of the query for click events, with `clickAnalytics`.
  public var queryID: String?
  /// The number of hits after relevant sorting.
  public var nbSortedHits: Int?
  /// The index to which the query was redirected, as untyped JSON that is internal to the server.
  public var redirect: JSON?
  /// Whether the server records events itself; `_automaticInsights` on the wire.
  public var automaticInsights: Bool?
  /// Results of the server's extensions, such as query categories, as untyped JSON.
  public var extensions: JSON?
  /// Whether the query ran; `false` if an earlier one of the same call had enough matches.
  public var processed: Bool?
  /// The cursor of the next page when browsing; `nil` on the last page.
  public var cursor: String?
  /// An explanation of the query, if it requested one, as untyped JSON.
  public var explain: JSON?
  /// All other members, and known ones whose type is not the documented one.
  public var additionalMembers: [String: JSON]

  /// The request of the page; `nil` for a page that did not come from a search.
  public package(set) var request: SearchRequest<Record>?
  /// The number of the searcher's search, ascending; 0 for a page that is not from a searcher.
  public package(set) var generation: UInt64
  /// The transport that produced the response, if known; `nil` for a page that did not come from a
  /// search.
  public package(set) var origin: ResponseOrigin?

  /// Creates a page of hits. Every other property has its default.
  ///
  /// - Parameters:
  ///   - hits: The hits.
  ///   - nbHits: The number of hits on all pages. Defaults to the number of `hits`.
  ///   - page: The page's number, counted from 0. Defaults to 0.
  ///   - nbPages: The number of pages. Defaults to one, or zero without hits.
  ///   - hitsPerPage: The number of hits on a full page. Defaults to the number of `hits`.
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
  /// The number of the next page; `nil` on the last page, beyond it, and if the query set `offset`
  /// and `length`.
  public var nextPage: Int? {
    page >= 0 && page < nbPages && page + 1 < nbPages ? page + 1 : nil
  }

  /// The number of the previous page, which for a page beyond the last is the last one; `nil` on
  /// the first page, without any page, and if the query set `offset` and `length`.
  public var previousPage: Int? {
    page > 0 && nbPages > 0 ? min(page, nbPages) - 1 : nil
  }
}

extension HitsPage {
  /// Reads the hits of an array on the tape, with the page's context.
  mutating func readHits(
    at array: Int, in session: DecodingSession, depth: Int, context: HitContext
  ) {
    if let type = Record.self as? any ContextualRecord.Type {
      // The opened type is `Record` itself, so the cast only restores the array's static type.
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

  /// Reads all elements of an array. Elements that cannot be read become failures.
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
        // A type may accept null, but null is not a hit.
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

  /// Reads the hits in a container of any decoder, with the page's context.
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
  /// One line with the index, the number of hits on the page and in total, and the page number,
  /// such as `HitsPage(index: movies, hits: 2, nbHits: 42, page: 2)`. Safe to log.
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
  /// A mirror of the hits and the members that are set, by name, without the user token that the
  /// server repeats among the parameters.
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

/// Whether the counts of a result are exact rather than estimated.
///
/// A property is `nil` if it does not apply or if the server does not report it.
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
  /// All other members, and known ones whose type is not the documented one.
  public var additionalMembers: [String: JSON]

  /// Creates a value. Everything is absent by default.
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

  /// Returns the value with missing properties from another one.
  func completed(by other: Exhaustive) -> Exhaustive {
    Exhaustive(
      nbHits: nbHits ?? other.nbHits, typo: typo ?? other.typo,
      facetsCount: facetsCount ?? other.facetsCount, facetValues: facetValues ?? other.facetValues,
      rulesMatch: rulesMatch ?? other.rulesMatch, additionalMembers: additionalMembers)
  }
}

extension Exhaustive: JSONNodeDecodable, JSONWritable {}
