/// A record that is not read.
public struct UnreadRecord: Decodable, Sendable {
  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}

/// The merged responses to the queries of one search, without their records. They are read when
/// they are needed, and once.
final class IndexAnswer: Sendable {
  /// The responses, and how they are merged.
  fileprivate struct Parts: Sendable {
    /// The responses to the query for hits and to the other queries, in order.
    let contents: [UndecodedHits]
    let queries: [IndexQueries.FacetQuery]
    let request: SearchRequest<UnreadRecord>
    let generation: UInt64
    let search: WidgetSearch
    let kept: FacetCounts.Kept
    /// Whether to add refined values that no response has, with count 0.
    let addsMissing: Bool
  }

  /// The facets of all responses.
  fileprivate final class Counted: Sendable {
    let counts: FacetCounts
    let isExhaustive: Bool?
    let processingTimeMS: Int

    init(_ counts: FacetCounts, isExhaustive: Bool?, processingTimeMS: Int) {
      self.counts = counts
      self.isExhaustive = isExhaustive
      self.processingTimeMS = processingTimeMS
    }
  }

  /// The whole result. All who read it share one object.
  fileprivate final class Merged: Sendable {
    let page: HitsPage<UnreadRecord>
    let counts: FacetCounts

    init(_ page: HitsPage<UnreadRecord>, _ counts: FacetCounts) {
      self.page = page
      self.counts = counts
    }
  }

  /// The state that was searched.
  let state: IndexState
  private let parts: Parts?
  private let counted = Lock<Counted?>(nil)
  private let ready: Lock<Merged?>

  /// Creates an answer that is merged already.
  init(_ page: HitsPage<UnreadRecord>, _ counts: FacetCounts, of state: IndexState) {
    self.state = state
    parts = nil
    ready = Lock(Merged(page, counts))
  }

  /// Merges the responses to the queries of a search.
  ///
  /// - Parameters:
  ///   - contents: The responses to the query for hits and to the other queries, in order.
  ///   - queries: The other queries. Defaults to none.
  ///   - request: The request of the page.
  ///   - generation: The number of the searcher's search. Defaults to 0, without a searcher.
  ///   - search: The search.
  ///   - kept: The values that remain. Defaults to all of them.
  ///   - addsMissing: Whether to add refined values that no response has, with count 0. Defaults to
  ///     `false`.
  init(
    _ contents: [UndecodedHits], to queries: [IndexQueries.FacetQuery] = [],
    of request: SearchRequest<JSON>, generation: UInt64 = 0, _ search: WidgetSearch,
    keeping kept: FacetCounts.Kept = .all, addsMissing: Bool = false
  ) {
    state = search.state
    parts = Parts(
      contents: contents, queries: queries, request: request.reading(UnreadRecord.self),
      generation: generation, search: search, kept: kept, addsMissing: addsMissing)
    ready = Lock(nil)
  }

  /// The page without its records.
  var page: HitsPage<UnreadRecord> { merged.page }

  /// The merged facets.
  var counts: FacetCounts { merged.counts }

  private var merged: Merged {
    if let merged = ready.withLock({ $0 }) { return merged }
    guard let parts else { return Merged(HitsPage(), FacetCounts()) }
    var page = parts.contents[0].page(for: parts.request, generation: parts.generation)
    let counted = counted(with: page, of: parts)
    counted.complete(&page)
    let merged = Merged(page, counted.counts)
    ready.withLock { $0 = merged }
    return merged
  }

  /// Puts the facets into a page with records. It is exhaustive if all responses are, and its
  /// processing time is the sum of theirs.
  func complete<Record>(_ page: inout HitsPage<Record>) {
    if let parts { counted(with: page, of: parts).complete(&page) }
  }

  /// - Parameter page: The response to the query for hits, which may have records.
  private func counted<Record>(with page: HitsPage<Record>, of parts: Parts) -> Counted {
    if let counted = counted.withLock({ $0 }) { return counted }
    let newest = parts.merge(page)
    counted.withLock { $0 = newest }
    return newest
  }
}

extension IndexAnswer.Counted {
  fileprivate func complete<Record>(_ page: inout HitsPage<Record>) {
    page.facets = counts.facets
    page.facetStats = counts.stats
    page.exhaustive.facetsCount = isExhaustive
    page.processingTimeMS = processingTimeMS
  }
}

extension IndexAnswer.Parts {
  fileprivate func merge<Record>(_ page: HitsPage<Record>) -> IndexAnswer.Counted {
    var counts = FacetCounts(of: page)
    var (isExhaustive, time) = (page.exhaustive.facetsCount, page.processingTimeMS)
    var counted: [String] = []
    // Also the values that widgets add are chosen.
    let state = search.completed
    let (requested, listed) = search.parameters.valuesPerFacet(in: state)
    counts.limit(requested: requested, listed: listed)
    for (query, content) in zip(queries, contents.dropFirst()) {
      let other = content.page(for: request)
      var otherCounts = FacetCounts(of: other)
      otherCounts.limit(requested: requested, listed: listed)
      counts.merge(otherCounts, for: query.purpose, of: state, keeping: kept)
      time = time.addingUpToMaximum(other.processingTimeMS)
      if let isExact = other.exhaustive.facetsCount {
        isExhaustive = isExhaustive != false && isExact
      }
      if case .facet(let name) = query.purpose { counted.append(name) }
    }
    if addsMissing {
      counts.addMissing(
        of: state, parameters: search.parameters, counted: counted, keeping: kept)
    }
    return IndexAnswer.Counted(counts, isExhaustive: isExhaustive, processingTimeMS: time)
  }
}

extension Int {
  /// The sum, or the largest number if the sum is larger.
  func addingUpToMaximum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
