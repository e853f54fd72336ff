extension HighlightedString {
  /// The text as HTML: escaped, and each marked part between two tags.
  ///
  /// ```swift
  /// hit.highlighted("title")?.html()  // Tom &amp; <em>Jerry</em>
  /// hit.highlighted("title")?.html(pre: "<mark class=\"match\">", post: "</mark>")
  /// ```
  ///
  /// Of a record's text `&`, `<`, `>` and both quotes are escaped, so that nothing in it is read as
  /// HTML; for an attribute's value escape ``text`` with ``escapingHTML(_:)``. A record whose text
  /// contains the very tags that mark a match shows a mark too many, and nothing else; a query can
  /// name tags that no record has with `highlightPreTag` and `highlightPostTag`.
  ///
  /// - Parameters:
  ///   - pre: The HTML before each marked part; it is not escaped.
  ///   - post: The HTML after each marked part; it is not escaped.
  public func html(pre: String = "<em>", post: String = "</em>") -> String {
    HighlightedString(
      segments.map { segment in
        Segment(text: Self.escapingHTML(segment.text), isHighlighted: segment.isHighlighted)
      }, tags: Tags(pre: pre, post: post)
    ).raw
  }

  /// Text as it must be written in HTML: between tags, or in an attribute's value in quotes.
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
