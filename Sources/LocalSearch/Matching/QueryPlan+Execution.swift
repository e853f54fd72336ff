extension QueryPlan {
  /// The maximum number of words that become optional one by one.
  package static let maximumRemovedWords = 5

  /// Finds the records of a snapshot that match the words, among the allowed documents.
  ///
  /// 1. Each word that can be split is split where most live records contain the parts in order.
  ///    Compound words are found by their parts, and parts in compound words.
  /// 2. Records must match all words that are not optional.
  /// 3. If no record matches, words become optional by the rule of the query until some do.
  /// 4. If four or more words are all optional, the number of words a record must match grows with
  ///    the number of matches.
  /// 5. If only the fewest typos are requested, other records are removed.
  ///
  /// - Parameters:
  ///   - snapshot: The state of the index.
  ///   - allowed: The documents that match filters and geographic conditions, one bitmap per
  ///     segment.
  ///   - cancellation: Counts the work, and ends it by throwing.
  package func execute(
    on snapshot: IndexSnapshot, allowed: [Bitmap], _ cancellation: CancellationCheck
  ) throws -> MatchedRecords {
    var plan = self
    let lookups = try snapshot.segments.map {
      try WordLookup(options: options, segment: $0.segment, cancellation)
    }
    try plan.addSplits(in: snapshot, lookups, cancellation)
    try plan.addCompounds(in: snapshot, cancellation)
    let matchers = try zip(snapshot.segments, lookups).map { view, lookup in
      try SegmentMatcher(plan: plan, view: view, lookup: lookup)
    }
    var removed: [Int] = []
    func matched(_ plan: QueryPlan) throws -> [SegmentMatches] {
      try zip(matchers, allowed).map { matcher, allowed in
        try matcher.matches(words: plan.words, allowed: allowed, cancellation)
      }
    }
    var segments = try matched(plan)
    for removal in removals() {
      guard segments.allSatisfy(\.documents.isEmpty) else { break }
      for word in removal { plan.words[word].isOptional = true }
      removed = removal
      segments = try matched(plan)
    }
    let requiredWordCount = try requireMoreWords(&segments, plan, cancellation)
    let maximumTypos = try keepFewestTypos(&segments, plan, cancellation)
    return MatchedRecords(
      plan: plan, removedWords: removed, requiredWordCount: requiredWordCount,
      maximumTypos: maximumTypos, segments: segments)
  }

  /// The sets of words to make optional, in order, while nothing matches.
  private func removals() -> [[Int]] {
    guard !words.isEmpty else { return [] }
    let count = min(Self.maximumRemovedWords, words.count - 1)
    switch options.wordRemoval {
    case .none: return []
    case .all: return [Array(words.indices)]
    case .last: return (0..<count).map { Array((words.count - 1 - $0)..<words.count) }
    case .first: return (0..<count).map { Array(0...$0) }
    }
  }

  // MARK: Splits

  private static let longestFirstPart = 12

  /// Adds the split of each word that most live records contain, the earliest of equals.
  private mutating func addSplits(
    in snapshot: IndexSnapshot, _ lookups: [WordLookup], _ cancellation: CancellationCheck
  ) throws {
    for (number, span) in graph.spans.enumerated() where span.isWord {
      guard let word = span.places.first.map({ words[$0.lowerBound] }), word.allowsSplitting,
        let split = try chosenSplit(of: word, in: snapshot, lookups, cancellation)
      else { continue }
      try graph.add(
        [Alternative(.split, .sequence(split), cost: 1)], toSpan: number, cancellation)
    }
  }

  /// Returns the best split of one word, or `nil` if no live record contains the parts of any.
  private func chosenSplit(
    of word: QueryWord, in snapshot: IndexSnapshot, _ lookups: [WordLookup],
    _ cancellation: CancellationCheck
  ) throws -> WordSequence? {
    let characters = Array(word.word.unicodeScalars)
    guard characters.count >= max(2, options.minimumLengths.oneTypo) else { return nil }
    let longest = min(Self.longestFirstPart, characters.count - 1)
    let scalars = word.scalars
    let firstParts = lookups.map { $0.firstParts(of: scalars, upTo: longest) }
    var best: (sequence: WordSequence, count: Int)?
    for cut in 1...longest where firstParts.contains(where: { $0[cut - 1] }) {
      let parts = [characters[..<cut], characters[cut...]].map {
        String(String.UnicodeScalarView($0))
      }
      let sequence = WordSequence(words: parts, offsets: [0, 1])
      let split = Alternative(.split, .sequence(sequence), cost: 1)
      var count = 0
      for (view, lookup) in zip(snapshot.segments, lookups) {
        let sources = try lookup.sources(of: split)
        if sources.isEmpty { continue }
        var documents = Bitmap(count: view.segment.count)
        for source in sources {
          try source.insertDocuments(into: &documents, candidates: nil, cancellation)
        }
        count += documents.intersectionCount(with: view.live)
      }
      if count > best?.count ?? 0 { best = (sequence, count) }
    }
    return best?.sequence
  }

  // MARK: Optional words

  /// The number of words from which queries with only optional words require more than one.
  private static let thresholdWordCount = 4
  /// The number of records for each increase of the required words.
  private static let thresholdStep = 1000

  /// Increases the number of words that records must match, by one step for each full thousand
  /// records that match that number of words.
  ///
  /// The step is one word, or a fifth of the words if there are ten or more.
  ///
  /// - Returns: The number of words.
  private func requireMoreWords(
    _ segments: inout [SegmentMatches], _ plan: QueryPlan, _ cancellation: CancellationCheck
  ) throws -> Int {
    let count = plan.words.count
    guard count >= Self.thresholdWordCount, plan.words.allSatisfy(\.isOptional),
      segments.reduce(0, { $0 + $1.documents.cardinality }) > Self.thresholdStep
    else { return 1 }
    let step = count >= 10 ? count / 5 : 1
    let levels = try segments.map { try MatchLevels($0, wordCount: count, cancellation) }
    var matching = [Int](repeating: 0, count: count + 1)
    for (segment, levels) in zip(segments, levels) {
      try levels.words.forEachGroup(of: segment.documents, cancellation) { words, documents in
        matching[words] += documents.cardinality
        return true
      }
    }
    for words in (0..<count).reversed() { matching[words] += matching[words + 1] }
    var required = 1
    var thousands = 1
    while required + step <= count, matching[required + step] >= thousands * Self.thresholdStep {
      required += step
      thousands += 1
    }
    guard required > 1 else { return 1 }
    for (index, levels) in levels.enumerated() {
      try segments[index].keep(levels.words, cancellation) { $0 >= required }
    }
    return required
  }

  // MARK: Fewest typos

  /// Keeps the records with the fewest typos, and returns how many they have at most, or `nil` if
  /// all records are kept.
  private func keepFewestTypos(
    _ segments: inout [SegmentMatches], _ plan: QueryPlan, _ cancellation: CancellationCheck
  ) throws -> Int? {
    let groupCount: Int
    switch options.typoTolerance {
    case .off, .on: return nil
    case .fewest: groupCount = 1
    case .twoFewest: groupCount = 2
    }
    guard !plan.isEmpty else { return nil }
    let levels = try segments.map {
      try MatchLevels($0, wordCount: plan.words.count, cancellation)
    }
    var counts: Set<Int> = []
    for (segment, levels) in zip(segments, levels) {
      var found = 0
      try levels.typos.forEachGroup(of: segment.documents, cancellation) { typos, _ in
        counts.insert(typos)
        found += 1
        return found < groupCount
      }
    }
    guard let highest = counts.sorted().prefix(groupCount).last else { return nil }
    for (index, levels) in levels.enumerated() {
      try segments[index].keep(levels.typos, cancellation) { $0 <= highest }
    }
    return highest
  }
}

