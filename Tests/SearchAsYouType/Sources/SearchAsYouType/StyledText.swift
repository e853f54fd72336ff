import Foundation

/// How text looks in a terminal.
struct Style: OptionSet, Hashable {
  let rawValue: UInt8

  static let bold = Style(rawValue: 1)
  static let dim = Style(rawValue: 2)
  static let underlined = Style(rawValue: 4)
  static let inverse = Style(rawValue: 8)
  static let red = Style(rawValue: 16)

  /// The style of what failed: red, unless the user wants no color.
  ///
  /// Source: no-color.org.
  static let failure: Style =
    ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true ? .red : .bold

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

extension StringProtocol {
  /// The number of terminal cells of the text.
  var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }
}

extension Character {
  /// The number of terminal cells of the character: two for East Asian wide characters and emoji,
  /// none for a control character.
  var cellWidth: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first, !first.isASCII || scalars.count > 1 else {
      return unicodeScalars.first?.cellWidth ?? 0
    }
    return isEmojiSequence ? 2 : scalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether a terminal shows the character as one picture, however many scalars it has.
  private var isEmojiSequence: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation
      || unicodeScalars.dropFirst().contains {
        $0 == Unicode.Scalar.emojiVariation || $0 == Unicode.Scalar.keycap
          || $0.properties.isEmojiModifier
      }
  }
}

extension Unicode.Scalar {
  fileprivate static let emojiVariation: Unicode.Scalar = "\u{FE0F}"
  fileprivate static let keycap: Unicode.Scalar = "\u{20E3}"

  /// The number of terminal cells of a single scalar.
  fileprivate var cellWidth: Int {
    if isASCII { return value < 0x20 || value == 0x7F ? 0 : 1 }
    switch properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator:
      return 0
    default: break
    }
    if Self.joinedJamo.contains(where: { $0.contains(value) }) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  /// Whether the scalar is wide or fullwidth, by binary search.
  private var isWide: Bool {
    var low = 0
    var high = Self.wide.count
    while low < high {
      let middle = (low + high) / 2
      if Self.wide[middle].contains(value) { return true }
      if Self.wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Vowels and final consonants that share the cells of a Hangul syllable's first consonant.
  private static let joinedJamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

  /// The wide and fullwidth scalars of Unicode 16 (EastAsianWidth.txt) that are not emoji, with the
  /// unassigned ones between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D1E,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F320, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}

extension String {
  /// The most scalars of a character that are written; a terminal cell stores few marks.
  private static let maximumScalarCount = 16

  /// The text without anything that moves the cursor or changes the terminal: a control character
  /// becomes a space, invisible formatting such as a change of direction is removed.
  var printable: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var text = ""
    for character in self {
      let scalars = character.unicodeScalars.prefix(Self.maximumScalarCount)
      if scalars.contains(where: \.isControl) {
        text.append(" ")
      } else {
        text.unicodeScalars.append(contentsOf: scalars.filter { !$0.isHiddenFormat })
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether the scalar is invisible formatting, except the joiners of scripts and of emoji.
  fileprivate var isHiddenFormat: Bool {
    switch value {
    case 0x200C, 0x200D, 0xE0020...0xE007F: false
    default: properties.generalCategory == .format
    }
  }
}
