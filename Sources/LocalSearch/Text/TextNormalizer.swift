/// Puts text into the form in which words are compared: lower case, without diacritics.
package struct TextNormalizer: Sendable {
  /// The characters that keep their diacritics, with their lower-case UTF-8 form.
  ///
  /// `Character` compares by canonical equivalence, so decomposed text finds its precomposed entry.
  private let kept: [Character: [UInt8]]

  /// Creates a normaliser.
  ///
  /// - Parameter keepingDiacriticsOn: Characters not to be folded; each one in both cases.
  package init(keepingDiacriticsOn characters: String = "") {
    var kept: [Character: [UInt8]] = [:]
    for character in characters where !character.isASCII && !character.isWhitespace {
      let lower = character.lowercased()
      if lower.count == 1, let key = lower.first { kept[key] = Array(lower.utf8) }
    }
    self.kept = kept
  }

  /// Whether some characters are not folded, in which case ``appendKept(_:to:)`` must be asked
  /// first.
  package var keepsSomeCharacters: Bool { !kept.isEmpty }

  /// Appends the folded form of `scalar` as UTF-8 and returns how many characters that made.
  @inline(__always)
  package func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) -> Int {
    switch FoldingTable.fold(scalar) {
    case .scalar(let folded):
      Self.appendUTF8(folded, to: &output)
      return 1
    case .letters(let letters):
      let text = letters.description
      output.append(contentsOf: text.utf8)
      return text.utf8.count
    case .dropped:
      return 0
    }
  }

  /// Appends a letter and the marks that follow it unfolded, if it is among the kept characters.
  package func appendKept(_ cluster: String, to output: inout [UInt8]) -> Bool {
    let lower = cluster.lowercased()
    guard let character = lower.first, lower.count == 1, let bytes = kept[character] else {
      return false
    }
    output.append(contentsOf: bytes)
    return true
  }

  /// Returns the normalised form of a whole text, separators included.
  package func normalized(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    if keepsSomeCharacters {
      for character in text where !appendKept(String(character), to: &output) {
        for scalar in character.unicodeScalars { _ = append(scalar, to: &output) }
      }
    } else {
      for scalar in text.unicodeScalars { _ = append(scalar, to: &output) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendUTF8(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    if scalar.isASCII {
      output.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      output.append(contentsOf: UTF8.encode(scalar) ?? .init(repeating: 0x3F, count: 1))
    }
  }
}
