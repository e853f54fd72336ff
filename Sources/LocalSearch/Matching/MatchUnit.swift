/// One way to match a run of query words: a word by itself, a phrase, or neighbouring words written
/// as one.
struct MatchUnit: Sendable {
  /// The query words.
  let words: Range<Int>
  /// What matches them, a number among the expansions of the segment; equal words share one.
  let expansion: Int
}

/// Everything in a segment that matches a word, a phrase or joined words.
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

/// Postings that make query words count as exact.
struct ExactSource: Sendable {
  /// How many query words count.
  var wordCount: Int
  /// The postings.
  let source: PostingSource
}
