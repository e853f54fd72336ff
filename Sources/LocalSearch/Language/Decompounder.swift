import InstantSearchAPI

/// Divides compound words into words of an index.
///
/// A part has at least four letters. Letters that link two parts, such as `s` in `Geburtstagskind`,
/// belong to neither. Of several divisions the one with the longest first part counts.
struct Decompounder {
  /// The minimum length of a part, in characters.
  static let minimumPartLength = 4
  /// The maximum length of a word that is divided, in characters.
  static let maximumLength = 60

  /// The languages whose words are divided, with the letters that link parts.
  private static let linkingLetters: [Language: [String]] = [
    .german: ["s", "es", "n", "en", "er"], .dutch: ["s", "es", "n", "en", "er"],
    .swedish: ["s"], .danish: ["s"], .norwegian: ["s"], .finnish: [],
  ]

  /// Whether words of a language are divided into words of the index.
  static func knows(_ language: Language) -> Bool { linkingLetters[language] != nil }

  private let links: [[UInt32]]
  private let isWord: ([UInt32]) throws -> Bool

  /// Creates a divider for a language, or returns `nil` for a language whose words are not divided.
  ///
  /// - Parameter isWord: Whether an index has a word.
  init?(_ language: Language, isWord: @escaping ([UInt32]) throws -> Bool) {
    guard let links = Self.linkingLetters[language] else { return nil }
    self.links = [[]] + links.map { $0.unicodeScalars.map(\.value) }
    self.isWord = isWord
  }

  /// Returns the parts of a word, at least two, or `nil` if it is no compound.
  func parts(of word: [UInt32]) throws -> [[UInt32]]? {
    guard word.count <= Self.maximumLength else { return nil }
    var failed: Set<Int> = []
    return try parts(of: word[...], isWhole: true, &failed)
  }

  /// Whether a text is a word of the index or consists of some.
  ///
  /// - Parameters:
  ///   - endsWithLink: Whether letters that link parts may follow the last one.
  ///   - beginsWithLink: Whether they may precede the first one.
  func isDivisible(
    _ text: ArraySlice<UInt32>, endsWithLink: Bool = false, beginsWithLink: Bool = false
  ) throws -> Bool {
    for link in links {
      if beginsWithLink, !text.starts(with: link) { continue }
      if endsWithLink, !text.reversed().starts(with: link.reversed()) { continue }
      let rest =
        beginsWithLink
        ? text.dropFirst(link.count) : endsWithLink ? text.dropLast(link.count) : text
      var failed: Set<Int> = []
      if try parts(of: rest, isWhole: false, &failed) != nil { return true }
      if !beginsWithLink, !endsWithLink { break }
    }
    return false
  }

  /// Returns the parts of a text.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the text is the whole word, which is no part of itself.
  ///   - failed: The starts that cannot be divided.
  private func parts(
    of text: ArraySlice<UInt32>, isWhole: Bool, _ failed: inout Set<Int>
  ) throws -> [[UInt32]]? {
    guard text.count >= Self.minimumPartLength, !failed.contains(text.startIndex) else {
      return nil
    }
    for length in stride(from: text.count, through: Self.minimumPartLength, by: -1) {
      if isWhole, length == text.count { continue }
      let part = Array(text.prefix(length))
      guard try isWord(part) else { continue }
      let rest = text.dropFirst(length)
      if rest.isEmpty { return [part] }
      for link in links where rest.starts(with: link) {
        if let others = try parts(of: rest.dropFirst(link.count), isWhole: false, &failed) {
          return [part] + others
        }
      }
    }
    failed.insert(text.startIndex)
    return nil
  }
}
