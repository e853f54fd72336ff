import InstantSearchJSON

/// A record that a page tells where it stands and how its query was made.
protocol StampedRecord: JSONNodeDecodable, Sendable {
  /// Reads a record of an answer; position and query ID are taken unless it was saved with its own.
  init(
    at index: Int, in session: DecodingSession, depth: Int, of answer: HitAnswer, position: Int?,
    queryID: String?) throws
  /// Takes position and query ID, unless the record was saved with its own.
  mutating func stamp(position: Int?, queryID: String?)
  /// Takes the tags that the marks of the highlights are made with.
  mutating func setTags(_ tags: HighlightedString.Tags)
}

extension Hit: StampedRecord {
  mutating func stamp(position: Int?, queryID: String?) {
    metadata.search.position = metadata.search.position ?? position
    metadata.search.queryID = metadata.search.queryID ?? queryID
  }

  mutating func setTags(_ tags: HighlightedString.Tags) {
    guard tags != .standard else { return }
    highlightResult = highlightResult?.mapValues { $0.tagged(tags) }
    snippetResult = snippetResult?.mapValues { $0.tagged(tags) }
  }
}

extension HighlightLeaf {
  /// The same with other tags.
  fileprivate func tagged(_ tags: HighlightedString.Tags) -> Self {
    var leaf = self
    leaf.value.tags = tags
    return leaf
  }
}
