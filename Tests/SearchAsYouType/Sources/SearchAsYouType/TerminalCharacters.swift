import Foundation

/// The characters that a terminal shows.
enum TerminalCharacters {
  case unicode
  case ascii

  /// The one of the user's locale. A system without a locale is taken for one with Unicode.
  static let current = TerminalCharacters(ProcessInfo.processInfo.environment)

  init(_ environment: [String: String]) {
    // Source: POSIX, Environment Variables, 8.2.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    self = ["C", "POSIX"].contains(locale) ? .ascii : .unicode
  }

  /// The text in these characters and in as many cells. What has no similar letter becomes `?`.
  func encode(_ text: String) -> String {
    if self == .unicode || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else if let symbol = Self.symbols[character] {
        result.append(symbol)
      } else {
        let letter = String(character).folding(options: .diacriticInsensitive, locale: nil)
        let isSimilar = letter.utf8.allSatisfy { $0 < 0x80 } && letter.count == character.cellWidth
        result += isSimilar ? letter : String(repeating: "?", count: character.cellWidth)
      }
    }
  }

  private static let symbols: [Character: Character] = [
    "…": ".", "│": "|", "–": "-", "—": "-", "·": "-", "›": ">", "‘": "'", "’": "'", "“": "\"",
    "”": "\"", "↑": "^", "↓": "v", "←": "<", "→": ">",
  ]
}
