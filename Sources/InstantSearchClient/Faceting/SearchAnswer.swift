import InstantSearchJSON

/// The answer to a search: the responses to its queries, which are merged and decoded when they are
/// read.
///
/// ``page(of:)`` decodes the hits, once for each record type: the first consumer decodes on its own
/// task, and the others wait for it.
///
/// It keeps the `TransportResponse.snapshot` of the response, if any, for further pages of the same
/// search. Its pages and hits do not.
public final class SearchAnswer: Sendable {
  /// The request that was answered.
  public var request: SearchRequest<JSON> { plan.request }
  /// The number of the search that was answered, counted from 1 in each searcher; 0 without one.
  public let generation: UInt64
  /// The queries of the search.
  package let plan: SearchPlan
  /// The results of the queries, in order; at least one.
  package let queryResults: [QueryResult]
  /// The answers of the other indices, in order.
  package let nested: [SearchAnswer]
  private let state = Lock(State())
  private let report: @Sendable (SearchError) -> Void

  /// The page of one record type: either decoded, or awaited by consumers.
  private struct Slot {
    var page: (any Sendable)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private struct State {
    var slots: [ObjectIdentifier: Slot] = [:]
    var reported: Set<HitFailure> = []
    var merged: Merged?
    var unread: Unread?
  }

  /// The facets of all results.
  fileprivate final class Merged: Sendable {
    let counts: FacetCounts
    let isExhaustive: Bool?
    let processingTimeMS: Int

    init(_ counts: FacetCounts, isExhaustive: Bool?, processingTimeMS: Int) {
      self.counts = counts
      self.isExhaustive = isExhaustive
      self.processingTimeMS = processingTimeMS
    }
  }

  /// The page without its records. All readers share one object.
  private final class Unread: Sendable {
    let page: HitsPage<UnreadRecord>
    init(_ page: HitsPage<UnreadRecord>) { self.page = page }
  }

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - plan: The queries.
  ///   - queryResults: The results of the queries, in order; at least one.
  ///   - nested: The answers of the other indices, in order. Defaults to none.
  ///   - generation: The number of the search. Defaults to 0, without a searcher.
  ///   - report: Receives hits that do not decode. By default they are not reported.
  package init(
    to plan: SearchPlan, _ queryResults: [QueryResult], nested: [SearchAnswer] = [],
    generation: UInt64 = 0, report: @escaping @Sendable (SearchError) -> Void = { _ in }
  ) {
    self.plan = plan
    self.queryResults = queryResults
    self.nested = nested
    self.generation = generation
    self.report = report
  }

  /// The result of the query for hits.
  package var hits: QueryResult { queryResults[0] }

  // MARK: Hits

  /// The answer as a page of `Record`: `Hit<T>`, `T` or `JSON`.
  ///
  /// Hits that do not decode are in the page's `failures`. They are also published on the
  /// searcher's `errors`, each once, and only while the request is the newest.
  @concurrent
  public func page<Record: Decodable & Sendable>(
    of type: Record.Type
  ) async -> HitsPage<Record> {
    let key = ObjectIdentifier(type)
    let isFirst = state.withLock { state in
      if state.slots[key] != nil { return false }
      state.slots[key] = Slot()
      return true
    }
    if isFirst {
      let page = decode(type)
      finish(key, with: page)
      reportNewFailures(of: page)
      return page
    }
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.slots[key]?.page != nil { return true }
        state.slots[key]?.waiting.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    // The slot of a type contains a page of that type.
    return state.withLock { $0.slots[key]?.page } as? HitsPage<Record> ?? decode(type)
  }

  /// The page of `Record`, if it is decoded already.
  package func decodedPage<Record: Decodable & Sendable>(
    of type: Record.Type
  ) -> HitsPage<Record>? {
    state.withLock { $0.slots[ObjectIdentifier(type)]?.page } as? HitsPage<Record>
  }

  /// The page of `Record`, which is decoded now if it is not yet.
  package func readPage<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    if let page = decodedPage(of: type) { return page }
    let page = decode(type)
    finish(ObjectIdentifier(type), with: page)
    reportNewFailures(of: page)
    return page
  }

  /// The page of `Record`, which is not kept.
  package func decode<Record>(_ type: Record.Type) -> HitsPage<Record> {
    var page = hits.page(for: request.reading(type), generation: generation)
    if queryResults.count > 1 || plan.needs.changesCounts { merged(with: page).complete(&page) }
    return page
  }

