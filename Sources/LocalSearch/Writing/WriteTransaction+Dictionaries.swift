extension WriteTransaction {
  /// The name in permits of writes to the dictionaries. No index has it.
  static let dictionariesPermit = ""

  /// Changes the dictionaries.
  mutating func apply(_ change: DictionaryEntries.Change) throws {
    try setDictionaries { try $0.applying(change, $1) }
    note(.dictionaries(change))
  }
}
