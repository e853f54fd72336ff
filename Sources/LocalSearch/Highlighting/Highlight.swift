import InstantSearchJSON

/// The annotation of one value: its text with tags, and its match level.
protocol ValueAnnotation {
  /// The text with tags.
  var value: String { get }
  /// The share of the query that it matches.
  var level: HighlightLevel { get }
  /// Writes the members other than `value` and `matchLevel`.
  func writeDetails(to writer: inout JSONWriter)
}

extension ValueAnnotation {
  /// Whether a query word matches.
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
  /// The share of the query that it matches.
  var level: HighlightLevel
  /// Whether every word of the value matches as a whole.
  var isFullyHighlighted: Bool
  /// The query words that match.
  var matchedWords: [String]

  /// Annotates a value of an attribute.
  init(
    _ text: String, of attribute: String, isNumber: Bool, matcher: TextMatcher, tags: HighlightTags,
    after size: Int
  ) throws {
    let matched = try MatchedText(
      text, of: attribute, isNumber: isNumber, matcher: matcher, wantsWords: false)
    if matched.marks.isEmpty {
      self = Highlight(unmatched: text)
      return
    }
    let cancellation = matcher.cancellation
    let words = try matched.queryWords(cancellation)
    value = try matched.tagged(
      0..<matched.bytes.count, pre: tags.pre, post: tags.post, after: size, cancellation)
    level = matcher.level(of: words)
    isFullyHighlighted = try matched.isFullyMarked(cancellation)
    matchedWords = matcher.text(of: words)
  }

  /// Annotates a value that is not searched.
  init(unmatched text: String) {
    value = text
    level = .none
    isFullyHighlighted = false
    matchedWords = []
  }

  /// Writes `fullyHighlighted`, only for a match, and `matchedWords`.
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

/// The tags around matched words, and the text that replaces omitted parts.
struct HighlightTags: Sendable, Hashable {
  var pre: String
  var post: String
  var ellipsis: String
}

/// A part of a value around the matched words, with tags.
///
/// Of all parts of the requested length, the one with the most distinct query words is chosen, the
/// earliest of equals. The matched words are centered, so that there is text on either side. Of a
/// value without a match the first words are chosen.
struct Snippet: ValueAnnotation, Sendable, Hashable {
  /// The part with tags, and with an ellipsis in place of omitted text.
  var value: String
  /// The share of the query that the whole value matches.
  var level: HighlightLevel

  /// Shortens a value of an attribute to a number of words.
  init(
    _ text: String, of attribute: String, isNumber: Bool, length: Int, matcher: TextMatcher,
    tags: HighlightTags, after size: Int
  ) throws {
    let matched = try MatchedText(text, of: attribute, isNumber: isNumber, matcher: matcher)
    let cancellation = matcher.cancellation
    level = matcher.level(of: try matched.queryWords(cancellation))
    let words = matched.words
    guard words.count > length else {
      value = try matched.tagged(
        0..<matched.bytes.count, pre: tags.pre, post: tags.post, after: size, cancellation)
      return
    }
    guard length > 0 else {
      value = tags.ellipsis
      return
    }
    let passage = try Self.passage(of: matched, length: length, cancellation)
    let isCutBefore = passage.lowerBound > 0
    let isCutAfter = passage.upperBound < words.count
    let start = isCutBefore ? words[passage.lowerBound].lowerBound : 0
    let end = isCutAfter ? words[passage.upperBound - 1].upperBound : matched.bytes.count
    let tagged = try matched.tagged(
      start..<end, pre: tags.pre, post: tags.post, after: size, cancellation)
    value =
      (isCutBefore ? tags.ellipsis : "")
      + tagged
      + (isCutAfter ? tags.ellipsis : "")
  }

  /// Annotates a whole value that is not searched.
  init(unmatched text: String) {
    value = text
    level = .none
  }

  /// Does nothing, because snippets have no other members.
  func writeDetails(to writer: inout JSONWriter) {}

  /// Returns the range of the snippet's words. The text has more than `length` words.
  private static func passage(
    of matched: MatchedText, length: Int, _ cancellation: CancellationCheck
  ) throws -> Range<Int> {
    let count = matched.words.count
    let marks = try markedWords(of: matched, cancellation)
    guard !marks.isEmpty else { return 0..<length }
    // A best range starts at a match. This slides a window over the matches and counts the query
    // words in it.
    var inSight: [Int: Int] = [:]
    var last = 0
    var best = 0..<0
    var bestDistinct = 0
    for first in marks.indices {
      try cancellation.count(marks[first].queryWords.count)
      while last < marks.count, marks[last].word < marks[first].word + length {
        for queryWord in marks[last].queryWords { inSight[queryWord, default: 0] += 1 }
        last += 1
      }
      if inSight.count > bestDistinct {
        bestDistinct = inSight.count
        best = marks[first].word..<marks[last - 1].word + 1
      }
      for queryWord in marks[first].queryWords {
        inSight[queryWord, default: 0] -= 1
        if inSight[queryWord] == 0 { inSight[queryWord] = nil }
      }
    }
    let start = best.lowerBound - (length - best.count) / 2
    let clamped = min(max(start, 0), count - length)
    return clamped..<clamped + length
  }

  /// Returns the index of each mark's word, with the query words matched there.
  private static func markedWords(
    of matched: MatchedText, _ cancellation: CancellationCheck
  ) throws -> [(word: Int, queryWords: [Int])] {
    var word = 0
    return try matched.marks.map { mark in
      try cancellation.count(mark.queryWords.count)
      while word + 1 < matched.words.count,
        matched.words[word].upperBound <= mark.range.lowerBound
      { word += 1 }
      return (word, Array(Set(mark.queryWords)))
    }
  }
}
