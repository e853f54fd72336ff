/// How text looks in a terminal.
struct Style: OptionSet, Hashable {
  let rawValue: UInt8

  static let bold = Style(rawValue: 1)
  static let dim = Style(rawValue: 2)
  static let underlined = Style(rawValue: 4)
  static let inverse = Style(rawValue: 8)
  static let red = Style(rawValue: 16)

  /// The escape sequence that begins the style; empty for plain text.
  var escapeSequence: String {
    let codes: [(style: Style, code: String)] = [
      (.bold, "1"), (.dim, "2"), (.underlined, "4"), (.inverse, "7"), (.red, "31"),
    ]
    let parameters = codes.filter { contains($0.style) }.map(\.code)
    return parameters.isEmpty ? "" : "\u{1B}[\(parameters.joined(separator: ";"))m"
  }
}

/// One line of text with styles, measured in terminal cells. It has no control characters.
struct StyledText: Hashable {
  /// Text of one style.
  struct Run: Hashable {
    let text: String
    var style: Style
  }

  private(set) var runs: [Run] = []
  /// The number of cells.
  private(set) var width = 0

  init() {}

  init(_ text: String, _ style: Style = []) {
    append(text, style)
  }

  /// The text without styles.
  var plain: String { runs.map(\.text).joined() }

  /// The text with escape sequences.
  var escaped: String {
    runs.reduce(into: "") { text, run in
      let style = run.style.escapeSequence
      text += style.isEmpty ? run.text : style + run.text + "\u{1B}[0m"
    }
  }

  mutating func append(_ text: String, _ style: Style = []) {
    let text = text.printable
    guard !text.isEmpty else { return }
    width += text.cellWidth
    runs.append(Run(text: text, style: style))
  }

  mutating func append(_ text: StyledText) {
    runs += text.runs
    width += text.width
  }

  /// The text with a style added to each run.
  func adding(_ style: Style) -> StyledText {
    var text = self
    for index in text.runs.indices { text.runs[index].style.formUnion(style) }
    return text
  }

  /// The text in at most `width` cells: cut between characters, with an ellipsis if it is cut.
  func cut(to width: Int) -> StyledText {
    if self.width <= width { return self }
    var text = StyledText()
    for run in runs {
      var fitting = ""
      var used = text.width
      for character in run.text {
        used += character.cellWidth
        // The last cell is for the ellipsis.
        guard used < width else {
          text.append(fitting, run.style)
          if width > 0 { text.append("…", run.style) }
          return text
        }
        fitting.append(character)
      }
      text.append(fitting, run.style)
    }
    return text
  }

  /// The text in exactly `width` cells: cut, or filled with spaces.
  func filled(to width: Int, _ style: Style = []) -> StyledText {
    var text = cut(to: width)
    text.append(String(repeating: " ", count: max(0, width - text.width)), style)
    return text
  }
}

extension Sequence<StyledText> {
  /// The texts one after the other.
  func joined(separator: String) -> StyledText {
    reduce(into: StyledText()) { text, part in
      if text.width > 0 { text.append(separator) }
      text.append(part)
    }
  }
}
