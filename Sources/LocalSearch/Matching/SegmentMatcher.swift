import InstantSearchAPI

/// A query looked up in the words of one segment.
struct SegmentMatcher: Sendable {
  /// The segment and its live documents.
  let view: SegmentView
  /// The ways to match the query words. The units of single words come first, in order.
  let units: [MatchUnit]
  /// The expansions of the units.
  let expansions: [Expansion]
  /// The postings that the Exact criterion counts.
  let exactSources: [ExactSource]
  /// Whether the only word of the query can be exact as a word.
  let isExactAsOnlyWord: Bool
  private let exclusions: [PostingSource]

  /// Looks up the words of a plan.
  ///
  /// - Complexity: One ``TypoSearch`` for each different word. Postings are read only for phrases
  ///   and splits.
  init(plan: QueryPlan, view: SegmentView, lookup: WordLookup) throws {
    self.view = view
    (units, expansions) = try lookup.units(of: plan.graph)
    exactSources = try lookup.exactSources(
      of: plan.graph, wordCount: plan.words.count)
    exclusions = try lookup.exclusions(of: plan)
    isExactAsOnlyWord = plan.isExactAsOnlyWord
  }

  /// Returns the matches of the words in `allowed`.
  ///
  /// A document must match every required word, or at least one if all are optional. It must not
  /// contain exclusions. Without words all documents match.
  func matches(
    words: [QueryWord], allowed: Bitmap, _ cancellation: CancellationCheck
  ) throws -> SegmentMatches {
    var result = SegmentMatches(matcher: self, documents: allowed)
    result.documents.formIntersection(view.live)
    for exclusion in exclusions {
      var excluded = Bitmap(count: view.segment.count)
      try exclusion.insertDocuments(into: &excluded, candidates: nil, cancellation)
      result.documents.subtract(excluded)
    }
    guard !words.isEmpty else { return result }
    for expansions in try requirements(words, cancellation) {
      if result.documents.isEmpty { break }
      try result.keepDocuments(of: expansions, cancellation)
    }
    return result
  }

  /// Returns sets of expansions, rarest first. A document must match an expansion of each set.
  private func requirements(_ words: [QueryWord], _ cancellation: CancellationCheck) throws
    -> [[Int]]
  {
    let covering = units.expansions(ofWords: words.count)
    var required: [[Int]] = []
    var seen: Set<[Int]> = []
    for index in words.indices where !words[index].isOptional {
      try cancellation.count()
      if seen.insert(covering[index]).inserted { required.append(covering[index]) }
    }
    if required.isEmpty { required.append(Array(expansions.indices)) }
    let counts = required.map { $0.reduce(0) { $0 + expansions[$1].postingCount } }
    return required.indices.sorted { counts[$0] < counts[$1] }.map { required[$0] }
  }
}

/// The matches in one segment.
struct SegmentMatches: Sendable {
  /// The query, looked up in the segment.
  let matcher: SegmentMatcher
  /// The documents that match.
  var documents: Bitmap
  /// The costs of the expansions that were read so far, complete for ``documents``.
  private var costs: [ExpansionCosts?]

  /// Creates the matches before any word is read.
  init(matcher: SegmentMatcher, documents: Bitmap) {
    self.matcher = matcher
    self.documents = documents
    costs = Array(repeating: nil, count: matcher.expansions.count)
  }

  /// Keeps the documents that match one of the expansions.
  fileprivate mutating func keepDocuments(
    of expansions: [Int], _ cancellation: CancellationCheck
  ) throws {
    let largest = expansions.reduce(0) { max($0, matcher.expansions[$1].postingCount) }
    let candidates = try candidates(for: largest, cancellation)
    var found: Bitmap?
    for expansion in expansions {
      let costs = try read(expansion, candidates, cancellation)
      if found == nil { found = costs.documents } else { found?.formUnion(costs.documents) }
    }
    if let found { documents.formIntersection(found) }
  }

  /// Returns the costs of all expansions in the documents that match.
  func allCosts(_ cancellation: CancellationCheck) throws -> [ExpansionCosts] {
    var selection: Selection?
    return try matcher.expansions.indices.map { number in
      if let known = costs[number] { return known }
      let expansion = matcher.expansions[number]
      if selection == nil { selection = try candidates(for: expansion.postingCount, cancellation) }
      return try ExpansionCosts(
        expansion, documentCount: documents.count, candidates: selection, cancellation)
    }
  }

  /// Returns the documents that still match, if it may be cheaper to look each of them up than to
  /// read a number of postings.
  private func candidates(
    for postingCount: Int, _ cancellation: CancellationCheck
  ) throws -> Selection? {
    // A bitmap is a word for 64 documents.
    try cancellation.count(1 + documents.count &>> 8)
    return documents.cardinality * 8 < postingCount ? Selection(documents) : nil
  }

  private mutating func read(
    _ expansion: Int, _ candidates: Selection?, _ cancellation: CancellationCheck
  ) throws -> ExpansionCosts {
    if let known = costs[expansion] { return known }
    let read = try ExpansionCosts(
      matcher.expansions[expansion], documentCount: documents.count, candidates: candidates,
      cancellation)
    costs[expansion] = read
    return read
  }
}

/// The least cost of an expansion in each document that it matches.
struct ExpansionCosts: Sendable {
  /// The documents that match.
  private(set) var documents: Bitmap
  /// The bits of the costs, lowest first.
  private(set) var planes: [Bitmap] = []

