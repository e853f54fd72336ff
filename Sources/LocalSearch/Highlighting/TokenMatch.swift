import InstantSearchAPI

/// The match between a word of a record and a word of the query.
package struct TokenMatch: Sendable, Hashable {
  /// The query word, an index in ``QueryPlan/words``.
  package let wordIndex: Int
  /// The cost in typos.
  package let typos: Int
  /// The number of matching characters (Unicode scalars) of the record's normalized word: all, or a
  /// prefix.
  package let matchedCharacters: Int
  /// The number of characters before them.
  package let skippedCharacters: Int
  /// The text to show instead of the record's word, or `nil` for the word.
  package let replacement: String?

  /// Creates a match.
  package init(
    wordIndex: Int, typos: Int, matchedCharacters: Int, skippedCharacters: Int = 0,
    replacement: String? = nil
  ) {
    self.wordIndex = wordIndex
    self.typos = typos
    self.matchedCharacters = matchedCharacters
    self.skippedCharacters = skippedCharacters
    self.replacement = replacement
  }
}

extension QueryPlan {
  /// The number of characters of a record's word that are compared, more than a query word can
  /// have.
  private static let comparedLength = 4096

  /// Returns the query words that match a word of a record, for highlights.
  ///
  /// Words of a phrase match anywhere. Split and joined words match too, at the cost of one typo.
  /// Synonyms of several words do not: they match only where the words follow each other.
  /// The plan from ``execute(on:allowed:_:)`` has the splits.
  ///
  /// - Parameters:
  ///   - word: The normalized word.
  ///   - attribute: The path of its attribute, for settings without typos or prefixes there.
  /// - Complexity: O(a) comparisons for a alternatives.
  package func matches(
    ofToken word: String, attribute: String? = nil, _ cancellation: CancellationCheck
  ) throws -> [TokenMatch] {
    func isIn(_ list: AttributeList) throws -> Bool {
      try attribute.map { try list.covers($0, cancellation) } ?? false
    }
    return try matches(
      ofToken: word, allowsTypos: !isIn(options.typoFreeAttributes),
      allowsPrefixes: !isIn(options.prefixFreeAttributes),
      decompounds: options.decompoundedAttributes.filter { try isIn($0.attributes) }
        .map(\.language))
  }

  /// Returns the query words that match a word of a record, where typos or prefixes can be
  /// disabled.
  func matches(
    ofToken word: String, allowsTypos: Bool, allowsPrefixes: Bool, decompounds: [Language] = []
  ) -> [TokenMatch] {
    let scalars = word.unicodeScalars.prefix(Self.comparedLength).map(\.value)
    var matches: [TokenMatch] = []
    for span in graph.spans {
      if let first = span.alternatives.first, case .sequence(let phrase) = first.target,
        span.isPhrase
      {
        if first.matchesInOrder(wordCount: span.places.first?.count ?? 0) { continue }
        for (number, part) in phrase.words.enumerated() where part == word {
          for place in span.places {
            matches.append(
              TokenMatch(
                wordIndex: place.lowerBound + number, typos: 0, matchedCharacters: scalars.count))
          }
        }
        continue
      }
      var best: WordComparison.Match?
      var used: Alternative?
      for alternative in span.alternatives {
        guard
          let match = alternative.match(
            scalars, allowsTypos: allowsTypos, allowsPrefixes: allowsPrefixes,
            decompounds: decompounds),
          match.typos < best?.typos ?? .max
        else { continue }
        best = match
        used = alternative
      }
      guard let best else { continue }
      for index in span.places.joined() {
        let new = TokenMatch(
          wordIndex: index, typos: best.typos,
          matchedCharacters: used?.slice?.count ?? best.length,
          skippedCharacters: used?.slice?.lowerBound ?? 0, replacement: used?.replacement)
        // A word of several spans matches by the cheapest.
        if !span.isWord, let known = matches.firstIndex(where: { $0.wordIndex == index }) {
          if new.typos < matches[known].typos { matches[known] = new }
        } else {
          matches.append(new)
        }
      }
    }
    matches.sort { $0.wordIndex < $1.wordIndex }
    return matches
  }
}

/// Compares a word of a record with a query word, without a dictionary.
package enum WordComparison {
  /// A match.
  package struct Match: Hashable {
    /// The cost in typos.
    package let typos: Int
    /// The number of matching characters of the record's word: all, or a prefix.
    package let length: Int

    /// Creates a match.
    package init(typos: Int, length: Int) {
      self.typos = typos
      self.length = length
    }
  }

  /// Returns the best match between a query word and a record's word, or `nil` if they don't match.
  ///
  /// At equal cost the whole word is preferred to a prefix. Of several prefixes the one nearest in
  /// length to the query word is chosen, then the longer one.
  package static func match(
    _ queryWord: [UInt32], maximumTypos: Int, matchesPrefixes: Bool, with word: [UInt32]
  ) -> Match? {
    guard let first = word.first else { return nil }
    guard maximumTypos > 0, queryWord.count <= LevenshteinAutomaton.maximumLength else {
      let isMatch = matchesPrefixes ? word.starts(with: queryWord) : word == queryWord
      return isMatch ? Match(typos: 0, length: queryWord.count) : nil
    }
    let automaton = LevenshteinAutomaton(word: queryWord, limit: maximumTypos)
    var state = automaton.state
    let isFirstCharacterRight = first == queryWord.first
    var best: Match?
    for (index, scalar) in word.enumerated() {
      state = automaton.state(after: state, automaton.mask(of: scalar))
      let length = index + 1
      if matchesPrefixes || length == word.count,
        let typos = TypoRule.cost(
          edits: automaton.distance(in: state), maximumTypos: maximumTypos,
          isFirstCharacterRight: isFirstCharacterRight)
      {
        let match = Match(typos: typos, length: length)
        if isBetter(match, than: best, queryLength: queryWord.count, wordLength: word.count) {
          best = match
        }
      }
      if automaton.leastDistance(in: state) > maximumTypos { break }
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
