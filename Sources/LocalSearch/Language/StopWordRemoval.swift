/// Removes stop words from the words of a query.
///
/// A stop word stays if it matches prefixes, if it is in a phrase, or if it belongs to a synonym of
/// several words. If nothing else is left, all stay.
struct StopWordRemoval {
  /// The words that stay, their phrases and synonyms.
  private(set) var words: [QueryWord] = []
  private(set) var phrases: [QueryPhrase] = []
  private(set) var synonyms: [SynonymTable.Match] = []
  /// The words that were removed.
  private(set) var removed: [QueryWord] = []

  init(
    of words: [QueryWord], phrases: [QueryPhrase], synonyms: [SynonymTable.Match],
    where isStopWord: (String) throws -> Bool
  ) rethrows {
    var isKept = words.map { $0.allowsPrefix || $0.phrase != nil }
    for match in synonyms where match.words.count > 1 {
      for word in match.words { isKept[word] = true }
    }
    for (index, word) in words.enumerated() where !isKept[index] {
      isKept[index] = try !isStopWord(word.word)
    }
    if !isKept.contains(true) { isKept = isKept.map { _ in true } }
    // The number of each word among the ones that stay.
    var numbers: [Int] = []
    for (word, isKept) in zip(words, isKept) {
      numbers.append(self.words.count)
      if isKept { self.words.append(word) } else { removed.append(word) }
    }
    func moved(_ range: Range<Int>) -> Range<Int> {
      numbers[range.lowerBound]..<numbers[range.upperBound - 1] + 1
    }
    self.phrases = phrases.map { QueryPhrase(range: moved($0.range), sequence: $0.sequence) }
    self.synonyms = synonyms.filter { isKept[$0.words.lowerBound] }.map {
      $0.at(moved($0.words))
    }
  }
}
