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
    limit = try Self.limit(
      of: attribute, facetQuery: facetQuery, maxFacetHits: maxFacetHits, snapshot.settings)
    self.snapshot = snapshot
    self.search = search
    self.attribute = attribute
    self.facetQuery = facetQuery
    self.cancellation = cancellation
  }

  /// Returns the number of values to return. A facet that is not searchable is an error.
  static func limit(
    of attribute: String, facetQuery: String, maxFacetHits: Int?, _ settings: IndexSettings
  ) throws(APIError) -> Int {
    let declarations = FacetDeclaration.all(in: settings)
      .filter { !settings.hides($0.attribute) }
    let declaration = declarations.first { $0.attribute == attribute }
    guard declaration?.isSearchable == true else {
      let searchable = declarations.lazy.filter(\.isSearchable).map(\.attribute)
      let nearest = NearestName.find(attribute, among: searchable) { _ in true }
      throw APIError(
        "Cannot search in `\(attribute)` attribute, you need to add `searchable(\(attribute))`"
          + " to attributesForFaceting."
          + (nearest.map { " Did you mean `\($0)`?" } ?? ""))
    }
    let limit = maxFacetHits ?? settings.maxFacetHits
    try ParameterCheck.integer(limit, "maxFacetHits", 0...ParameterLimits.maximumFacetHitCount)
    guard facetQuery.utf8.count <= ParameterLimits.maximumQueryLength else {
      throw APIError.invalidValue(
        of: "facetQuery", expected: "at most \(ParameterLimits.maximumQueryLength) bytes",
        got: "\(facetQuery.utf8.count) bytes")
    }
    return limit
  }

  /// Returns the values, most frequent first unless the order says otherwise.
  func run() throws -> [Hit] {
    let matching = try SearchExecution(
      snapshot: snapshot, search: search, cancellation: cancellation
    )
    .matchingDocuments()
    let indices = snapshot.segments.map { $0.segment.facetIndex(attribute) }
    var words = try FacetValueWords(facetQuery, settings: snapshot.settings, cancellation)
    let wanted = try words.matchingValues(indices, settings: snapshot.settings, cancellation)
    var sources: [FacetCounts.Source] = []
    for (index, view) in snapshot.segments.enumerated() {
      guard let column = view.segment.attributes.facet(attribute) else { continue }
      sources.append(
        FacetCounts.Source(
          column: column, documents: FacetDocuments(matching[index]), values: wanted?[index]))
    }
    let counts = try FacetCounts(sources, limit: limit, order: search.facetOrder, cancellation)
    return try words.hits(
      counts.entries, of: search.query, settings: snapshot.settings, cancellation)
  }

  /// Writes the response.
  static func write(
    _ hits: [Hit], _ processingTime: Int, isProcessed: Bool?, isExact: Bool = true,
    to writer: inout JSONWriter, _ cancellation: CancellationCheck
  ) throws {
    writer.beginObject()
    writer.key("facetHits")
    writer.beginArray()
    for hit in hits {
      try cancellation.count(text: hit.value, after: writer.count, .facetHits)
      writer.beginObject()
      writer.key("value")
      writer.string(hit.value)
      try cancellation.count(text: hit.highlighted, after: writer.count, .facetHits)
      writer.key("highlighted")
      writer.string(hit.highlighted)
      writer.key("count")
      writer.int(hit.count)
      writer.endObject()
    }
    writer.endArray()
    writer.key("exhaustiveFacetsCount")
    writer.bool(isExact)
    if let isProcessed {
      writer.key("processed")
      writer.bool(isProcessed)
    }
    writer.key("processingTimeMS")
    writer.int(processingTime)
    writer.endObject()
    try cancellation.check(responseSize: writer.count, .facetHits)
  }
}

/// The words of a search for facet values.
struct FacetValueWords {
  private let lists: SettingsLists
  private var plan: QueryPlan

  /// Reads the words of a text.
  ///
  /// - Parameter settings: The settings of the index.
  init(_ text: String, settings: IndexSettings, _ cancellation: CancellationCheck) throws {
    let settings = FacetValueIndex.settings(settings)
    lists = try SettingsLists(settings, cancellation)
    plan = try QueryPlan(
      query: SearchQuery(text), settings: settings, lists: lists, cancellation: cancellation)
  }

  /// Returns the values that match the words, one bitmap per index, or `nil` without words.
  ///
  /// - Parameter indices: The indices of the values, `nil` for a segment without values.
  mutating func matchingValues(
    _ indices: [Segment?], settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> [Bitmap]? {
    if plan.isEmpty { return nil }
    let views = indices.compactMap(\.self).map { segment in
      SegmentView(segment: segment, live: Bitmap(count: segment.count, filledWith: true))
    }
    let values = IndexSnapshot(settings: FacetValueIndex.settings(settings), segments: views)
    let found = try plan.execute(on: values, allowed: views.map(\.live), cancellation)
    plan = found.plan
    var documents = found.documents[...]
    return indices.map { $0 == nil ? Bitmap(count: 0) : documents.popFirst() ?? Bitmap(count: 0) }
  }

  /// Returns the values with the matched words in tags.
  func hits(
    _ entries: some Sequence<FacetCounts.Entry>, of query: SearchQuery, settings: IndexSettings,
    _ cancellation: CancellationCheck
  ) throws -> [FacetSearch.Hit] {
    let matcher = try TextMatcher(
      plan: plan, tokenizer: lists.tokenizer, lists: lists, cancellation)
    let tags = HighlightTags(query, settings)
    let way = try matcher.way(of: FacetValueIndex.attribute)
    var size = 0
    return try entries.map { entry in
      let text = try MatchedText(Array(entry.text.utf8), way, matcher, wantsWords: false)
      let highlighted = try text.tagged(tags, after: size, of: .facetHits, cancellation)
      size += highlighted.utf8.count
      return FacetSearch.Hit(value: entry.text, highlighted: highlighted, count: entry.count)
    }
  }
}
