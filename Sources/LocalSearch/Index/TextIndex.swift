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

  /// How many bytes the paths of the fields have together.
  static let maximumPathSize = 1 << 20
  /// How long a path is that has a field of its own.
  static let maximumPathLength = 1 << 14

  /// The field in which attributes past the limits are kept.
  static let sharedField = TextField(
    path: "", role: SearchableAttributes.Role(rank: Occurrence.maximumField, isOrdered: false))
}
