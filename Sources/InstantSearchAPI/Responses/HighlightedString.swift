package import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Text with highlighted parts, such as the words that matched a query.
///
/// It stores the server's text with its tags (``raw``) and parses it on demand: ``text`` is the
/// text without tags, ``ranges`` are the highlighted parts, and ``segments`` are both in the order
/// of the text.
///
/// ```swift
/// let title = HighlightedString("Woodstock is <em>Snoopy</em>'s friend")
/// title.text                       // Woodstock is Snoopy's friend
/// title.ranges.map { title.text[$0] }   // ["Snoopy"]
/// ```
///
/// Only the two tags themselves are parsed, so `a < b` and other markup stay text. They are found
/// by Unicode scalar: a combining mark right after a tag does not hide it. Nested and adjacent
/// highlights are merged. A tag without its counterpart is removed and highlights nothing.
///
/// The encoded form is ``raw`` alone, the text that the server sent. Tags other than `<em>` and
/// `</em>` are not part of it: a decoded text has the standard tags until `init(_:tags:)` sets
/// others.
///
/// Each access parses the text in linear time, so store the result of ``segments`` rather than
/// reading it twice.
public struct HighlightedString: Sendable, Hashable {
  /// The pair of tags around each highlighted part.
  public struct Tags: Sendable, Hashable {
    /// Two tags, shared by all texts of a page. Standard tags are not stored.
    private final class Pair: Sendable {
      let pre: String
      let post: String

      init(_ pre: String, _ post: String) {
        self.pre = pre
        self.post = post
      }
    }

    private var pair: Pair?

    /// The tag before a highlighted part.
    public var pre: String {
      get { pair?.pre ?? "<em>" }
      set { self = Tags(pre: newValue, post: post) }
    }

    /// The tag after a highlighted part.
    public var post: String {
      get { pair?.post ?? "</em>" }
      set { self = Tags(pre: pre, post: newValue) }
    }

    /// Creates a pair of tags. An empty tag is never found.
    public init(pre: String = "<em>", post: String = "</em>") {
      pair = pre == "<em>" && post == "</em>" ? nil : Pair(pre, post)
    }

    /// `<em>` and `</em>`, the tags of a query that sets none.
    public static let standard = Tags()

    /// Whether both tags are equal.
    public static func == (left: Tags, right: Tags) -> Bool {
      left.pair === right.pair || (left.pre == right.pre && left.post == right.post)
    }

    /// Hashes both tags.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(pre)
      hasher.combine(post)
    }
  }

  /// A part of the text that is highlighted as a whole, or not at all.
  public struct Segment: Sendable, Hashable {
    /// The text, without tags.
    public var text: String
    /// Whether the text is highlighted.
    public var isHighlighted: Bool

    /// Creates a segment.
    public init(text: String, isHighlighted: Bool) {
      self.text = text
      self.isHighlighted = isHighlighted
    }
  }

  /// The text with its tags, as the server sent it. Nothing in it is escaped.
  public var raw: String
  /// The tags of the highlighted parts.
  public var tags: Tags

  /// Creates a text from its tagged form.
  public init(_ raw: String, tags: Tags = .standard) {
    self.raw = raw
    self.tags = tags
  }

  /// Creates a text from its tagged form, with custom tags.
  public init(_ raw: String, preTag: String, postTag: String) {
    self.init(raw, tags: Tags(pre: preTag, post: postTag))
  }

  /// Creates a text from segments. Tags in their text are not escaped.
  public init(_ segments: some Sequence<Segment>, tags: Tags = .standard) {
    var raw = ""
    for segment in segments where !segment.text.isEmpty {
      raw += segment.isHighlighted ? tags.pre + segment.text + tags.post : segment.text
    }
    self.init(raw, tags: tags)
  }

  /// The text without tags.
  public var text: String { TaggedText(self).text }

  /// The highlighted ranges of ``text``, in order, not empty and not adjacent.
  public var ranges: [Range<String.Index>] { TaggedText(self).ranges }

  /// The ranges of ``text`` between the highlighted ones.
  ///
  /// A text without highlights has one such range, the whole text, even if it is empty.
  public var plainRanges: [Range<String.Index>] {
    TaggedText(self).parts.filter { !$0.isHighlighted }.map(\.range)
  }

  /// The highlighted and plain segments in order, which together are ``text``.
  ///
  /// An empty text has one empty plain segment. Otherwise no segment is empty.
  public var segments: [Segment] {
    let tagged = TaggedText(self)
    return tagged.parts.map {
      Segment(text: String(tagged.text[$0.range]), isHighlighted: $0.isHighlighted)
    }
  }

  /// Whether any part is highlighted.
  public var isHighlighted: Bool { !ranges.isEmpty }

  /// The same text with inverted highlights: plain parts are highlighted, and highlighted parts
  /// plain.
  ///
  /// Query suggestions use it to emphasize what the user has not typed yet. A text without
  /// highlights becomes highlighted as a whole.
  public var inverted: HighlightedString {
    HighlightedString(
      segments.map { Segment(text: $0.text, isHighlighted: !$0.isHighlighted) }, tags: tags)
  }

  /// Returns the text with other tags, such as a terminal's escape sequences.
  ///
  /// Nothing is escaped: text of a record, such as `<script>`, is unchanged. For a web page use
  /// ``html(pre:post:)``.
  public func tagged(pre: String, post: String) -> String {
    HighlightedString(segments, tags: Tags(pre: pre, post: post)).raw
  }
}

