/// A word of a text.
package struct Token: Sendable, Hashable {
  /// The normalised word.
  package let word: String
  /// Where the word stands in the original text, in UTF-8 bytes.
  package let range: Range<Int>
  /// The number of the word in its text, from 0; a joined word has the number of its first part.
  package let position: Int
}
