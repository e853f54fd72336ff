/// What determines the contents of an index's segments, in addition to its records: the settings, and
/// the placeholders of the synonyms.
struct IndexForm: Sendable {
  let settings: IndexSettings
  /// The placeholders, sorted.
  let placeholders: [Placeholder]

  init(_ settings: IndexSettings, placeholders: [Placeholder] = []) {
    self.settings = settings
    self.placeholders = placeholders
  }

  /// The tokenizer of records.
  var tokenizer: Tokenizer { Tokenizer(settings: settings, placeholders: placeholders) }

  /// Whether segments of another form can be kept.
  func hasSameIndexing(as other: IndexForm) -> Bool {
    placeholders == other.placeholders && settings.hasSameIndexing(as: other.settings)
  }
}