extension HighlightedString: ExpressibleByStringLiteral {
  /// Creates a text from its form with the standard tags.
  public init(stringLiteral value: String) { self.init(value) }
}

extension HighlightedString: CustomStringConvertible {
  /// The text without tags.
  public var description: String { text }
}

extension HighlightedString: Codable {
  /// Reads the tagged text, with the standard tags.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the tagged text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

extension HighlightedString: JSONNodeDecodable, JSONWritable {
  /// Reads the tagged text, with the standard tags.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard let raw = node.string else { throw node.mismatch(String.self) }
    self.init(raw)
  }

  /// Writes the tagged text.
  package func write(to writer: inout JSONWriter) { writer.string(raw) }
}

/// A parsed text: the text without tags and the highlighted ranges.
struct TaggedText {
  /// The text without tags.
  let text: String
  /// The highlighted ranges of the text, in order, not empty and not adjacent.
  let ranges: [Range<String.Index>]

  /// Parses the tags from left to right.
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
      // Of two tags at one offset the longer one counts. If both tags are equal, every second one
      // closes.
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

  /// The highlighted and plain ranges in the order of the text.
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

  /// Returns the ranges in order, without empty ones and with overlapping or adjacent ones merged.
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

extension AttributedString {
  /// Creates a text whose highlighted parts have attributes, and the other parts none.
  ///
  /// ```swift
  /// Text(AttributedString(title, marking: AttributeContainer().font(.headline)))
  /// ```
  public init(_ highlighted: HighlightedString, marking attributes: AttributeContainer) {
    self.init()
    for segment in highlighted.segments {
      append(
        AttributedString(
          segment.text, attributes: segment.isHighlighted ? attributes : AttributeContainer()))
    }
  }
}

extension HighlightedString {
  /// Returns the text as escaped HTML, with each highlighted part between two tags.
  ///
  /// ```swift
  /// hit.highlighted("title")?.html()  // Tom &amp; <em>Jerry</em>
  /// hit.highlighted("title")?.html(pre: "<mark class=\"match\">", post: "</mark>")
  /// ```
  ///
  /// In the text of the record `&`, `<`, `>` and both quotes are escaped, so nothing in it is
  /// parsed as HTML. For an attribute's value, escape ``text`` with ``escapingHTML(_:)``. If a
  /// record's text contains the highlight tags themselves, it has one highlight too many, and no
  /// other effect. To avoid that, a query can set tags that occur in no record, with
  /// `highlightPreTag` and `highlightPostTag`.
  ///
  /// - Parameters:
  ///   - pre: The HTML before each highlighted part, which is not escaped. Defaults to `<em>`.
  ///   - post: The HTML after each highlighted part, which is not escaped. Defaults to `</em>`.
  public func html(pre: String = "<em>", post: String = "</em>") -> String {
    HighlightedString(
      segments.map { segment in
        Segment(text: Self.escapingHTML(segment.text), isHighlighted: segment.isHighlighted)
      }, tags: Tags(pre: pre, post: post)
    ).raw
  }

  /// Escapes text for HTML, between tags or in a quoted attribute value.
  ///
  /// ```swift
  /// "<a title=\"\(HighlightedString.escapingHTML(hit.title))\">"
  /// ```
  ///
  /// `&`, `<`, `>`, `"` and `'` become `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&#39;`.
  public static func escapingHTML(_ text: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      case UInt8(ascii: "'"): escaped += "&#39;".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
