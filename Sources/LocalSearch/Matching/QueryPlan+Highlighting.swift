/// How a word of a record matches a word of the query.
package struct TokenMatch: Sendable, Hashable {
  /// The query word, a number among ``QueryPlan/words``.
  package let wordIndex: Int
  /// The cost in typos.
  package let typos: Int
  /// How many characters (Unicode scalars) of the record's normalised word match: all, or its beginning.
  package let matchedCharacters: Int

  /// Creates a match.
  package init(wordIndex: Int, typos: Int, matchedCharacters: Int) {
    self.wordIndex = wordIndex
    self.typos = typos
    self.matchedCharacters = matchedCharacters
  }
}

extension QueryPlan {
  /// Returns which query words a word of a record matches, as highlights show them.
  ///
  /// Words of a phrase match wherever they stand. Split and joined words match too, at the cost of one typo; which
  /// splits are meant is known to the plan that came out of
  /// ``execute(on:allowed:checkCancellation:)``.
  ///
  /// - Parameters:
  ///   - word: The normalised word.
  ///   - attribute: The path of its attribute, for settings that turn typos or prefixes off there.
  package func matches(ofToken word: String, attribute: String? = nil) -> [TokenMatch] {
    let allowsTypos = !covers(options.typoFreeAttributes, attribute)
    let allowsPrefixes = !covers(options.prefixFreeAttributes, attribute)
    let scalars = word.unicodeScalars.map(\.value)
    var matches: [TokenMatch] = []
    func add(_ index: Int, _ match: WordComparison.Match, cost: Int = 0) {
      let new = TokenMatch(
        wordIndex: index, typos: match.typos + cost, matchedCharacters: match.length)
      if let known = matches.firstIndex(where: { $0.wordIndex == index }) {
        if new.typos < matches[known].typos { matches[known] = new }
      } else {
        matches.append(new)
      }
    }
    for (index, queryWord) in words.enumerated() {
      if let match = WordComparison.match(
        queryWord.scalars, allowance: allowsTypos ? queryWord.maximumTypos : 0,
        matchesBeginnings: queryWord.allowsPrefix && allowsPrefixes, with: scalars)
      {
        add(index, match)
      }
      if allowsTypos, let part = queryWord.longPart, queryWord.allowsSplitting,
        let match = WordComparison.match(
          part.unicodeScalars.map(\.value), allowance: 0,
          matchesBeginnings: queryWord.allowsPrefix && allowsPrefixes, with: scalars)
      {
        add(index, match, cost: 1)
      }
    }
    guard allowsTypos else { return matches }
    for split in splits where split.sequence.words.contains(word) {
      add(split.word, WordComparison.Match(typos: 1, length: scalars.count))
    }
    for concatenation in concatenations {
      guard
        let match = WordComparison.match(
          concatenation.word.unicodeScalars.map(\.value), allowance: 0,
          matchesBeginnings: concatenation.allowsPrefix && allowsPrefixes, with: scalars)
      else { continue }
      for index in concatenation.range { add(index, match, cost: 1) }
    }
    return matches
  }

  private func covers(_ paths: [String], _ attribute: String?) -> Bool {
    guard let attribute else { return false }
    return paths.contains { SearchableAttributes.covers($0, attribute) }
  }
}
