import AsyncInstantSearch

/// HTML that is safe to send: what is interpolated into it is escaped, unless it is HTML itself.
///
/// ```swift
/// let item: HTML = "<li>\(film.title)</li>"
/// ```
///
/// Attribute values must be quoted.
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
  var text: String

  init(_ text: String) { self.text = HighlightedString.escapingHTML(text) }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

  /// The parts of a text, with those marked that a search has matched.
  init(_ highlighted: HighlightedString) {
    text = highlighted.html(pre: "<mark>", post: "</mark>")
  }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    mutating func appendInterpolation(_ text: String) {
      self.text += HighlightedString.escapingHTML(text)
    }

    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
  }
}

extension Sequence {
  /// The HTML of all elements, one after the other.
  func html(_ transform: (Element) throws -> HTML) rethrows -> HTML {
    var all: HTML = ""
    for element in self { all.text += try transform(element).text }
    return all
  }
}
