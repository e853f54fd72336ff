/// Looks query words up in the dictionary of a segment.
struct WordLookup {
  private let plan: QueryPlan
  private let index: TextIndex
  private let fields: SegmentFields
  private let checkCancellation: () throws -> Void

  /// Prepares the lookup.
  init(plan: QueryPlan, index: TextIndex, checkCancellation: @escaping () throws -> Void) {
    self.plan = plan
    self.index = index
    self.checkCancellation = checkCancellation
    fields = SegmentFields(index.fields, options: plan.options)
  }

  /// Returns the units of all words, phrases and concatenations that occur in the segment.
  ///
  /// Words outside phrases come first, one unit each in their order, even when nothing matches them.
  func units() throws -> [MatchUnit] {
    var units: [MatchUnit] = []
    for (position, word) in plan.words.enumerated() where word.phrase == nil {
      var sources = try self.sources(of: word)
      for split in plan.splits where split.word == position {
        sources += try self.sources(of: split.sequence, typos: 1)
      }
      units.append(
        MatchUnit(
          words: position..<position + 1, sources: sources.sorted { $0.typos < $1.typos }))
    }
    for phrase in plan.phrases {
      units.append(
        MatchUnit(
          words: phrase.range, sources: try self.sources(of: phrase.sequence, typos: 0)))
    }
    for concatenation in plan.concatenations {
      let sources = try self.sources(
        of: concatenation.word, extraCost: 1, allowsPrefix: concatenation.allowsPrefix)
      guard !sources.isEmpty else { continue }
      units.append(MatchUnit(words: concatenation.range, sources: sources))
    }
    return units
  }

  /// Returns the postings of whole, typo-free words in the fields of Exact.
  func exactSources() throws -> [ExactSource] {
    var sources: [ExactSource] = []
    for word in plan.words where word.phrase == nil {
      guard let term = index.terms.term(Array(word.word.utf8)) else { continue }
      sources.append(
        ExactSource(
          wordCount: 1,
          source: PostingSource(
            lists: index.postings, terms: term..<term + 1, typos: 0, fields: fields.exact, span: 0))
      )
    }
    for phrase in plan.phrases {
      guard
        let lists = try SequenceSearch.postings(
          of: phrase.sequence, in: index, fields: fields.exact, checkCancellation: checkCancellation
        )
      else { continue }
      sources.append(
        ExactSource(
          wordCount: phrase.range.count,
          source: PostingSource(lists: lists, terms: 0..<1, typos: 0, fields: nil, span: 0)))
    }
    return sources
  }

  /// Returns the postings of what is excluded.
  func exclusions() throws -> [PostingSource] {
    try plan.exclusions.flatMap { try sources(of: $0, typos: 0) }
  }

  /// Returns the places where a sequence stands, as far as its cost is allowed there.
  func sources(of sequence: WordSequence, typos: Int) throws -> [PostingSource] {
    guard
      let lists = try SequenceSearch.postings(
        of: sequence, in: index, fields: fields.allowed(typos: typos, isPrefix: false),
        checkCancellation: checkCancellation)
    else { return [] }
    return [
      PostingSource(
        lists: lists, terms: 0..<1, typos: typos, fields: nil, span: sequence.offsets.last ?? 0)
    ]
  }

  private func sources(of word: QueryWord) throws -> [PostingSource] {
    var sources = try sources(
      word.scalars, allowance: word.maximumTypos, extraCost: 0, isPrefix: word.allowsPrefix)
    if let part = word.longPart, word.allowsSplitting {
      sources += try self.sources(of: part, extraCost: 1, allowsPrefix: word.allowsPrefix)
    }
    return sources
  }

  private func sources(of word: String, extraCost: Int, allowsPrefix: Bool) throws
    -> [PostingSource]
  {
    try sources(
      word.unicodeScalars.map(\.value), allowance: 0, extraCost: extraCost, isPrefix: allowsPrefix)
  }

  /// Looks a word up. Where some fields take whole words only, these are looked up a second time for them.
  private func sources(
    _ word: [UInt32], allowance: Int, extraCost: Int, isPrefix: Bool
  ) throws -> [PostingSource] {
    let kinds = isPrefix && fields.hasPrefixFreeFields ? [true, false] : [isPrefix]
    var sources: [PostingSource] = []
    for isPrefix in kinds {
      let found = try TypoSearch.words(
        near: word, allowance: allowance, matchesBeginnings: isPrefix, in: index.terms,
        checkCancellation: checkCancellation)
      for match in found {
        let typos = match.typos + extraCost
        sources.append(
          PostingSource(
            lists: index.postings, terms: match.terms, typos: typos,
            fields: fields.allowed(typos: typos, isPrefix: isPrefix), span: 0))
      }
    }
    return sources
  }
}
