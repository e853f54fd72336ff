import SearchJSON

/// A record that a page tells where it stands and how its query was made.
protocol StampedRecord: JSONNodeDecodable, Sendable {
  /// Takes what only the page knows.
  mutating func stamp(position: Int?, queryID: String?, tags: HighlightedString.Tags)
}

extension Hit: StampedRecord {
  /// Takes position and query ID, unless the hit was saved with its own, and the tags the marks of
  /// the highlights are made with.
  mutating func stamp(position: Int?, queryID: String?, tags: HighlightedString.Tags) {
    metadata.position = metadata.position ?? position
    metadata.queryID = metadata.queryID ?? queryID
    guard tags != .standard else { return }
    metadata.highlightResult.setTags(tags)
    metadata.snippetResult.setTags(tags)
  }
}

extension ReadLater where Value: TaggedLater {
  /// Tells the tags that the marks are made with.
  fileprivate mutating func setTags(_ tags: HighlightedString.Tags) {
    switch self {
    case .absent: break
    case .written(let document, let index, _): self = .written(document, index: index, tags)
    case .value(let value): self = .value(value.tagged(tags))
    }
  }
}

/// Metadata whose texts are marked with tags.
protocol TaggedLater: ReadableLater {
  /// The same with other tags.
  func tagged(_ tags: HighlightedString.Tags) -> Self
}

extension TreeModel: TaggedLater where Value: HighlightLeaf {
  func tagged(_ tags: HighlightedString.Tags) -> TreeModel {
    mapValues { leaf in
      var leaf = leaf
      leaf.value.tags = tags
      return leaf
    }
  }
}
