/// The alternatives of a query: for each word, and for adjacent words, the ways to find them.
///
/// A record matches words if it matches one alternative of a span that covers them.
package struct QueryGraph: Sendable {
  /// Adjacent words of the query, with their alternatives.
  package struct Span: Sendable {
    /// The query words. Equal words, and equal phrases, have one span with several places.
    package fileprivate(set) var places: [Range<Int>]
    /// The ways to find the words, by kind and then in the order of their finding.
    package fileprivate(set) var alternatives: [Alternative]

    /// Whether the span is a phrase in quotes.
    var isPhrase: Bool { alternatives.first?.kind == .phrase }
    /// Whether the span is one word outside phrases.
    var isWord: Bool { alternatives.first?.kind == .original }
  }

  /// The spans: words in the order of their first places, phrases, then adjacent words.
  package private(set) var spans: [Span] = []
  /// Whether some synonyms, forms or compounds were left out, because there are too many.
  package private(set) var isCut = false

  /// The maximum number of alternatives of one kind of a span, and of synonyms of a query.
  package static let maximumAlternatives = (ofSpan: 100, ofQuery: 1000)
  /// The maximum number of compounds with a word, which can be frequent in them.
  static let maximumCompounds = 1000
  /// The maximum number of compounds in a query.
  private static let maximumCompoundsOfQuery = 5000
  private var compoundCount = 0

  /// The number of alternatives.
  var alternativeCount: Int { spans.reduce(0) { $0 + $1.alternatives.count } }

  private struct WordKey: Hashable {
    let word: String
    let longPart: String?
    let allowsPrefix: Bool
    let allowsSplitting: Bool
    let maximumTypos: Int
  }

  /// Finds the alternatives that do not depend on the records of an index.
  init(
    words: [QueryWord], phrases: [QueryPhrase], options: MatchingOptions,
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count(1 + words.count &>> 3)
    var spanOfWord: [WordKey: Int] = [:]
    for (position, word) in words.enumerated() where word.phrase == nil {
      let key = WordKey(
        word: word.word, longPart: word.longPart, allowsPrefix: word.allowsPrefix,
        allowsSplitting: word.allowsSplitting, maximumTypos: word.maximumTypos)
      add(
        position..<position + 1, to: &spanOfWord[key], ifNew: { Self.alternatives(of: word) })
    }
    var spanOfPhrase: [WordSequence: Int] = [:]
    for phrase in phrases {
      add(
        phrase.range, to: &spanOfPhrase[phrase.sequence],
        ifNew: { [Alternative(.phrase, .sequence(phrase.sequence), isExact: true)] })
    }
    for joined in WordConcatenation.all(of: words, options: options) {
      spans.append(
        Span(
          places: [joined.range],
          alternatives: [
            Alternative(
              .concatenation, .word(joined.word), cost: 1, allowsPrefix: joined.allowsPrefix)
          ]))
    }
  }

  private mutating func add(
    _ place: Range<Int>, to span: inout Int?, ifNew alternatives: () -> [Alternative]
  ) {
    if let span {
      spans[span].places.append(place)
    } else {
      span = spans.count
      spans.append(Span(places: [place], alternatives: alternatives()))
    }
  }

  private static func alternatives(of word: QueryWord) -> [Alternative] {
    if let pairs = word.pairs { return [Alternative(.original, .sequence(pairs), isExact: true)] }
    var result = [
      Alternative(
        .original, .word(word.word), maximumTypos: word.maximumTypos,
        allowsPrefix: word.allowsPrefix, isExact: true)
    ]
    if let part = word.longPart, word.allowsSplitting {
      result.append(Alternative(.part, .word(part), cost: 1, allowsPrefix: word.allowsPrefix))
    }
    return result
  }

  /// Adds the forms of the words, such as their plurals.
  mutating func addForms(
    _ dictionaries: Dictionaries, _ options: MatchingOptions, _ cancellation: CancellationCheck
  ) throws {
    let languages = options.pluralLanguages.languages(among: dictionaries.languages(.plurals))
    if languages.isEmpty { return }
    let isExact = options.exactAlternatives.contains(.ignorePlurals)
    for number in spans.indices where spans[number].isWord {
      guard case .word(let word)? = spans[number].alternatives.first?.target else { continue }
      for language in languages {
        let forms = try dictionaries.forms(of: word, language, options.tokenizer, cancellation)
        try add(
          forms.lazy.map { Alternative(.plural, .word($0), isExact: isExact) }, toSpan: number,
          cancellation)
      }
    }
  }

  /// Adds the synonyms of the words, up to the limits.
  mutating func addSynonyms(
    _ matches: [SynonymTable.Match], in table: SynonymTable, _ options: MatchingOptions,
    _ cancellation: CancellationCheck
  ) throws {
    if matches.contains(where: \.isCut) { isCut = true }
    if matches.isEmpty { return }
    var spanOfPlace: [Range<Int>: Int] = [:]
    for (number, span) in spans.enumerated() {
      for place in span.places { spanOfPlace[place] = number }
    }
    var targets: [Range<Int>: Set<SynonymTarget>] = [:]
    var total = 0
    var done: Set<SynonymPlace> = []
    // Whole inputs come first, because their synonyms can be exact.
    for match in matches.filter(\.isWhole) + matches.filter({ !$0.isWhole }) {
      let known = spanOfPlace[match.words].map { spans[$0] }
      let place = known?.places.first ?? match.words
      guard done.insert(SynonymPlace(place: place, input: match.input)).inserted else { continue }
      if total > Self.maximumAlternatives.ofQuery { return }
      let isWord = table.isWord(match.input)
      try table.forEachOutput(of: match.input, cancellation) { output in
        let target = output.target
        if known?.isWord == true, known?.alternatives.first?.target == target { return true }
        var known = targets[place, default: []]
        // A correction with the same words costs more than a synonym, and adds nothing to it.
        guard known.insert(SynonymTarget(target: target, cost: output.cost)).inserted else {
          return true
        }
        guard known.count <= Self.maximumAlternatives.ofSpan else {
          isCut = true
          return false
        }
        targets[place] = known
        total += 1
        guard total <= Self.maximumAlternatives.ofQuery else {
          isCut = true
          return false
        }
        let exactness: AlternativeAsExact =
          isWord && output.isWord ? .singleWordSynonym : .multiWordsSynonym
        let alternative = Alternative(
          output.cost == 0 ? .synonym : .correction, target, cost: output.cost,
          allowsPrefix: output.isCharacter,
          isExact: match.isWhole && output.cost == 0
            && options.exactAlternatives.contains(exactness),
          replacement: output.isPlaceholder
            || options.replacesSynonyms && isWord && output.cost == 0
            ? table.text(of: match.input) : nil)
        add(alternative, at: place, &spanOfPlace)
        return true
      }
    }
  }

  private struct SynonymTarget: Hashable {
    let target: Alternative.Target
    let cost: Int
  }

  private struct SynonymPlace: Hashable {
    let place: Range<Int>
    let input: Int
  }

  private mutating func add(
    _ alternative: Alternative, at place: Range<Int>, _ spanOfPlace: inout [Range<Int>: Int]
  ) {
    if let known = spanOfPlace[place] {
      spans[known].alternatives.append(alternative)
    } else {
      spanOfPlace[place] = spans.count
      spans.append(Span(places: [place], alternatives: [alternative]))
    }
  }

  /// Adds the compound words of dictionaries: their parts for a query word, the words for a part,
  /// and the word for adjacent parts.
  mutating func addCompounds(
    _ dictionaries: Dictionaries, words: [QueryWord], _ options: MatchingOptions,
    _ cancellation: CancellationCheck
  ) throws {
    for number in spans.indices where spans[number].isWord {
      guard case .word(let word)? = spans[number].alternatives.first?.target else { continue }
      for language in options.compoundLanguages {
        let parts = try dictionaries.parts(of: word, language, options.tokenizer, cancellation)
        if let parts { try add([.compound(of: parts)], toSpan: number, cancellation) }
      }
      for list in options.decompoundedAttributes {
        let compounds = try dictionaries.compounds(
          with: word, list.language, options.tokenizer, cancellation)
        try add(
          compounds.lazy.map {
            Alternative(.compound, .word($0.word), language: list.language, slice: $0.slice)
          }, toSpan: number, cancellation)
      }
    }
    for language in options.compoundLanguages {
      let compounds = try dictionaries.compounds(language, options.tokenizer, cancellation)
      if compounds.isEmpty { continue }
      for start in words.indices {
        try cancellation.count()
        for end in words.indices.dropFirst(start + 1).prefix(Self.maximumCompoundParts - 1) {
          let range = start..<end + 1
          guard words[range].allSatisfy({ $0.phrase == nil }),
            let compound = compounds[words[range].map(\.word)]
          else { continue }
          let alternative = Alternative(.compound, .word(compound))
          if let known = spans.firstIndex(where: { $0.places == [range] }) {
            try add([alternative], toSpan: known, cancellation)
          } else {
            spans.append(Span(places: [range], alternatives: [alternative]))
          }
        }
      }
    }
  }

  /// The maximum number of adjacent words that a dictionary joins.
  private static let maximumCompoundParts = 5

  /// Adds alternatives of one kind to a span, unless they are known or there are too many.
  mutating func add(
    _ others: some Sequence<Alternative>, toSpan span: Int, _ cancellation: CancellationCheck
  ) throws {
    var known: Set<Alternative> = []
    var count = 0
    for other in others {
      if known.isEmpty {
        known = Set(spans[span].alternatives)
        count = known.count { $0.kind == other.kind }
      }
      try cancellation.count()
      guard known.insert(other).inserted else { continue }
      let isCompound = other.language != nil
      guard count < (isCompound ? Self.maximumCompounds : Self.maximumAlternatives.ofSpan),
        !isCompound || compoundCount < Self.maximumCompoundsOfQuery
      else {
        isCut = true
        return
      }
      count += 1
      compoundCount += isCompound ? 1 : 0
      spans[span].alternatives.append(other)
    }
  }
}

