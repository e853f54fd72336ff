/// A query looked up in the words of one segment.
struct SegmentMatcher: Sendable {
  /// The segment and its live documents.
  let view: SegmentView
  /// The ways to match the query words; the units of single words come first, in order.
  let units: [MatchUnit]
  /// The postings that Exact counts.
  let exactSources: [ExactSource]
  /// Whether a query of one word is long enough to be exact as a word.
  let isSingleWordLongEnough: Bool
  private let exclusions: [PostingSource]

  /// Looks the words of a plan up.
  ///
  /// - Complexity: that of ``TypoSearch`` for each word; no posting is read except for phrases and splits.
  init(plan: QueryPlan, view: SegmentView, checkCancellation: @escaping () throws -> Void) throws {
    let lookup = WordLookup(
      plan: plan, index: view.segment.text, checkCancellation: checkCancellation)
    self.view = view
    units = try lookup.units()
    exactSources = try lookup.exactSources()
    exclusions = try lookup.exclusions()
    isSingleWordLongEnough = (plan.words.first?.scalars.count ?? 0) >= 3
  }

  /// Returns the documents in `allowed` that match the words.
  ///
  /// A document must match every word that is not optional; if all are, at least one. It must not contain what is
  /// excluded. Without words all documents match.
  func documents(
    words: [QueryWord], allowed: Bitmap, checkCancellation: () throws -> Void
  ) throws -> Bitmap {
    var result = allowed
    result.formIntersection(view.live)
    for exclusion in exclusions {
      var excluded = Bitmap(count: view.segment.count)
      try exclusion.insertDocuments(
        into: &excluded, candidates: nil, checkCancellation: checkCancellation)
      result.subtract(excluded)
    }
    guard !words.isEmpty else { return result }
    for units in requirements(words) {
      if result.isEmpty { break }
      try keepDocuments(of: units, in: &result, checkCancellation)
    }
    return result
  }

  /// The sets of units of which a document must match one each, rarest first.
  private func requirements(_ words: [QueryWord]) -> [[Int]] {
    var required: [[Int]] = []
    for index in words.indices where !words[index].isOptional {
      let covering = units.indices.filter { units[$0].words.contains(index) }
      if !required.contains(covering) { required.append(covering) }
    }
    if required.isEmpty { required.append(Array(units.indices)) }
    let counts = required.map { $0.reduce(0) { $0 + units[$1].postingCount } }
    return required.indices.sorted { counts[$0] < counts[$1] }.map { required[$0] }
  }

  /// Keeps the documents that match one of the units.
  private func keepDocuments(
    of units: [Int], in result: inout Bitmap, _ checkCancellation: () throws -> Void
  ) throws {
    var found = Bitmap(count: view.segment.count)
    // Worth the while only if some source is looked through document by document.
    let largest = units.reduce(0) { max($0, self.units[$1].postingCount) }
    let candidates = result.cardinality * 8 < largest ? Selection(result) : nil
    for unit in units {
      for source in self.units[unit].sources {
        try source.insertDocuments(
          into: &found, candidates: candidates, checkCancellation: checkCancellation)
      }
    }
    result.formIntersection(found)
  }
}
