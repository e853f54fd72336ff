import InstantSearchJSON

/// Writes hits: the record's bytes, then the members that the search adds.
struct HitWriter {
  private let projection: RecordProjection
  /// `nil` if nothing is highlighted.
  private var highlights: AnnotationWriter<HighlightSource>?
  /// `nil` if there are no snippets.
  private var snippets: AnnotationWriter<SnippetSource>?
  private let cancellation: CancellationCheck

  /// Creates a writer for the hits of one search.
  ///
  /// - Parameter lists: The lists of attributes in the settings.
  init(
    search: ResolvedSearch, plan: QueryPlan, tokenizer: Tokenizer, lists: SettingsLists,
    _ cancellation: CancellationCheck
  ) throws {
    let query = search.query
    let settings = search.settings
    self.cancellation = cancellation
    let matcher = try TextMatcher(
      plan: plan, tokenizer: tokenizer, lists: lists, cancellation)
    projection =
      try query.attributesToRetrieve.map {
        try RecordProjection(
          attributes: $0, hidden: lists.hidden, isForHits: true, cancellation)
      } ?? lists.projection
    let tags = HighlightTags(query, settings)
    let highlighted =
      try query.attributesToHighlight.map { try AttributeList($0, cancellation) }
      ?? lists.highlighted
    let snippets =
      try query.attributesToSnippet.map { try SnippetList($0, cancellation) } ?? lists.snippets
    let dropsOthersInArrays =
      query.restrictHighlightAndSnippetArrays ?? settings.restrictHighlightAndSnippetArrays
    if !highlighted.isEmpty {
      highlights = AnnotationWriter(
        HighlightSource(matcher: matcher, tags: tags), attributes: highlighted,
        projection: projection, dropsOthersInArrays: dropsOthersInArrays, cancellation)
    }
    if !snippets.isEmpty {
      self.snippets = AnnotationWriter(
        SnippetSource(matcher: matcher, tags: tags, snippets: snippets),
        attributes: snippets.attributes, projection: projection,
        dropsOthersInArrays: dropsOthersInArrays, cancellation)
    }
  }

  /// Writes one hit as an object.
  mutating func write(
    _ hit: SearchResult.Hit, record bytes: ArraySlice<UInt8>, to writer: inout JSONWriter
  ) throws {
    guard let record = try cancellation.record(bytes) else { return }
    try projection.open(record, in: &writer, cancellation)
    try highlights?.write(record, as: "_highlightResult", to: &writer)
    try snippets?.write(record, as: "_snippetResult", to: &writer)
    if let sequence = hit.sequence {
      writer.key("_distinctSeqID")
      writer.int(sequence)
    }
    if let info = hit.rankingInfo {
      writer.key("_rankingInfo")
      info.write(to: &writer)
    }
    writer.endObject()
  }
}
