import InstantSearchJSON

/// The tags around matched words, and the text that replaces omitted parts.
struct HighlightTags: Sendable, Hashable {
  /// The UTF-8 text before a matched word, and after it.
  let pre: ArraySlice<UInt8>
  let post: ArraySlice<UInt8>
  /// The UTF-8 text in place of omitted parts.
  let ellipsis: ArraySlice<UInt8>

  /// The tags of a query. Index settings replace absent parameters.
  init(_ query: SearchQuery, _ settings: IndexSettings) {
    pre = Array((query.highlightPreTag ?? settings.highlightPreTag).utf8)[...]
    post = Array((query.highlightPostTag ?? settings.highlightPostTag).utf8)[...]
    ellipsis = Array((query.snippetEllipsisText ?? settings.snippetEllipsisText).utf8)[...]
  }
}

/// How much of a query a text matches.
enum HighlightLevel: String, Sendable, Hashable {
  case none, partial, full
}

/// Writes values with the matched words in tags.
struct HighlightSource: AnnotationSource {
  let matcher: TextMatcher
  let tags: HighlightTags

  func write(
    _ node: JSONNode, of attribute: AnnotatedAttribute, _ bytes: inout [UInt8],
    to writer: inout JSONWriter
  ) throws -> Bool {
    guard matcher.searches(node, attribute.way) else {
      writeUnmatched(node, to: &writer)
      return false
    }
    node.readSearchedText(into: &bytes)
    let text = try MatchedText(bytes, attribute.way, matcher, wantsWords: false)
    if text.marks.isEmpty {
      writeUnmatched(node, to: &writer)
      return false
    }
    let words = try text.queryWords(matcher.cancellation)
    writer.beginObject()
    writer.key("value")
    writer.beginString()
    try text.write(0..<bytes.count, tags, to: &writer, matcher.cancellation)
    writer.endString()
    writer.key("matchLevel")
    writer.string(matcher.level(of: words).rawValue)
    writer.key("fullyHighlighted")
    writer.bool(text.isFullyMarked)
    writer.key("matchedWords")
    writer.beginArray()
    for word in matcher.text(of: words) { writer.string(word) }
    writer.endArray()
    writer.endObject()
    return true
  }

  /// Writes a value without a match, which has no `fullyHighlighted`.
  func writeUnmatched(_ node: JSONNode, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("value")
    writer.text(of: node)
    writer.members(#""matchLevel":"none","matchedWords":[]"#)
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes a scalar as a string. `null` becomes the empty string.
  mutating func text(of node: JSONNode) {
    switch node.kind {
    case .string where !node.isEscaped: raw(node)
    case .string: string(node.string ?? "")
    case .number: string(FacetColumn.Value.text(of: node))
    case .bool: string(node.bool == true ? "true" : "false")
    case .null, .array, .object: string("")
    }
  }
}
