/// One way to match a run of query words: a word by itself, a phrase, or neighbouring words written as one.
struct MatchUnit: Sendable {
  /// The query words.
  let words: Range<Int>
  /// The postings, cheapest first.
  let sources: [PostingSource]

  /// The number of postings of all sources.
  var postingCount: Int { sources.reduce(0) { $0 + $1.postings.count } }
}

/// Postings that make query words count as exact.
struct ExactSource: Sendable {
  /// How many query words count.
  let wordCount: Int
  /// The postings.
  let source: PostingSource
}
