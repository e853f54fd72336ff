/// Converts keys between `camelCase` and `snake_case`, with the rules of Foundation's coders.
enum SnakeCase {
  /// Converts `first_name` to `firstName`. Underscores at the ends and single words are unchanged.
  static func camelCase(_ key: String) -> String {
    guard key.utf8.contains(UInt8(ascii: "_")), let first = key.firstIndex(where: { $0 != "_" }),
      let last = key.lastIndex(where: { $0 != "_" })
    else { return key }
    let words = key[first...last].split(separator: "_")
    guard words.count > 1 else { return key }
    var result = String(key[..<first])
    result += words[0].lowercased()
    for word in words.dropFirst() { result += capitalized(word) }
    result += key[key.index(after: last)...]
    return result
  }

  /// Converts `myURLProperty` to `my_url_property`.
  static func snakeCase(_ key: String) -> String {
    let characters = Array(key)
    guard characters.count > 1 else { return key.lowercased() }
    var words: [ArraySlice<Character>] = []
    var wordStart = 0
    var search = 1
    while let upper = characters[search...].firstIndex(where: isUppercaseLetter) {
      words.append(characters[wordStart..<upper])
      wordStart = upper
      guard let lower = characters[upper...].firstIndex(where: isLowercaseLetter) else {
        search = characters.count
        break
      }
      if lower > upper + 1 {
        // After several capitals, the last one before a lowercase letter starts the next word.
        words.append(characters[upper..<lower - 1])
        wordStart = lower - 1
      }
      search = lower + 1
    }
    words.append(characters[wordStart...])
    return words.map { String($0).lowercased() }.joined(separator: "_")
  }

  /// Each run of letters with its first letter in title case and the others in lower case.
  private static func capitalized(_ word: Substring) -> String {
    var result = ""
    var followsLetter = false
    for scalar in word.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter:
        result += followsLetter ? scalar.properties.lowercaseMapping : String(scalar)
        followsLetter = true
      case .lowercaseLetter:
        result += followsLetter ? String(scalar) : scalar.properties.titlecaseMapping
        followsLetter = true
      default:
        result.unicodeScalars.append(scalar)
        if !isIgnorable(scalar) { followsLetter = false }
      }
    }
    return result
  }

  /// Whether a scalar does not end a word, such as an apostrophe or an accent.
  private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "^", "`", "\u{AD}", "\u{2019}": true
    default: !scalar.isASCII && scalar.properties.isCaseIgnorable
    }
  }

  private static func isUppercaseLetter(_ character: Character) -> Bool {
    character.unicodeScalars.contains {
      $0.properties.generalCategory == .uppercaseLetter
        || $0.properties.generalCategory == .titlecaseLetter
    }
  }

  private static func isLowercaseLetter(_ character: Character) -> Bool {
    character.unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter }
  }
}
