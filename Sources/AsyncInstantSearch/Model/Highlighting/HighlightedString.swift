/// Text in which some parts are marked, such as the words that matched a query.
///
/// It is kept as it came, with its tags (``raw``), and read on demand: ``text`` is the text without
/// tags, ``ranges`` the marked parts, ``segments`` both in the order of the text.
///
/// ```swift
/// let title = HighlightedString("Woodstock is <em>Snoopy</em>'s friend")
/// title.text                       // Woodstock is Snoopy's friend
/// title.ranges.map { title.text[$0] }   // ["Snoopy"]
/// ```
///
/// Only the two tags themselves are looked for, so `a < b` and other markup stay text. They are
/// found by Unicode scalar: a combining mark right after a tag does not hide it. Nested and
/// touching marks become one; a tag without its partner is removed and marks nothing.
///
/// It is saved as ``raw`` alone, the text that the server sent. Tags other than `<em>` and `</em>`
/// are not part of the saved form: a text read from it has the standard ones until it is given its
/// own again with `init(_:tags:)`.
///
/// Reading takes time linear in the length of the text each time, so keep the result of
/// ``segments`` rather than asking twice.
public struct HighlightedString: Sendable, Hashable {
  /// The pair of tags around each marked part.
  public struct Tags: Sendable, Hashable {
    /// Two tags, shared by all texts of a page; texts with the standard ones have none to share.
    private final class Pair: Sendable {
      let pre: String
      let post: String

      init(_ pre: String, _ post: String) {
        self.pre = pre
        self.post = post
      }
    }

    private var pair: Pair?

    /// The tag before a marked part.
    public var pre: String {
      get { pair?.pre ?? "<em>" }
      set { self = Tags(pre: newValue, post: post) }
    }

    /// The tag after a marked part.
    public var post: String {
      get { pair?.post ?? "</em>" }
      set { self = Tags(pre: pre, post: newValue) }
    }

    /// Creates a pair of tags; an empty tag is never found.
    public init(pre: String = "<em>", post: String = "</em>") {
      pair = pre == "<em>" && post == "</em>" ? nil : Pair(pre, post)
    }

    /// `<em>` and `</em>`, the tags of a query that names none.
    public static let standard = Tags()

    /// Whether both tags are the same.
    public static func == (left: Tags, right: Tags) -> Bool {
      left.pair === right.pair || (left.pre == right.pre && left.post == right.post)
    }

    /// Hashes both tags.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(pre)
      hasher.combine(post)
    }
  }

  /// A stretch of text that is marked from end to end, or not at all.
  public struct Segment: Sendable, Hashable {
    /// The text, without tags.
    public var text: String
    /// Whether the text is marked.
    public var isHighlighted: Bool

    /// Creates a segment.
    public init(text: String, isHighlighted: Bool) {
      self.text = text
      self.isHighlighted = isHighlighted
    }
  }

  /// The text with its tags, as the server sent it; nothing in it is escaped.
  public var raw: String
  /// The tags that mark a part.
  public var tags: Tags

  /// Creates a text from its tagged form.
  public init(_ raw: String, tags: Tags = .standard) {
    self.raw = raw
    self.tags = tags
  }

  /// Creates a text from its tagged form, with tags of your own.
  public init(_ raw: String, preTag: String, postTag: String) {
    self.init(raw, tags: Tags(pre: preTag, post: postTag))
  }

  /// Creates a text from segments; tags contained in them are not escaped.
  public init(_ segments: some Sequence<Segment>, tags: Tags = .standard) {
    var raw = ""
    for segment in segments where !segment.text.isEmpty {
      raw += segment.isHighlighted ? tags.pre + segment.text + tags.post : segment.text
    }
    self.init(raw, tags: tags)
  }

  /// The text without tags.
  public var text: String { TaggedText(self).text }

  /// Where the marked parts are in ``text``: in order, none empty, none touching the next.
  public var ranges: [Range<String.Index>] { TaggedText(self).ranges }

  /// Where the parts between the marked ones are in ``text``.
  ///
  /// A text without a mark has one such part, the whole of it, even when it is empty.
  public var plainRanges: [Range<String.Index>] {
    TaggedText(self).parts.filter { !$0.isHighlighted }.map(\.range)
  }

  /// The text cut into marked and plain segments, in order; together they are ``text``.
  ///
  /// An empty text is one empty plain segment; otherwise no segment is empty.
  public var segments: [Segment] {
    let tagged = TaggedText(self)
    return tagged.parts.map {
      Segment(text: String(tagged.text[$0.range]), isHighlighted: $0.isHighlighted)
    }
  }

  /// Whether any part is marked.
  public var isHighlighted: Bool { !ranges.isEmpty }

  /// The same text with the marks exchanged: what was plain is marked, what was marked is plain.
  ///
  /// Used to stress what the user has not typed yet, as query suggestions do. A text in which
  /// nothing is marked becomes marked as a whole.
  public var inverted: HighlightedString {
    HighlightedString(
      segments.map { Segment(text: $0.text, isHighlighted: !$0.isHighlighted) }, tags: tags)
  }

  /// The text with other tags, for instance a terminal's escape sequences.
  ///
  /// Nothing is escaped: what a record says, such as `<script>`, comes as it is. For a web page use
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
