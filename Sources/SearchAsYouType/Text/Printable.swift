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
