/// Runs one search on one snapshot.
struct SearchExecution {
  let snapshot: IndexSnapshot
  let search: ResolvedSearch
  let cancellation: CancellationCheck
  private let nearestPoints = NearestPoints()

  private var query: SearchQuery { search.query }

  /// Returns the documents that match the words, the filters and the geographic condition, one
  /// bitmap per segment.
  func matchingDocuments() throws -> [Bitmap] { try matchedRecords().records.documents }

  /// Returns the matches, and the automatic radius if there is one.
  func matchedRecords() throws -> (records: MatchedRecords, automaticRadius: Int?) {
    let allowed = try snapshot.segments.map { try self.allowed(in: $0) }
    let plan = try QueryPlan(
      query: query, settings: search.settings, lists: snapshot.lists(cancellation),
      lexicon: snapshot.lexicon(cancellation), placeLanguage: search.placeLanguage,
      cancellation: cancellation)
    let records = try plan.execute(
      on: snapshot, allowed: allowed, cancellation)
    guard let circle = search.geo?.circle, case .automatic(let minimum) = circle.radius else {
      return (records, nil)
    }
    let columns = snapshot.segments.map(\.segment.attributes.geo)
    let radius = try AutomaticRadius(circle: circle, minimum: minimum, cancellation: cancellation)
      .find(columns, matching: records.documents)
    let near = try zip(columns, snapshot.segments).map { column, view in
      try circle.documents(
        within: Double(radius), in: column, count: view.segment.count, cancellation)
    }
    return (records.intersecting(near), radius)
  }

  /// Returns the live documents of a segment that match the filters and the geographic condition.
  private func allowed(in view: SegmentView) throws -> Bitmap {
    var documents = view.live
    let evaluator = FilterEvaluator(
      segment: view.segment, numericDeclarations: search.numbers, cancellation: cancellation)
    for expression in search.filters.required {
      if documents.isEmpty { return documents }
      documents.formIntersection(try evaluator.documents(expression))
    }
    if let geo = search.geo {
      try cancellation.check()
      documents.formIntersection(
        try geo.documents(
          in: view.segment.attributes.geo, count: view.segment.count, cancellation))
    }
    return documents
  }

  /// Runs the whole search.
  func result() throws -> SearchResult {
    let (records, automaticRadius) = try matchedRecords()
    var result = SearchResult(plan: records.plan)
    result.automaticRadius = automaticRadius
    result.queryAfterRemoval = queryAfterRemoval(records)
    let documents = records.documents
    var kept: [Bitmap]?
    if search.hitsPerGroup > 0 {
      let grouping = try DistinctSearch(execution: self, records: records, documents: documents)
      let page: ArraySlice<DistinctGroups.Member>
      if search.facets.contains(where: \.isAfterDistinct) {
        let groups = try grouping.all()
        result.hitCount = groups.count
        page = groups[search.pagination.range(of: groups.count, limit: search.paginationLimit)]
        kept = Self.bitmaps(of: groups, counts: documents.map(\.count))
      } else {
        result.hitCount = grouping.groupCount
        page = try grouping.groups(
          search.pagination.range(of: grouping.groupCount, limit: search.paginationLimit))
      }
      result.hits = try hits(page.lazy.map { ($0.record, $0.sequence) })
    } else {
      result.hitCount = records.count
      let page = search.pagination.range(of: result.hitCount, limit: search.paginationLimit)
      if !page.isEmpty {
        let ranked = try ranked(records, limit: page.upperBound)
        result.hits = try hits(ranked[page.clamped(to: ranked.indices)].lazy.map { ($0, nil) })
      }
    }
    result.facets = try facets(of: documents, kept: kept)
    return result
  }

  // MARK: Ranking

  /// Returns the first records in order, or all of them.
  func ranked(_ records: MatchedRecords, limit: Int?) throws -> [RankedDocument] {
    let scores = try filterScores()
    let columns = snapshot.segments.map(\.segment.attributes.geo)
    let circle = search.geo?.circle
    let ranking = Ranking(
      query: query, settings: search.settings,
      filterScore: scores.map { scores in { scores[$0].score(of: $1) } },
      geoDistance: circle.map { circle in
        { segment, document, cancellation in
          try nearestPoints.nearest(
            to: circle, of: document, in: columns[segment], segment: segment, cancellation
          ).map { circle.precision.bucket(of: $0.meters) }
        }
      },
      nearest: circle.map { circle in
        { segment, documents, count, cancellation in
          try circle.nearest(count, of: documents, in: columns[segment], cancellation)
        }
      })
    return try ranking.ranked(records, limit: limit, cancellation)
  }

  /// Returns the scores of the filters, one per segment, or `nil` if all records have the same.
  private func filterScores() throws -> [FilterScores]? {
    let scores = try snapshot.segments.map { view in
      try FilterScores(
        search.filters,
        FilterEvaluator(
          segment: view.segment, numericDeclarations: search.numbers, cancellation: cancellation))
    }
    return query.getRankingInfo == true || scores.contains { !$0.isConstant } ? scores : nil
  }

