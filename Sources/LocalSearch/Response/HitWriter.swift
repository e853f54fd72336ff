import InstantSearchJSON

/// Writes hits: the record's bytes, then the members that the search adds.
struct HitWriter {
  private let search: ResolvedSearch
  private let matcher: TextMatcher
  private let projection: RecordProjection
  private let tags: HighlightTags
  private let highlighted: AttributeList
  private let snippets: SnippetList
  private let dropsOthersInArrays: Bool
  private let cancellation: CancellationCheck

  /// Creates a writer for the hits of one search.
  ///
  /// - Parameter lists: The lists of attributes in the settings.
  init(
    search: ResolvedSearch, plan: QueryPlan, lists: SettingsLists, _ cancellation: CancellationCheck
  ) throws {
    let query = search.query
    let settings = search.settings
    self.search = search
    self.cancellation = cancellation
    matcher = try TextMatcher(
      plan: plan, settings: settings, lists: lists, cancellation)
    projection =
      try query.attributesToRetrieve.map {
        try RecordProjection(
          attributes: $0, hidden: lists.hidden, isForHits: true, cancellation)
      } ?? lists.projection
    tags = HighlightTags(
      pre: query.highlightPreTag ?? settings.highlightPreTag,
      post: query.highlightPostTag ?? settings.highlightPostTag,
      ellipsis: query.snippetEllipsisText ?? settings.snippetEllipsisText)
    highlighted =
      try query.attributesToHighlight.map { try AttributeList($0, cancellation) }
      ?? lists.highlighted
    snippets =
      try query.attributesToSnippet.map { try SnippetList($0, cancellation) } ?? lists.snippets
    dropsOthersInArrays =
      query.restrictHighlightAndSnippetArrays ?? settings.restrictHighlightAndSnippetArrays
  }

  /// Writes one hit as an object.
  func write(
    _ hit: SearchResult.Hit, record bytes: ArraySlice<UInt8>, to writer: inout JSONWriter
  ) throws {
    guard let record = try cancellation.record(bytes) else { return }
    try projection.open(record, in: &writer, cancellation)
    try writeHighlights(of: record, to: &writer)
    try writeSnippets(of: record, to: &writer)
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

  private func writeHighlights(of record: JSONNode, to writer: inout JSONWriter) throws {
    guard !highlighted.isEmpty else { return }
    var annotations = AnnotationWriter(
      AnnotationWriter<Highlight>.Rules(
        attributes: highlighted, isHidden: { try projection.hides($0, cancellation) },
        dropsOthersInArrays: dropsOthersInArrays,
        annotation: { path, text, isNumber, size in
          try Highlight(
            text, of: path, isNumber: isNumber, matcher: matcher, tags: tags, after: size)
        }, plain: { Highlight(unmatched: $0) }, cancellation: cancellation))
    try annotations.write(record, as: "_highlightResult", to: &writer)
  }

  private func writeSnippets(of record: JSONNode, to writer: inout JSONWriter) throws {
    guard !snippets.isEmpty else { return }
    var annotations = AnnotationWriter(
      AnnotationWriter<Snippet>.Rules(
        attributes: snippets.attributes, isHidden: { try projection.hides($0, cancellation) },
        dropsOthersInArrays: dropsOthersInArrays,
        annotation: { path, text, isNumber, size in
          try Snippet(
            text, of: path, isNumber: isNumber, length: snippets.length(of: path, cancellation),
            matcher: matcher, tags: tags, after: size)
        }, plain: { Snippet(unmatched: $0) }, cancellation: cancellation))
    try annotations.write(record, as: "_snippetResult", to: &writer)
  }
}
