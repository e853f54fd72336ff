/// How a word of a record matches a word of the query.
package struct TokenMatch: Sendable, Hashable {
  /// The query word, a number among ``QueryPlan/words``.
  package let wordIndex: Int
  /// The cost in typos.
  package let typos: Int
  /// How many characters (Unicode scalars) of the record's normalised word match: all, or its
  /// beginning.
  package let matchedCharacters: Int

  /// Creates a match.
  package init(wordIndex: Int, typos: Int, matchedCharacters: Int) {
    self.wordIndex = wordIndex
    self.typos = typos
    self.matchedCharacters = matchedCharacters
  }
}

extension QueryPlan {
  /// How many characters of a record's word are compared: more than a word of a query can have.
  private static let comparedLength = 4096

  /// Returns which query words a word of a record matches, as highlights show them.
  ///
  /// Words of a phrase match wherever they stand. Split and joined words match too, at the cost of
  /// one typo; which splits are meant is known to the plan that came out of
  /// ``execute(on:allowed:_:)``.
  ///
  /// - Parameters:
  ///   - word: The normalised word.
  ///   - attribute: The path of its attribute, for settings that turn typos or prefixes off there.
  /// - Complexity: O(g) comparisons for g different words, joined words included.
  package func matches(
    ofToken word: String, attribute: String? = nil, _ checkpoint: Checkpoint
  ) throws -> [TokenMatch] {
    func isIn(_ list: AttributeList) throws -> Bool {
      try attribute.map { try list.covers($0, checkpoint) } ?? false
    }
    return try matches(
      ofToken: word, allowsTypos: !isIn(options.typoFreeAttributes),
      allowsPrefixes: !isIn(options.prefixFreeAttributes))
  }

  /// Returns which query words a word of a record matches where typos or prefixes may be off.
  func matches(ofToken word: String, allowsTypos: Bool, allowsPrefixes: Bool) -> [TokenMatch] {
    let scalars = word.unicodeScalars.prefix(Self.comparedLength).map(\.value)
    var matches: [TokenMatch] = []
    for group in groups {
      let matchesBeginnings = group.word.allowsPrefix && allowsPrefixes
      var best = WordComparison.match(
        group.scalars, allowance: allowsTypos ? group.word.maximumTypos : 0,
        matchesBeginnings: matchesBeginnings, with: scalars)
      if allowsTypos, let part = group.longPart, group.word.allowsSplitting, best?.typos ?? 2 > 1,
        let match = WordComparison.match(
          part, allowance: 0, matchesBeginnings: matchesBeginnings, with: scalars)
      {
        best = WordComparison.Match(typos: match.typos + 1, length: match.length)
      }
      guard let best else { continue }
      for index in group.words {
        matches.append(
          TokenMatch(wordIndex: index, typos: best.typos, matchedCharacters: best.length))
      }
    }
    if groups.count < words.count { matches.sort { $0.wordIndex < $1.wordIndex } }
    guard allowsTypos else { return matches }
    func add(_ index: Int, _ match: WordComparison.Match, cost: Int = 0) {
      let new = TokenMatch(
        wordIndex: index, typos: match.typos + cost, matchedCharacters: match.length)
      if let known = matches.firstIndex(where: { $0.wordIndex == index }) {
        if new.typos < matches[known].typos { matches[known] = new }
      } else {
        matches.append(new)
      }
    }
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
}

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
