import InstantSearchJSON

/// A search for values of one facet among the records that match a query.
struct FacetSearch {
  /// A matching value.
  struct Hit: Sendable, Hashable {
    var value: String
    /// The value with the matched prefixes of its words in tags.
    var highlighted: String
    /// The number of matching records with the value.
    var count: Int
  }

  let snapshot: IndexSnapshot
  let search: ResolvedSearch
  let attribute: String
  let facetQuery: String
  let limit: Int
  let cancellation: CancellationCheck

  /// Creates a search. A facet that is not searchable is an error.
  init(
    snapshot: IndexSnapshot, search: ResolvedSearch, attribute: String, facetQuery: String,
    maxFacetHits: Int?, cancellation: CancellationCheck
  ) throws(APIError) {
    let declarations = FacetDeclaration.all(in: snapshot.settings)
      .filter { !snapshot.settings.hides($0.attribute) }
    let declaration = declarations.first { $0.attribute == attribute }
    guard declaration?.isSearchable == true else {
      let searchable = declarations.lazy.filter(\.isSearchable).map(\.attribute)
      let nearest = NearestName.find(attribute, among: searchable) { _ in true }
      throw APIError(
        "Cannot search in `\(attribute)` attribute, you need to add `searchable(\(attribute))`"
          + " to attributesForFaceting."
          + (nearest.map { " Did you mean `\($0)`?" } ?? ""))
    }
    let limit = maxFacetHits ?? snapshot.settings.maxFacetHits
    try ParameterCheck.integer(limit, "maxFacetHits", 0...ParameterLimits.maximumFacetHitCount)
    guard facetQuery.utf8.count <= ParameterLimits.maximumQueryLength else {
      throw APIError.invalidValue(
        of: "facetQuery", expected: "at most \(ParameterLimits.maximumQueryLength) bytes",
        got: "\(facetQuery.utf8.count) bytes")
    }
    self.snapshot = snapshot
    self.search = search
    self.attribute = attribute
    self.facetQuery = facetQuery
    self.limit = limit
    self.cancellation = cancellation
  }

  /// Returns the values, most frequent first unless the order says otherwise.
  func run() throws -> [Hit] {
    let matching = try SearchExecution(
      snapshot: snapshot, search: search, cancellation: cancellation
    )
    .matchingDocuments()
    let settings = FacetValueIndex.settings(snapshot.settings)
    let query = SearchQuery(facetQuery)
    let lists = try SettingsLists(settings, cancellation)
    var plan = try QueryPlan(
      query: query, settings: settings, lists: lists, cancellation: cancellation)
    let wanted = plan.isEmpty ? nil : try matchingValues(&plan, settings)
    var sources: [FacetCounts.Source] = []
    for (index, view) in snapshot.segments.enumerated() {
      guard let column = view.segment.attributes.facet(attribute) else { continue }
      sources.append(
        FacetCounts.Source(
          column: column, documents: FacetDocuments(matching[index]), values: wanted?[index]))
    }
    let counts = try FacetCounts(sources, limit: limit, order: search.facetOrder, cancellation)
    let matcher = try TextMatcher(
      plan: plan, tokenizer: lists.tokenizer, lists: lists, cancellation)
    let tags = HighlightTags(search.query, snapshot.settings)
    let way = try matcher.way(of: FacetValueIndex.attribute)
    var size = 0
    return try counts.entries.map { entry in
      let text = try MatchedText(Array(entry.text.utf8), way, matcher, wantsWords: false)
      let highlighted = try text.tagged(tags, after: size, of: .facetHits, cancellation)
      size += highlighted.utf8.count
      return Hit(value: entry.text, highlighted: highlighted, count: entry.count)
    }
  }

  /// Returns the values that match the words, one bitmap per segment.
  private func matchingValues(
    _ plan: inout QueryPlan, _ settings: IndexSettings
  ) throws -> [Bitmap] {
    let indices = snapshot.segments.map { $0.segment.facetIndex(attribute) }
    let views = indices.compactMap(\.self).map { segment in
      SegmentView(segment: segment, live: Bitmap(count: segment.count, filledWith: true))
    }
    let values = IndexSnapshot(settings: settings, segments: views)
    let found = try plan.execute(on: values, allowed: views.map(\.live), cancellation)
    plan = found.plan
    var documents = found.documents[...]
    return indices.map { $0 == nil ? Bitmap(count: 0) : documents.popFirst() ?? Bitmap(count: 0) }
  }
}