  private func finish(_ key: ObjectIdentifier, with page: any Sendable) {
    let waiting = state.withLock { state in
      let waiting = state.slots[key]?.waiting ?? []
      state.slots[key] = Slot(page: page)
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func reportNewFailures<Record>(of page: HitsPage<Record>) {
    let failures = state.withLock { state in
      page.failures.filter { state.reported.insert($0).inserted }
    }
    if let error = page.error(for: failures) { report(error) }
  }

  // MARK: Facets

  /// The page without its records.
  package var unreadPage: HitsPage<UnreadRecord> { unread.page }

  /// How the server wants facets to be shown. A copy of the page would cost more.
  package var renderingContent: RenderingContent? { unread.page.renderingContent }

  private var unread: Unread {
    if let unread = state.withLock({ $0.unread }) { return unread }
    let unread = Unread(decode(UnreadRecord.self))
    state.withLock { $0.unread = unread }
    return unread
  }

  /// The merged facets.
  package var counts: FacetCounts {
    if let merged = state.withLock({ $0.merged }) { return merged.counts }
    return merged(with: unreadPage).counts
  }

  /// - Parameter page: The result of the query for hits, which may have records.
  private func merged<Record>(with page: HitsPage<Record>) -> Merged {
    if let merged = state.withLock({ $0.merged }) { return merged }
    let newest = merge(page)
    state.withLock { $0.merged = newest }
    return newest
  }

  /// A page is exhaustive if all results are, and its processing time is the sum of theirs.
  private func merge<Record>(_ page: HitsPage<Record>) -> Merged {
    let needs = plan.needs
    var counts = FacetCounts(of: page)
    var (isExhaustive, time) = (page.exhaustive.facetsCount, page.processingTimeMS)
    // Also the values that are needed by default are selected.
    let completed = request.completed(by: needs)
    let (requested, listed) = needs.valuesPerFacet(in: completed.query)
    counts.limit(requested: requested, listed: listed)
    var counted: [String] = []
    for (query, result) in zip(plan.countQueries, queryResults.dropFirst()) {
      let other = result.page(for: request.reading(UnreadRecord.self))
      var otherCounts = FacetCounts(of: other)
      otherCounts.limit(requested: requested, listed: listed)
      counts.merge(
        otherCounts, for: query.purpose, filteredBy: completed.filterGroups,
        keeping: needs.kept(for: query.purpose))
      time = time.addingUpToMaximum(other.processingTimeMS)
      if let isExact = other.exhaustive.facetsCount {
        isExhaustive = isExhaustive != false && isExact
      }
      if case .facet(let name) = query.purpose { counted.append(name) }
    }
    if needs.keepsSelected {
      counts.addMissing(filteredBy: completed.filterGroups, needs: needs, counted: counted)
    }
    return Merged(counts, isExhaustive: isExhaustive, processingTimeMS: time)
  }
}

extension SearchAnswer.Merged {
  /// Puts the facets into a page.
  fileprivate func complete<Record>(_ page: inout HitsPage<Record>) {
    page.facets = counts.facets
    page.facetStats = counts.stats
    page.exhaustive.facetsCount = isExhaustive
    page.processingTimeMS = processingTimeMS
  }
}

extension SearchNeeds {
  fileprivate func kept(for purpose: SearchPlan.Purpose) -> FacetCounts.Kept {
    switch purpose {
    case .facet(let name): kept(of: name)
    case .hierarchy(let hierarchy), .level(_, let hierarchy): kept(of: hierarchy)
    }
  }
}

/// The result of one query, parsed and not decoded.
package struct QueryResult: Sendable {
  private let node: JSONNode
  private let options: JSONDecodingOptions
  /// The snapshot of the result, for other pages of the same data.
  package let snapshot: (any Sendable)?
  /// The transport that produced the response, if known.
  private let origin: ResponseOrigin?

  /// Validates a result.
  ///
  /// - Parameters:
  ///   - query: The query of the result, which may have requested a result without hits. So may the
  ///     settings of the index, if the query says nothing.
  ///   - requiresHits: Whether the settings may not do so. Defaults to `false`.
  init(
    _ node: JSONNode?, to query: SearchQuery?, requiresHits: Bool = false,
    options: JSONDecodingOptions, context: CallContext,
    snapshot: (any Sendable)? = nil, origin: ResponseOrigin? = nil
  ) throws(SearchError) {
    guard let node, node.kind == .object else {
      throw context.error(.decoding, "The response has no result for this query.")
    }
    if let hits = node["hits"] {
      guard hits.kind == .array else {
        throw context.error(.decoding, "The hits of the response are not an array.")
      }
    } else {
      let isMeant =
        query?.requestsHits.map { !$0 }
        ?? (!requiresHits && Self.members.contains { node[$0] != nil })
      if let error = context.error(in: node, lacking: isMeant ? nil : "hits") { throw error }
      guard isMeant else {
        throw context.error(
          .decoding,
          "The response has no hits. If none are needed, list the needed fields in responseFields."
        )
      }
    }
    self.node = node
    self.options = options
    self.snapshot = snapshot
    self.origin = origin
  }

  /// The members of a result other than hits, except the member that an error can have too.
  private static let members = SearchQuery.excludableResponseFields.subtracting(["hits", "index"])

  /// The whole result.
  package var json: JSON { JSON(node: node) }

  /// The text of the whole result.
  package var text: String { String(decoding: node.source, as: UTF8.self) }

  /// Returns the hit at a position of the result as JSON; `nil` without such a hit.
  package func rawHit(at position: Int) -> JSON? {
    node["hits"]?[position].map(JSON.init(node:))
  }

  /// Returns the result as a page of the request's record type.
  package func page<Record>(
    for request: SearchRequest<Record>, generation: UInt64 = 0
  ) -> HitsPage<Record> {
    var page = HitsPage<Record>(node: node, options: options, query: request.query)
    page.request = request
    page.generation = generation
    page.origin = origin
    return page
  }
}

extension SearchQuery {
  /// Whether the query requests hits, or other fields only; `nil` if the settings decide.
  var requestsHits: Bool? {
    var query = self
    query.adoptAdditional(.responseFields)
    return query.responseFields.map { $0.contains("hits") || $0.contains("*") }
  }
}

/// A record that is not read.
public struct UnreadRecord: Decodable, Sendable {
  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}

extension Int {
  /// The sum, or the largest number if the sum is larger.
  package func addingUpToMaximum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
