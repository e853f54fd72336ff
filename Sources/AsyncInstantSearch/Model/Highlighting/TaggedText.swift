/// A tagged text after its tags have been found: the text without them and the marked ranges.
struct TaggedText {
  /// The text without tags.
  let text: String
  /// The marked ranges of the text: in order, none empty, none touching the next.
  let ranges: [Range<String.Index>]

  /// Finds the tags from left to right.
  ///
  /// Each closing tag ends the nearest open one. Tags are compared by UTF-8 byte, which for valid
  /// text is the same as by Unicode scalar.
  init(_ string: HighlightedString) {
    let raw = Array(string.raw.utf8)
    let pre = Array(string.tags.pre.utf8)
    let post = Array(string.tags.post.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var open: [Int] = []
    var marked: [Range<Int>] = []

    var position = 0
    while position < raw.count {
      let isPre = Self.tag(pre, isIn: raw, at: position)
      let isPost = Self.tag(post, isIn: raw, at: position)
      // Of two tags at one place the longer counts; of two equal tags every second one closes.
      let closes = isPost && (!isPre || post.count > pre.count || pre == post && !open.isEmpty)
      if closes {
        if let start = open.popLast() { marked.append(start..<bytes.count) }
        position += post.count
      } else if isPre {
        open.append(bytes.count)
        position += pre.count
      } else {
        bytes.append(raw[position])
        position += 1
      }
    }

    let text = String(decoding: bytes, as: UTF8.self)
    self.text = text
    ranges = Self.merged(marked).map { range in
      text.utf8.index(
        text.startIndex, offsetBy: range.lowerBound)..<text.utf8.index(
          text.startIndex, offsetBy: range.upperBound)
    }
  }

  /// The marked and the plain ranges in the order of the text.
  var parts: [(range: Range<String.Index>, isHighlighted: Bool)] {
    var parts: [(range: Range<String.Index>, isHighlighted: Bool)] = []
    var end = text.startIndex
    for range in ranges {
      if end < range.lowerBound { parts.append((end..<range.lowerBound, false)) }
      parts.append((range, true))
      end = range.upperBound
    }
    if end < text.endIndex || parts.isEmpty { parts.append((end..<text.endIndex, false)) }
    return parts
  }

  private static func tag(_ tag: [UInt8], isIn raw: [UInt8], at position: Int) -> Bool {
    guard let first = tag.first, raw[position] == first, raw.count - position >= tag.count else {
      return false
    }
    for offset in tag.indices.dropFirst() where raw[position + offset] != tag[offset] {
      return false
    }
    return true
  }

  /// The ranges in order, with empty ones left out and overlapping or touching ones joined.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
