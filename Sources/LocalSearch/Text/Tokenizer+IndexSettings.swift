extension Tokenizer {
  /// Creates the tokeniser of an index; records and queries go through the same one.
  package init(settings: IndexSettings) {
    self.init(
      separatorsToIndex: settings.separatorsToIndex,
      keepDiacriticsOnCharacters: settings.keepDiacriticsOnCharacters)
  }
}
