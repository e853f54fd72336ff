/// An attribute as the text index knows it.
struct TextField: Sendable, Hashable {
  /// The dotted path of the attribute.
  let path: String
  /// Its rank and whether word positions count in it.
  let role: SearchableAttributes.Role
}

/// The inverted index of a segment: words, and for each the documents, attributes and positions.
struct TextIndex: Sendable {
  /// The attributes found in the records; occurrences name them by number.
  let fields: [TextField]
  /// The distinct words.
  let terms: TermDictionary
  /// The documents of each word.
  let postings: PostingLists

  /// The number under which attributes past the limit are kept.
  static let sharedField = TextField(
    path: "", role: SearchableAttributes.Role(rank: Occurrence.maximumField, isOrdered: false))
}
