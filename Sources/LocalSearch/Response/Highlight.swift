import InstantSearchJSON

/// The annotation of one value: its text with tags, and how well it matches.
protocol ValueAnnotation {
  /// The text with tags.
  var value: String { get }
  /// How much of the query it matches.
  var level: HighlightLevel { get }
  /// Writes the members besides `value` and `matchLevel`.
  func writeDetails(to writer: inout JSONWriter)
}

extension ValueAnnotation {
  /// Whether some query word matches.
  var isMatch: Bool { level != .none }

  /// Writes the annotation as an object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("value")
    writer.string(value)
    writer.key("matchLevel")
    writer.string(level.rawValue)
    writeDetails(to: &writer)
    writer.endObject()
  }
}

/// A value with the matched words in tags.
struct Highlight: ValueAnnotation, Sendable, Hashable {
  /// The whole value with tags.
  var value: String
  /// How much of the query it matches.
  var level: HighlightLevel
  /// Whether every word of the value is matched as a whole.
  var isFullyHighlighted: Bool
  /// The query words that match.
  var matchedWords: [String]

  /// Annotates a value of an attribute.
  init(
    _ text: String, of attribute: String, isNumber: Bool, matcher: TextMatcher, tags: HighlightTags,
    after size: Int
  ) throws {
    guard matcher.hasWords, try matcher.searches(attribute, isNumber: isNumber) else {
      self = Highlight(unmatched: text)
      return
    }
    let matched = try MatchedText(text, of: attribute, isNumber: isNumber, matcher: matcher)
    let checkpoint = matcher.checkpoint
    let words = try matched.queryWords(checkpoint)
    value = try matched.tagged(
      0..<matched.bytes.count, pre: tags.pre, post: tags.post, after: size, checkpoint)
    level = matcher.level(of: words)
    isFullyHighlighted = try matched.isFullyMarked(checkpoint)
    matchedWords = matcher.text(of: words)
  }

  /// Annotates a value that is not searched.
  init(unmatched text: String) {
    value = text
    level = .none
    isFullyHighlighted = false
    matchedWords = []
  }

  /// `fullyHighlighted`, only with a match, and `matchedWords`.
  func writeDetails(to writer: inout JSONWriter) {
    if isMatch {
      writer.key("fullyHighlighted")
      writer.bool(isFullyHighlighted)
    }
    writer.key("matchedWords")
    writer.beginArray()
    for word in matchedWords { writer.string(word) }
    writer.endArray()
  }
}

/// What surrounds matched words, and what stands where a passage was cut.
struct HighlightTags: Sendable, Hashable {
  var pre: String
  var post: String
  var ellipsis: String
}
