public import InstantSearchAPI

/// Finds the words of a text in a script without spaces, such as Japanese, Chinese or Thai.
///
/// Use one where the engine's own way is not enough: without it, such texts are found by pairs of
/// neighboring characters, so that `京都` finds `東京都` too. A segmenter is used for records and
/// for queries alike. To use another one with an index, write its records again.
///
/// ```swift
/// struct Segmenter: WordSegmenter {
///   func words(in text: String, language: Language?) -> [Range<String.Index>] {
///     analyzer.tokens(of: text).map(\.range)
///   }
/// }
/// let engine = LocalSearch(configuration: .init(segmenter: Segmenter()))
/// ```
public protocol WordSegmenter: Sendable {
  /// Returns the ranges of the words, in order and without overlap. Characters outside of them are
  /// not searched.
  ///
  /// It must return the same for equal arguments, and it is called on the threads of the engine.
  ///
  /// - Parameters:
  ///   - text: A run of characters without spaces and punctuation.
  ///   - language: The first of the query's `queryLanguages`, or else of the setting
  ///     `indexLanguages`; `nil` without both.
  func words(in text: String, language: Language?) -> [Range<String.Index>]
}
