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

  /// Returns the units of all words, phrases and concatenations that occur in the segment.
  ///
  /// Words outside phrases come first in order, one unit each, even without matches. Equal words
  /// and equal phrases are looked up once and share an expansion.
  func units(of plan: QueryPlan) throws -> (units: [MatchUnit], expansions: [Expansion]) {
    var units: [MatchUnit] = []
    var expansions: [Expansion] = []
    var expansionOfWord: [Int: Int] = [:]
    let splits = Dictionary(
      plan.splits.map { ($0.word, $0.sequence) }, uniquingKeysWith: { first, _ in first })
    for (position, word) in plan.words.enumerated() where word.phrase == nil {
      try cancellation.count()
      let group = plan.groupOfWord[position]
      if expansionOfWord[group] == nil {
        var sources = try self.sources(of: word)
        if let split = splits[position] { sources += try self.sources(of: split, typos: 1) }
        try cancellation.sort(&sources) { $0.typos < $1.typos }
        expansionOfWord[group] = expansions.count
        expansions.append(Expansion(sources))
      }
      guard let expansion = expansionOfWord[group] else { continue }
      units.append(MatchUnit(words: position..<position + 1, expansion: expansion))
    }
    var expansionOfPhrase: [WordSequence: Int] = [:]
    for phrase in plan.phrases {
      try cancellation.count()
      if expansionOfPhrase[phrase.sequence] == nil {
        expansionOfPhrase[phrase.sequence] = expansions.count
        expansions.append(Expansion(try sources(of: phrase.sequence, typos: 0)))
      }
      guard let expansion = expansionOfPhrase[phrase.sequence] else { continue }
      units.append(MatchUnit(words: phrase.range, expansion: expansion))
    }
    for concatenation in plan.concatenations {
      let sources = try self.sources(
        of: concatenation.word, extraCost: 1, allowsPrefix: concatenation.allowsPrefix)
      guard !sources.isEmpty else { continue }
      units.append(MatchUnit(words: concatenation.range, expansion: expansions.count))
      expansions.append(Expansion(sources))
    }
    return (units, expansions)
  }

  /// Returns the postings of whole words without typos in the fields of Exact.
  func exactSources(of plan: QueryPlan) throws -> [ExactSource] {
    var sources: [ExactSource] = []
    var numberOfWord: [String: Int] = [:]
    for word in plan.words where word.phrase == nil {
      try cancellation.count()
      if let number = numberOfWord[word.word] {
        sources[number].wordCount += 1
        continue
      }
      guard let term = index.terms.term(Array(word.word.utf8)) else { continue }
      numberOfWord[word.word] = sources.count
      sources.append(
        ExactSource(
          wordCount: 1,
          source: try source(term..<term + 1, typos: 0, fields: fields.exact)))
    }
    // The indices of the phrases that were looked up, `nil` for a phrase that no record has.
    var numberOfPhrase: [WordSequence: Int?] = [:]
    for phrase in plan.phrases {
      try cancellation.count()
      if let number = numberOfPhrase[phrase.sequence] {
        if let number { sources[number].wordCount += phrase.range.count }
        continue
      }
      guard let lists = try postings(of: phrase.sequence, fields: fields.exact) else {
        numberOfPhrase[phrase.sequence] = .some(nil)
        continue
      }
      numberOfPhrase[phrase.sequence] = sources.count
      sources.append(
        ExactSource(
          wordCount: phrase.range.count,
          source: PostingSource(
            lists: lists, terms: 0..<1, typos: 0, fields: nil, isSequence: true)))
    }
    return sources
  }

  /// Returns the postings of the exclusions.
  func exclusions(of plan: QueryPlan) throws -> [PostingSource] {
    var seen: Set<WordSequence> = []
    var sources: [PostingSource] = []
    for exclusion in plan.exclusions where seen.insert(exclusion).inserted {
      sources += try self.sources(of: exclusion, typos: 0)
    }
    return sources
  }

  /// Returns whether the first characters of a word may be a word, for each number of them.
  func firstParts(of word: [UInt32], upTo length: Int) -> [Bool] {
    index.terms.mayBegin(word, upTo: length)
  }

  /// Returns the postings of a sequence, in the fields that allow its cost.
  func sources(of sequence: WordSequence, typos: Int) throws -> [PostingSource] {
    guard
      let lists = try postings(
        of: sequence, fields: fields.allowed(typos: typos, isPrefix: false))
    else { return [] }
    return [
      PostingSource(
        lists: lists, terms: 0..<1, typos: typos, fields: nil, span: sequence.offsets.last ?? 0,
        isSequence: true)
    ]
  }

  private func postings(of sequence: WordSequence, fields: Bitmap?) throws -> PostingLists? {
    try cancellation.count(sequence.words.count)
    return try SequenceSearch.postings(
      of: sequence, in: index, fields: fields, cancellation)
  }

  private func sources(of word: QueryWord) throws -> [PostingSource] {
    var sources = try sources(
      word.scalars, maximumTypos: word.maximumTypos, extraCost: 0, isPrefix: word.allowsPrefix)
    if let part = word.longPart, word.allowsSplitting {
      sources += try self.sources(of: part, extraCost: 1, allowsPrefix: word.allowsPrefix)
    }
    return sources
  }

  private func sources(of word: String, extraCost: Int, allowsPrefix: Bool) throws
    -> [PostingSource]
  {
    try sources(
      word.unicodeScalars.map(\.value), maximumTypos: 0, extraCost: extraCost,
      isPrefix: allowsPrefix)
  }

  /// Looks up a word. Fields that match whole words only get a separate lookup.
  private func sources(
    _ word: [UInt32], maximumTypos: Int, extraCost: Int, isPrefix: Bool
  ) throws -> [PostingSource] {
    let kinds = isPrefix && fields.hasPrefixFreeFields ? [true, false] : [isPrefix]
    var sources: [PostingSource] = []
    for isPrefix in kinds {
      let found = try TypoSearch.words(
        near: word, maximumTypos: maximumTypos, matchesPrefixes: isPrefix, in: index.terms,
        cancellation)
      for match in found {
        try cancellation.count()
        let typos = match.typos + extraCost
        sources.append(
          try source(
            match.terms, typos: typos,
            fields: fields.allowed(typos: typos, isPrefix: isPrefix)))
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
