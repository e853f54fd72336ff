import InstantSearchJSON

/// Writes parts of values around the matched words, with tags.
///
/// Of all parts of the requested length, the one with the most distinct query words is chosen, the
/// earliest of equals. The matched words are centered, so that there is text on either side. A
/// value without a match is shortened to its first words.
struct SnippetSource: AnnotationSource {
  let matcher: TextMatcher
  let tags: HighlightTags
  let snippets: SnippetList

  func write(
    _ node: JSONNode, of attribute: AnnotatedAttribute, _ bytes: inout [UInt8],
    to writer: inout JSONWriter
  ) throws -> Bool {
    let cancellation = matcher.cancellation
    node.readSearchedText(into: &bytes)
    let way = matcher.searches(node, attribute.way) ? attribute.way : .notSearched
    let text = try MatchedText(bytes, way, matcher, wantsWords: true)
    let level = matcher.level(of: try text.queryWords(cancellation))
    let length = try snippets.length(of: attribute.path, cancellation)
    writer.beginObject()
    writer.key("value")
    writer.beginString()
    try write(text, length: length, to: &writer)
    writer.endString()
    writer.key("matchLevel")
    writer.string(level.rawValue)
    writer.endObject()
    return level != .none
  }

  func writeUnmatched(_ node: JSONNode, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("value")
    writer.text(of: node)
    writer.members(#""matchLevel":"none""#)
    writer.endObject()
  }

  /// Writes a part of a text of the given number of words.
  private func write(_ text: MatchedText, length: Int, to writer: inout JSONWriter) throws {
    let cancellation = matcher.cancellation
    let words = text.words
    guard words.count > length else {
      return try text.write(0..<text.bytes.count, tags, to: &writer, cancellation)
    }
    guard length > 0 else { return writer.text(tags.ellipsis) }
    let passage = try Self.passage(of: text, length: length, cancellation)
    let isCutBefore = passage.lowerBound > 0
    let isCutAfter =
      passage.upperBound < words.count || text.readLength < text.bytes.count
    let start = isCutBefore ? words[passage.lowerBound].lowerBound : 0
    let end = isCutAfter ? words[passage.upperBound - 1].upperBound : text.bytes.count
    if isCutBefore { writer.text(tags.ellipsis) }
    try text.write(start..<end, tags, to: &writer, cancellation)
    if isCutAfter { writer.text(tags.ellipsis) }
  }

  /// Returns the range of the snippet's words. The text has more than `length` words.
  private static func passage(
    of matched: MatchedText, length: Int, _ cancellation: CancellationCheck
  ) throws -> Range<Int> {
    let count = matched.words.count
    let marks = matched.marks
    guard !marks.isEmpty else { return 0..<length }
    let places = try markedWords(of: matched, cancellation)
    // A best range starts at a match. This slides a window over the matches and counts the query
    // words in it.
    let (lists, numbers) = try matched.queryWordLists(cancellation)
    var listsInSight = [Int](repeating: 0, count: lists.count)
    var inSight = [Int](repeating: 0, count: 1 + (lists.lazy.flatMap(\.self).max() ?? 0))
    var distinctCount = 0
    var last = 0
    var best = 0..<0
    var bestDistinct = 0
    for first in marks.indices {
      try cancellation.count()
      while last < marks.count, places[last] < places[first] + length {
        let list = numbers[last]
        listsInSight[list] += 1
        if listsInSight[list] == 1 {
          try cancellation.count(lists[list].count)
          for queryWord in lists[list] {
            if inSight[queryWord] == 0 { distinctCount += 1 }
            inSight[queryWord] += 1
          }
        }
        last += 1
      }
      if distinctCount > bestDistinct {
        bestDistinct = distinctCount
        best = places[first]..<places[last - 1] + 1
      }
      let list = numbers[first]
      listsInSight[list] -= 1
      if listsInSight[list] == 0 {
        for queryWord in lists[list] {
          inSight[queryWord] -= 1
          if inSight[queryWord] == 0 { distinctCount -= 1 }
        }
      }
    }
    let start = best.lowerBound - (length - best.count) / 2
    let clamped = min(max(start, 0), count - length)
    return clamped..<clamped + length
  }

  /// Returns the index of each mark's word.
  private static func markedWords(
    of matched: MatchedText, _ cancellation: CancellationCheck
  ) throws -> [Int] {
    var word = 0
    return try matched.marks.map { mark in
      try cancellation.count()
      while word + 1 < matched.words.count,
        matched.words[word].upperBound <= mark.range.lowerBound
      { word += 1 }
      return word
    }
  }
}
