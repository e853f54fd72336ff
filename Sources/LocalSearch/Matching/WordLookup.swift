/// Looks up query words in the dictionary of a segment.
struct WordLookup {
  private let index: TextIndex
  private let documentCount: Int
  private let fields: SegmentFields
  private let cancellation: CancellationCheck

  /// Prepares lookups for queries with these options.
  init(options: MatchingOptions, segment: Segment, _ cancellation: CancellationCheck) throws {
    index = segment.text
    documentCount = segment.count
    self.cancellation = cancellation
    fields = try SegmentFields(index.fields, options: options, cancellation)
  }

  /// Returns the units of all spans that occur in the segment, and their expansions.
  ///
  /// Words outside phrases come first in order, one unit each, even without matches.
  func units(of graph: QueryGraph) throws -> (units: [MatchUnit], expansions: [Expansion]) {
    var words: [MatchUnit] = []
    var others: [MatchUnit] = []
    var expansions: [Expansion] = []
    for span in graph.spans {
      try cancellation.count(1 + span.places.count &>> 3)
      var sources: [PostingSource] = []
      for alternative in span.alternatives { sources += try self.sources(of: alternative) }
      if sources.isEmpty, !span.isWord, !span.isPhrase { continue }
      try cancellation.sort(&sources) { $0.typos < $1.typos }
      let units = span.places.map { MatchUnit(words: $0, expansion: expansions.count) }
      if span.isWord { words += units } else { others += units }
      expansions.append(Expansion(sources))
    }
    words.sort { $0.words.lowerBound < $1.words.lowerBound }
    return (words + others, expansions)
  }

  /// Returns the postings of exact alternatives in the fields of Exact.
  ///
  /// A word is exact by any alternative that covers it, and counts once.
  func exactSources(of graph: QueryGraph, wordCount: Int) throws -> [ExactSource] {
    var sourcesOfSpan: [[PostingSource]] = []
    var spansOfWord = [[Int]](repeating: [], count: wordCount)
    for span in graph.spans {
      var sources: [PostingSource] = []
      for alternative in span.alternatives where alternative.isExact {
        try cancellation.count()
        switch alternative.target {
        case .word(let word):
          guard let term = index.terms.term(Array(word.utf8)) else { continue }
          sources.append(try source(term..<term + 1, typos: 0, fields: fields.exact))
        case .sequence(let sequence):
          sources += try self.sources(of: sequence, typos: 0, fields: fields.exact)
        case .all: continue
        }
      }
      if sources.isEmpty { continue }
      for word in span.places.joined() { spansOfWord[word].append(sourcesOfSpan.count) }
      sourcesOfSpan.append(sources)
    }
    var result: [ExactSource] = []
    var numbers: [[Int]: Int] = [:]
    for spans in spansOfWord where !spans.isEmpty {
      if let known = numbers[spans] {
        result[known].wordCount += 1
      } else {
        numbers[spans] = result.count
        result.append(ExactSource(wordCount: 1, sources: spans.flatMap { sourcesOfSpan[$0] }))
      }
    }
    return result
  }

  /// Returns the postings of the exclusions.
  func exclusions(of plan: QueryPlan) throws -> [PostingSource] {
    var seen: Set<WordSequence> = []
    var sources: [PostingSource] = []
    for exclusion in plan.exclusions where seen.insert(exclusion).inserted {
      sources += try self.sources(excluding: exclusion)
    }
    return sources
  }

  /// Returns the postings of an exclusion.
  func sources(excluding exclusion: WordSequence) throws -> [PostingSource] {
    if let character = exclusion.unspacedCharacter { return try sources(of: character) }
    return try sources(
      of: exclusion, typos: 0, fields: fields.allowed(typos: 0, isPrefix: false))
  }

  /// Returns whether the first characters of a word may be a word, for each number of them.
  func firstParts(of word: [UInt32], upTo length: Int) -> [Bool] {
    index.terms.mayBegin(word, upTo: length)
  }

  /// Returns the postings of an alternative, in the fields that allow it.
  func sources(of alternative: Alternative) throws -> [PostingSource] {
    switch alternative.target {
    case .word:
      return try sources(ofWord: alternative)
    case .all(let words):
      try cancellation.count(words.count)
      let lists = try ConjunctionSearch.postings(
        of: words, in: index, fields: fields.searched, cancellation)
      guard let lists else { return [] }
      return [
        PostingSource(
          lists: lists, terms: 0..<1, typos: alternative.cost, fields: nil, isSequence: true)
      ]
    case .sequence(let sequence):
      let typos = alternative.isTypo ? alternative.cost : 0
      return try sources(
        of: sequence, typos: alternative.cost,
        fields: fields.allowed(typos: typos, isPrefix: false))
    }
  }

  private func sources(
    of sequence: WordSequence, typos: Int, fields: Bitmap?
  ) throws -> [PostingSource] {
    try cancellation.count(sequence.words.count)
    guard
      let lists = try SequenceSearch.postings(
        of: sequence, in: index, fields: fields, cancellation)
    else { return [] }
    return [
      PostingSource(
        lists: lists, terms: 0..<1, typos: typos, fields: nil, span: sequence.span,
        isSequence: true)
    ]
  }

  /// Looks up a word. Fields that match whole words only get a separate lookup.
  private func sources(ofWord alternative: Alternative) throws -> [PostingSource] {
    let allowsPrefix = alternative.allowsPrefix
    if let language = alternative.language {
      guard let fields = fields.decompounded[language],
        let term = index.terms.term(Array(String(scalars: alternative.scalars).utf8))
      else { return [] }
      return [try source(term..<term + 1, typos: 0, fields: fields)]
    }
    let ignoresRule = alternative.isUnspaced
    let kinds =
      allowsPrefix && fields.hasPrefixFreeFields && !ignoresRule ? [true, false] : [allowsPrefix]
    var sources: [PostingSource] = []
    for isPrefix in kinds {
      let found = try TypoSearch.words(
        near: alternative.scalars, maximumTypos: alternative.maximumTypos,
        matchesPrefixes: isPrefix, in: index.terms, cancellation)
      for match in found {
        try cancellation.count()
        let typos = match.typos + (alternative.isTypo ? alternative.cost : 0)
        sources.append(
          try source(
            match.terms, typos: match.typos + alternative.cost,
            fields: fields.allowed(typos: typos, isPrefix: isPrefix && !ignoresRule)))
      }
    }
    return sources
  }

  private func source(_ terms: Range<Int>, typos: Int, fields: Bitmap?) throws -> PostingSource {
    // Prefixes only without typos, so that their number is limited by the letters of the words.
    let sets =
      fields == nil && (typos == 0 || terms.count == 1)
      ? try index.frequentWords.sets(
        of: terms, in: index, documentCount: documentCount, cancellation) : nil
    return PostingSource(
      lists: index.postings, terms: terms, typos: typos, fields: fields, sets: sets)
  }
}

extension WordSequence {
  /// The alternative of a single character of a script without spaces.
  fileprivate var unspacedCharacter: Alternative? {
    guard words.count == 1, span == 0 else { return nil }
    let alternative = Alternative(.original, .word(words[0]), allowsPrefix: true)
    return alternative.isUnspaced ? alternative : nil
  }
}
