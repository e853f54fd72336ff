/// The documents of a segment whose facets are counted.
struct FacetDocuments: Sendable {
  /// The documents.
  let set: Bitmap
  /// The number of documents.
  let count: Int
  /// The documents in ascending order, if they are few of the segment. Then a list is read faster
  /// than the set, once for each facet.
  let members: [UInt32]?

  /// The share of the segment's documents up to which they are listed.
  private static let listedShare = 16

  /// Counts the documents of a set.
  init(_ set: Bitmap) {
    self.set = set
    count = set.cardinality
    members = count < set.count / Self.listedShare ? set.members : nil
  }
}
