/// How a word of a record compares with a query word, without any dictionary.
package enum WordComparison {
  /// A match.
  package struct Match: Hashable {
    /// The cost in typos.
    package let typos: Int
    /// How many characters of the record's word are covered: all of them, or the beginning that
    /// matched.
    package let length: Int

    /// Creates a match.
    package init(typos: Int, length: Int) {
      self.typos = typos
      self.length = length
    }
  }

  /// Returns the best match between a query word and a record's word, or `nil` when there is none.
  ///
  /// The whole word is preferred to its beginning at equal cost; of several beginnings at equal
  /// cost the one whose length is nearest to the query word's, then the longer one.
  package static func match(
    _ queryWord: [UInt32], allowance: Int, matchesBeginnings: Bool, with word: [UInt32]
  ) -> Match? {
    guard let first = word.first else { return nil }
    guard allowance > 0, queryWord.count <= EditAutomaton.maximumLength else {
      let isMatch = matchesBeginnings ? word.starts(with: queryWord) : word == queryWord
      return isMatch ? Match(typos: 0, length: queryWord.count) : nil
    }
    var automaton = EditAutomaton(word: queryWord, limit: allowance)
    let isFirstCharacterRight = first == queryWord.first
    var best: Match?
    for (index, scalar) in word.enumerated() {
      let minimum = automaton.push(scalar)
      let length = index + 1
      if matchesBeginnings || length == word.count,
        let typos = TypoRule.cost(
          edits: automaton.distance, allowance: allowance,
          isFirstCharacterRight: isFirstCharacterRight)
      {
        let match = Match(typos: typos, length: length)
        if isBetter(match, than: best, queryLength: queryWord.count, wordLength: word.count) {
          best = match
        }
      }
      if minimum > allowance { break }
    }
    return best
  }

  private static func isBetter(
    _ match: Match, than best: Match?, queryLength: Int, wordLength: Int
  ) -> Bool {
    guard let best else { return true }
    if match.typos != best.typos { return match.typos < best.typos }
    if match.length == wordLength { return true }
    return abs(match.length - queryLength) <= abs(best.length - queryLength)
  }
}