  /// Returns all records in order, as numbers with the segment in the upper half.
  func order() throws -> (records: MatchedRecords, order: [UInt64]) {
    let (records, _) = try matchedRecords()
    let order = try cancellation.map(ranked(records, limit: nil)) {
      UInt64(UInt32(clamping: $0.segment)) << 32 | UInt64(UInt32(clamping: $0.document))
    }
    return (records, order)
  }

  private func hits(
    _ records: some Sequence<(record: RankedDocument, sequence: Int?)>
  ) throws -> [SearchResult.Hit] {
    let scores =
      query.getRankingInfo == true ? try UserScores(snapshot, cancellation) : nil
    return try records.map { record, sequence in
      try SearchResult.Hit(
        segment: record.segment, document: record.document, sequence: sequence,
        rankingInfo: scores.map { try rankingInfo(record, $0) })
    }
  }

  private func rankingInfo(
    _ record: RankedDocument, _ scores: UserScores
  ) throws -> RankingDetails {
    let features = record.features
    let segment = snapshot.segments[record.segment].segment
    var info = RankingDetails()
    info.typoCount = features.typos
    info.wordCount = features.words
    info.proximityDistance = features.proximity
    info.firstMatchedWord = features.firstMatchedWord
    info.exactWordCount = features.exact
    info.filterScore = features.filters
    if !search.settings.hidesOrder {
      info.userScore = try scores.score(
        segment: record.segment, document: record.document, cancellation)
    }
    if let circle = search.geo?.circle, !search.settings.hides("_geoloc"),
      let nearest = try nearestPoints.nearest(
        to: circle, of: record.document, in: segment.attributes.geo, segment: record.segment,
        cancellation)
    {
      info.matchedPoint = RankingDetails.MatchedPoint(
        point: nearest.point, distance: Int(nearest.meters),
        precision: circle.precision.size(at: nearest.meters))
    }
    return info
  }

  // MARK: Facets

  private static func bitmaps(of groups: DistinctGroups, counts: [Int]) -> [Bitmap] {
    var result = counts.map { Bitmap(count: $0) }
    for member in groups.all { result[member.record.segment][member.record.document] = true }
    return result
  }

  private func facets(
    of documents: [Bitmap], kept: [Bitmap]?
  ) throws -> [(attribute: String, counts: FacetCounts)] {
    guard !search.facets.isEmpty else { return [] }
    let documents = documents.map { FacetDocuments($0) }
    let kept = kept?.map { FacetDocuments($0) }
    var result: [(attribute: String, counts: FacetCounts)] = []
    for facet in search.facets {
      try cancellation.check()
      let sets = facet.isAfterDistinct ? kept ?? documents : documents
      var sources: [FacetCounts.Source] = []
      for (index, view) in snapshot.segments.enumerated() where sets[index].count > 0 {
        guard let column = view.segment.attributes.facet(facet.attribute) else { continue }
        sources.append(
          FacetCounts.Source(column: column, documents: sets[index]))
      }
      let counts = try FacetCounts(
        sources, limit: search.maxValuesPerFacet, order: search.facetOrder, cancellation)
      if !counts.entries.isEmpty { result.append((facet.attribute, counts)) }
    }
    return result
  }

  // MARK: Words that were dropped

  /// Returns the query text with the removed words in tags.
  private func queryAfterRemoval(_ records: MatchedRecords) -> String? {
    let removed = records.removedWords
    guard !removed.isEmpty, records.count > 0 else { return nil }
    return records.plan.text(marking: removed, HighlightTags(query, search.settings))
  }
}

extension QueryPlan {
  /// Returns the text of the query with some of its words in tags.
  ///
  /// - Parameter words: The numbers of the words.
  func text(marking words: some Sequence<Int>, _ tags: HighlightTags) -> String {
    let text = Array(options.text.utf8)
    var result: [UInt8] = []
    var position = 0
    for word in words.sorted() where self.words.indices.contains(word) {
      let range = self.words[word].range
      guard range.lowerBound >= position, range.upperBound <= text.count else { continue }
      result += text[position..<range.lowerBound]
      result += tags.pre
      result += text[range]
      result += tags.post
      position = range.upperBound
    }
    result += text[position...]
    return String(decoding: result, as: UTF8.self)
  }
}

/// The result of a search, before it is written.
struct SearchResult: Sendable {
  /// A hit of the requested page.
  struct Hit: Sendable {
    /// The segment and the document.
    var segment: Int
    var document: Int
    /// The index in its group, or `nil` without grouping.
    var sequence: Int?
    /// Why the hit is ranked here, if requested.
    var rankingInfo: RankingDetails?
  }

  /// The hits of the requested page.
  var hits: [Hit] = []
  /// The number of matching records, or of groups.
  var hitCount = 0
  /// The facets that have values, in the order of the request.
  var facets: [(attribute: String, counts: FacetCounts)] = []
  /// The automatic radius, in meters.
  var automaticRadius: Int?
  /// The query with the removed words in tags, or `nil` if none was removed.
  var queryAfterRemoval: String?
  /// The plan of the query, with the decisions of the index.
  var plan: QueryPlan
}
