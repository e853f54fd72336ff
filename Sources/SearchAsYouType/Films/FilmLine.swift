import AsyncInstantSearch

extension StyledText {
  /// A film as one line: its title, why it was found if not by its title, and facts. Matches are
  /// bold.
  init(_ hit: Hit<Film>) {
    self.init()
    append(hit.highlighted("title"), else: hit.title)
    append(" (\(hit.year))")
    for part in [Self.reason(hit), Self.directors(of: hit)].compactMap(\.self) {
      append(" · ", .dim)
      append(part)
    }
    append(" · \(hit.country) · \(hit.genres.joined(separator: ", "))", .dim)
  }

  /// The match among the cast, or else in the plot if nothing that is shown anyway matches.
  private static func reason(_ hit: Hit<Film>) -> StyledText? {
    var text = StyledText()
    if let name = hit.highlighted("cast"), name.isHighlighted {
      text.append("with ", .dim)
      text.append(name, else: "")
      return text
    }
    let isShown = ["title", "directors"].contains { hit.highlighted($0)?.isHighlighted == true }
    guard !isShown, let plot = hit.snippeted("plot"), plot.isHighlighted else { return nil }
    text.append(plot, else: "")
    return text
  }

  private static func directors(of hit: Hit<Film>) -> StyledText? {
    var text = StyledText()
    for (index, name) in hit.directors.enumerated() {
      if index > 0 { text.append(", ") }
      text.append(hit.highlighted("directors.\(index)"), else: name)
    }
    return text.width > 0 ? text : nil
  }

  private mutating func append(_ highlighted: HighlightedString?, else text: String) {
    guard let highlighted else { return append(text) }
    for segment in highlighted.segments {
      append(segment.text, segment.isHighlighted ? .bold : [])
    }
  }
}
