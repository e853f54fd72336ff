/// A record that a page tells where it stands and how its query was made.
protocol StampedRecord: Decodable, Sendable {
  /// Takes what only the page knows.
  mutating func stamp(position: Int?, queryID: String?, tags: HighlightedString.Tags)
}

extension Hit: StampedRecord {
  /// Takes position and query ID, unless the hit was saved with its own, and the tags the marks of
  /// the highlights are made with.
  mutating func stamp(position: Int?, queryID: String?, tags: HighlightedString.Tags) {
    self.position = self.position ?? position
    self.queryID = self.queryID ?? queryID
    guard tags != .standard else { return }
    highlightResult = highlightResult?.mapValues { result in
      var result = result
      result.value.tags = tags
      return result
    }
    snippetResult = snippetResult?.mapValues { result in
      var result = result
      result.value.tags = tags
      return result
    }
  }
}
