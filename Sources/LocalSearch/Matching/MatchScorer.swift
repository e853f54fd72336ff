/// Scores documents of one segment by the textual criteria.
///
/// The scores look at the occurrences by which a document matches at its least cost in typos, and at no others.
struct MatchScorer {
  private let matcher: SegmentMatcher
  private let options: RankingOptions
  private let keys: FieldKeys
  private let wordCount: Int

  /// Creates a scorer for the matches of a query with `wordCount` words.
  init(_ matcher: SegmentMatcher, wordCount: Int, options: RankingOptions) {
    self.matcher = matcher
    self.options = options
    self.wordCount = wordCount
    keys = FieldKeys(matcher.view.segment.text.fields)
  }

  /// Scores the documents of `selection`, which are some of those in `costs`.
  func scores(
    of selection: Selection, costs: MatchCosts, checkCancellation: () throws -> Void
  ) throws -> [MatchScore] {
    let ordinals = selection.members.map { costs.selection.bitmap.ordinal(of: Int($0)) ?? 0 }
    var scores = ordinals.map { ordinal in
      MatchScore(typos: Int(costs.typos[ordinal]), words: Int(costs.words[ordinal]))
    }
    if wordCount == 1, matcher.units.count == 1 {
      try scoreSingleWord(&scores, selection, ordinals, costs, checkCancellation)
    } else {
      try scoreSeveralWords(&scores, selection, ordinals, costs, checkCancellation)
    }
    let exact = try exactCounts(of: selection, checkCancellation)
    for index in scores.indices { scores[index].exact = exact[index] }
    return scores
  }

  /// One word has no distances; the best occurrence is found without keeping the others.
  private func scoreSingleWord(
    _ scores: inout [MatchScore], _ selection: Selection, _ ordinals: [Int], _ costs: MatchCosts,
    _ checkCancellation: () throws -> Void
  ) throws {
    var best = [UInt32](repeating: .max, count: selection.count)
    for source in matcher.units[0].sources {
      try source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
        index, place in
        guard Int(costs.unitCosts[0][ordinals[index]]) == source.typos else { return }
        source.lists.forEachOccurrence(ofPlace: place) { occurrence in
          if let fields = source.fields, !fields[occurrence.field] { return }
          best[index] = min(best[index], keys.key(of: occurrence))
        }
      }
    }
    for index in scores.indices where best[index] != .max { scores[index].setPlace(best[index]) }
  }

  private func scoreSeveralWords(
    _ scores: inout [MatchScore], _ selection: Selection, _ ordinals: [Int], _ costs: MatchCosts,
    _ checkCancellation: () throws -> Void
  ) throws {
    let spots = try SpotTable(matcher.units, selection) { unit, index in
      costs.unitCosts[unit][ordinals[index]]
    } checkCancellation: {
      try checkCancellation()
    }
    var cover = WordCover(wordCount: wordCount)
    var chain = SpotChain(options: options)
    for index in scores.indices {
      if index & 0x3FF == 0 { try checkCancellation() }
      costs.cover(of: ordinals[index], into: &cover)
      chain.removeAll()
      for unit in cover.units {
        chain.beginUnit(words: matcher.units[unit].words)
        spots.forEachSpot(unit: unit, index: index, keys: keys) { chain.add($0) }
        chain.endUnit()
      }
      scores[index].proximity = chain.proximity
      if let place = chain.place { scores[index].setPlace(place) }
    }
  }

  /// Counts the exact words of each document.
  private func exactCounts(
    of selection: Selection, _ checkCancellation: () throws -> Void
  ) throws -> [Int] {
    var counts = [Int](repeating: 0, count: selection.count)
    guard wordCount == 1 else {
      for exact in matcher.exactSources {
        try exact.source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
          index, _ in
          counts[index] += exact.wordCount
        }
      }
      return counts
    }
    guard let source = matcher.exactSources.first?.source else { return counts }
    switch options.singleWordExactness {
    case .none:
      break
    case .word:
      guard matcher.isSingleWordLongEnough else { break }
      try source.forEachPosting(in: selection, checkCancellation: checkCancellation) { index, _ in
        counts[index] = 1
      }
    case .attribute:
      try source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
        index, place in
        source.lists.forEachOccurrence(ofPlace: place) { occurrence in
          if let fields = source.fields, !fields[occurrence.field] { return }
          if occurrence.isWholeValue { counts[index] = 1 }
        }
      }
    }
    return counts
  }
}