  /// Reads the postings, cheapest first.
  ///
  /// - Parameter candidates: The documents that matter, or `nil` for all.
  init(
    _ expansion: Expansion, documentCount: Int, candidates: Selection?,
    _ cancellation: CancellationCheck
  ) throws {
    documents = Bitmap(count: documentCount)
    var rest = expansion.sources[...]
    while let cost = rest.first?.typos {
      let level = rest.prefix { $0.typos == cost }
      rest = rest.dropFirst(level.count)
      // A bitmap is a word for 64 documents.
      try cancellation.count(1 + documentCount &>> 8)
      if documents.isEmpty, cost == 0 {
        for source in level {
          try source.insertDocuments(into: &documents, candidates: candidates, cancellation)
        }
        continue
      }
      var found = Bitmap(count: documentCount)
      for source in level {
        try source.insertDocuments(into: &found, candidates: candidates, cancellation)
      }
      found.subtract(documents)
      documents.formUnion(found)
      for bit in 0..<Int.bitWidth where cost >> bit != 0 {
        if planes.count <= bit { planes.append(Bitmap(count: documentCount)) }
        if cost >> bit & 1 != 0 { planes[bit].formUnion(found) }
      }
    }
  }

  /// The cost in a document, or ``MatchLevels/absent``.
  @inline(__always)
  func cost(of document: Int) -> UInt8 {
    guard documents[document] else { return MatchLevels.absent }
    var cost: UInt8 = 0
    for bit in planes.indices where planes[bit][document] { cost |= 1 &<< UInt8(bit) }
    return cost
  }
}

extension [MatchUnit] {
  /// Returns the units that cover each word, in order.
  func covering(wordCount: Int) -> [[Int]] {
    var result = [[Int]](repeating: [], count: wordCount)
    for (unit, value) in enumerated() {
      for word in value.words where result.indices.contains(word) { result[word].append(unit) }
    }
    return result
  }

  /// Returns the expansions that match each word, each once and in ascending order.
  fileprivate func expansions(ofWords wordCount: Int) -> [[Int]] {
    covering(wordCount: wordCount).map { units in Set(units.map { self[$0].expansion }).sorted() }
  }
}

/// The fields of a segment in which matches count. `nil` means all.
struct SegmentFields: Sendable {
  /// The fields that are searched.
  let searched: Bitmap?
  /// The fields that the Exact criterion counts.
  let exact: Bitmap?
  private let typo: Bitmap?
  private let prefix: Bitmap?
  private let typoAndPrefix: Bitmap?
  /// The searched fields whose compound words are found by their parts, by language.
  private(set) var decompounded: [Language: Bitmap] = [:]
  /// Whether some fields match whole words only, so that they need a separate lookup.
  let hasPrefixFreeFields: Bool

  /// Finds the fields for the options of a query.
  init(
    _ fields: [IndexedField], options: MatchingOptions, _ cancellation: CancellationCheck
  ) throws {
    let none = Bitmap(count: fields.count)
    var (searched, exact, typo, prefix, typoAndPrefix) = (none, none, none, none, none)
    for (index, field) in fields.enumerated() {
      try cancellation.count()
      let path = field.path
      guard try options.restrictedAttributes.covers(path, cancellation),
        options.placeLanguage?.includes(path) ?? true
      else { continue }
      let allowsTypos = try !options.typoFreeAttributes.covers(path, cancellation)
      let allowsPrefixes = try !options.prefixFreeAttributes.covers(path, cancellation)
      searched[index] = true
      exact[index] = try !options.exactFreeAttributes.covers(path, cancellation)
      typo[index] = allowsTypos
      prefix[index] = allowsPrefixes
      typoAndPrefix[index] = allowsTypos && allowsPrefixes
      for list in options.decompoundedAttributes
      where try list.attributes.covers(path, cancellation) {
        decompounded[list.language, default: none][index] = true
      }
    }
    func unlessAll(_ set: Bitmap) -> Bitmap? {
      set.cardinality == fields.count ? nil : set
    }
    self.searched = unlessAll(searched)
    self.exact = unlessAll(exact)
    self.typo = unlessAll(typo)
    self.prefix = unlessAll(prefix)
    self.typoAndPrefix = unlessAll(typoAndPrefix)
    hasPrefixFreeFields = self.prefix != self.searched
  }

  /// Returns the fields in which a match of this kind counts.
  func allowed(typos: Int, isPrefix: Bool) -> Bitmap? {
    switch (typos > 0, isPrefix) {
    case (false, false): searched
    case (true, false): typo
    case (false, true): prefix
    case (true, true): typoAndPrefix
    }
  }
}

/// One way to match adjacent query words: a single word, a phrase, or words written as one.
struct MatchUnit: Sendable {
  /// The query words.
  let words: Range<Int>
  /// Their expansion, an index in the segment's expansions. Equal words share one.
  let expansion: Int
}

/// All postings of a segment that match a word, a phrase or joined words.
struct Expansion: Sendable {
  /// The postings, cheapest first.
  let sources: [PostingSource]
  /// The number of postings of all sources.
  let postingCount: Int

  /// Creates an expansion.
  init(_ sources: [PostingSource]) {
    self.sources = sources
    postingCount = sources.reduce(0) { $0 + $1.postings.count }
  }
}

/// Postings by which query words are exact.
struct ExactSource: Sendable {
  /// The number of query words.
  var wordCount: Int
  /// The postings, of which one is sufficient.
  let sources: [PostingSource]
}