extension SegmentMatches {
  /// Removes the documents whose number does not match a condition.
  fileprivate mutating func keep(
    _ numbers: BitCounts, _ cancellation: CancellationCheck, where condition: (Int) -> Bool
  ) throws {
    try numbers.forEachGroup(of: documents, cancellation) { number, group in
      if !condition(number) { documents.subtract(group) }
      return true
    }
  }
}

/// The records that match a query, before they are ranked.
package struct MatchedRecords: Sendable {
  /// The plan with the decisions of the index: splits, and words that became optional.
  package let plan: QueryPlan
  /// The words that became optional because nothing matched, as indices in the plan's words.
  package let removedWords: [Int]
  /// The number of words that a record must match if all are optional, at least 1.
  let requiredWordCount: Int
  /// The greatest number of typos, or `nil` for any.
  let maximumTypos: Int?
  /// The segments in the order of the snapshot.
  let segments: [SegmentMatches]

  /// The matching documents of each segment.
  package var documents: [Bitmap] { segments.map(\.documents) }

  /// The number of matching records.
  package var count: Int { segments.reduce(0) { $0 + $1.documents.cardinality } }

  /// Returns the records that are also in other sets, one bitmap per segment.
  package func intersecting(_ documents: [Bitmap]) -> MatchedRecords {
    var segments = segments
    for (index, bitmap) in documents.enumerated() where index < segments.count {
      segments[index].documents.formIntersection(bitmap)
    }
    return MatchedRecords(
      plan: plan, removedWords: removedWords, requiredWordCount: requiredWordCount,
      maximumTypos: maximumTypos, segments: segments)
  }
}
