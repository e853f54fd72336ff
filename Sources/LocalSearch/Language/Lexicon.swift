/// The words that a search treats specially: the synonyms of its index, and the dictionaries of its
/// engine.
struct Lexicon: Sendable {
  var synonyms = SynonymTable.empty
  var dictionaries = Dictionaries.standard
  /// Finds the words of scripts without spaces.
  var segmenter: (any WordSegmenter)?
}
