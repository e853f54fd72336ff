import InstantSearchAPI

/// The settings that determine the words of a text.
package struct TextForm: Sendable, Hashable {
  package let separatorsToIndex: String
  package let keepDiacriticsOnCharacters: String
  /// The texts that replace characters, by character.
  var customNormalization: [String: String] = [:]
  var placeholders: [Placeholder] = []
  /// The language of runs in scripts without spaces, if there is a segmenter.
  var language: Language?
}

/// A token of records in angle brackets, such as `<street number>`. The words of a synonym find it.
struct Placeholder: Sendable, Hashable {
  /// The text as it is in records, with its brackets.
  let text: String

  /// The maximum length of a placeholder, in bytes.
  static let maximumLength = 100

  /// Reads a placeholder, or returns `nil` for a text that is none.
  init?(_ text: String) {
    let inner = text.dropFirst().dropLast()
    guard text.hasPrefix("<"), text.hasSuffix(">"), !inner.isEmpty,
      text.utf8.count <= Self.maximumLength, !inner.contains(where: { $0 == "<" || $0 == ">" })
    else { return nil }
    self.text = text
  }
}
