/// The words of an index that its users may see: words of live records, in attributes that searches
/// return.
struct VisibleWords {
  /// A word that is near another one.
  struct Near {
    let word: String
    /// The distance, at least 1.
    var typos: Int
    /// The number of records with the word; 0 if records are not counted.
    var recordCount: Int
  }

  private let snapshot: IndexSnapshot
  private let lookups: [WordLookup]
  /// For each segment, whether searches return the attribute of a field.
  private let visible: [[Bool]]
  private let cancellation: CancellationCheck

  init(
    _ plan: QueryPlan, _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws {
    self.snapshot = snapshot
    self.cancellation = cancellation
    lookups = try snapshot.segments.map {
      try WordLookup(options: plan.options, segment: $0.segment, cancellation)
    }
    let settings = snapshot.settings
    visible = snapshot.segments.map { view in
      view.segment.text.fields.map { !settings.hides($0.path) }
    }
  }

  /// Returns whether the index has an alternative without typos.
  func has(_ alternative: Alternative) throws -> Bool {
    for (number, lookup) in lookups.enumerated() {
      for source in try lookup.sources(of: alternative) where source.typos == alternative.cost {
        for term in source.terms {
          if try recordCount(of: term, source, number, limit: 1) > 0 { return true }
        }
      }
    }
    return false
  }

  /// Returns the words within the typos of an alternative: nearest first, then the words of more
  /// records, then by name.
  ///
  /// - Parameter countsRecords: Whether the records are counted. Defaults to `false`.
  func words(near alternative: Alternative, countsRecords: Bool = false) throws -> [Near] {
    guard case .word = alternative.target, alternative.maximumTypos > 0 else { return [] }
    var found: [String: Near] = [:]
    for (number, lookup) in lookups.enumerated() {
      let terms = snapshot.segments[number].segment.text.terms
      for source in try lookup.sources(of: alternative) where source.typos > alternative.cost {
        for term in source.terms {
          let count = try recordCount(of: term, source, number, limit: countsRecords ? .max : 1)
          if count == 0 { continue }
          let word = terms.word(of: term)
          var near = found[word] ?? Near(word: word, typos: source.typos, recordCount: 0)
          near.typos = min(near.typos, source.typos)
          near.recordCount += countsRecords ? count : 0
          found[word] = near
        }
      }
    }
    var sorted = Array(found.values)
    try cancellation.sort(&sorted) {
      if $0.typos != $1.typos { return $0.typos < $1.typos }
      if $0.recordCount != $1.recordCount { return $0.recordCount > $1.recordCount }
      return $0.word.utf8.lexicographicallyPrecedes($1.word.utf8)
    }
    return sorted
  }

  /// Returns the number of live records with a word in a visible attribute that counts.
  private func recordCount(
    of term: Int, _ source: PostingSource, _ number: Int, limit: Int
  ) throws -> Int {
    let (lists, live) = (source.lists, snapshot.segments[number].live)
    var count = 0
    for posting in lists.postings(of: term) {
      try cancellation.count(element: posting)
      if live[Int(lists.documents[posting])],
        lists.containsOccurrence(
          in: lists.encodedOccurrences[posting],
          where: { (source.fields?[$0.field] ?? true) && visible[number][$0.field] })
      {
        count += 1
        if count >= limit { break }
      }
    }
    return count
  }
}