/// Adjacent query words written as one (`ice cream`, `icecream`), at the cost of one typo in total.
package struct WordConcatenation: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The joined word.
  package let word: String
  /// Whether the joined word matches prefixes.
  package let allowsPrefix: Bool

  /// The number of words at the start of a query that are joined in pairs.
  private static let joinedWordCount = 5

  /// Returns the pairs among the first words of a query, and all words joined.
  ///
  /// Words without typos are not joined. A joined word matches prefixes if its last word does and
  /// if it is as long as a word with a typo must be.
  package static func all(of words: [QueryWord], options: MatchingOptions) -> [WordConcatenation] {
    var ranges: [Range<Int>] = []
    let limit = min(words.count, joinedWordCount)
    if limit >= 2 { for start in 0..<limit - 1 { ranges.append(start..<start + 2) } }
    if words.count > 2 { ranges.append(0..<words.count) }
    return ranges.compactMap { range in
      guard words[range].allSatisfy(\.allowsSplitting) else { return nil }
      let word = words[range].map(\.word).joined()
      let isLongEnough = word.unicodeScalars.count >= options.minimumLengths.oneTypo
      return WordConcatenation(
        range: range, word: word,
        allowsPrefix: isLongEnough && words[range.upperBound - 1].allowsPrefix)
    }
  }
}
