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
