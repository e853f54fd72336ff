/// The records that match a query, before they are ranked.
package struct MatchedRecords: Sendable {
  /// The plan, completed by what the index decided: splits, and words that became optional.
  package let plan: QueryPlan
  /// The words that became optional because nothing was found otherwise, as numbers among the
  /// plan's words.
  package let removedWords: [Int]
  /// The segments in the order of the snapshot.
  let segments: [SegmentMatches]

  /// The matching documents of each segment.
  package var documents: [Bitmap] { segments.map(\.documents) }

  /// The number of matching records.
  package var count: Int { segments.reduce(0) { $0 + $1.documents.cardinality } }

  /// Returns the same with fewer documents, one bitmap per segment; used to rank a part of what was
  /// found.
  package func intersecting(_ documents: [Bitmap]) -> MatchedRecords {
    var segments = segments
    for (index, bitmap) in documents.enumerated() where index < segments.count {
      segments[index].documents.formIntersection(bitmap)
    }
    return MatchedRecords(plan: plan, removedWords: removedWords, segments: segments)
  }
}

/// What matches in one segment.
struct SegmentMatches: Sendable {
  /// The query, looked up in the segment.
  let matcher: SegmentMatcher
  /// The documents that match.
  var documents: Bitmap
}
