/// What determines the contents of an index's segments, in addition to its records: the settings,
/// and the placeholders of the synonyms.
struct IndexForm: Sendable {
  let settings: IndexSettings
  /// The placeholders, sorted.
  let placeholders: [Placeholder]
  /// Finds the words of scripts without spaces. It is the same for all indices of an engine.
  let segmenter: (any WordSegmenter)?

  init(
    _ settings: IndexSettings, placeholders: [Placeholder] = [],
    segmenter: (any WordSegmenter)? = nil
  ) {
    self.settings = settings
    self.placeholders = placeholders
    self.segmenter = segmenter
  }

  /// The tokenizer of records.
  var tokenizer: Tokenizer {
    Tokenizer(settings: settings, placeholders: placeholders, segmenter: segmenter)
  }

  /// Whether segments of another form can be kept.
  func hasSameIndexing(as other: IndexForm) -> Bool {
    placeholders == other.placeholders && settings.hasSameIndexing(as: other.settings)
  }
}
