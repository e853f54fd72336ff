import InstantSearchAPI

extension Alternative {
  /// Returns the match with a word of a record, or `nil` if they don't match.
  ///
  /// A word of a split matches anywhere, at its cost. The words of a phrase are compared one by
  /// one by ``QueryPlan/matches(ofToken:attribute:_:)``.
  ///
  /// - Parameters:
  ///   - word: The characters of the record's word.
  ///   - allowsTypos: Whether typos match in the attribute.
  ///   - allowsPrefixes: Whether prefixes match in the attribute.
  ///   - decompounds: The languages whose compound words are found by their parts there.
  func match(
    _ word: [UInt32], allowsTypos: Bool, allowsPrefixes: Bool, decompounds: [Language]
  ) -> WordComparison.Match? {
    if isTypo, !allowsTypos { return nil }
    if let language, !decompounds.contains(language) { return nil }
    switch target {
    case .word:
      let match = WordComparison.match(
        scalars, maximumTypos: allowsTypos ? maximumTypos : 0,
        matchesPrefixes: allowsPrefix && (allowsPrefixes || isUnspaced), with: word)
      return match.map { WordComparison.Match(typos: $0.typos + cost, length: $0.length) }
    case .all(let words):
      guard words.contains(where: { $0.unicodeScalars.elementsEqual(word) { $0.value == $1 } })
      else { return nil }
      return WordComparison.Match(typos: cost, length: word.count)
    case .sequence(let sequence):
      guard kind == .split,
        sequence.words.contains(where: { $0.unicodeScalars.elementsEqual(word) { $0.value == $1 } })
      else { return nil }
      return WordComparison.Match(typos: cost, length: word.count)
    }
  }
}
