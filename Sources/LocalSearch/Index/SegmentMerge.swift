/// Selects the segments that are merged after a write.
///
/// Segments are grouped in tiers by their number of live documents. Each tier is twice as large as
/// the one below. Two segments of a tier are merged into one. So a record is copied O(log n) times
/// in total, and there are about log2 n segments at most. A search looks up its words in each of
/// them. A segment with more deleted than live documents is rewritten.
///
/// A write merges only segments of few documents. The engine merges the others later, without a
/// write that waits; see ``SegmentMerge``.
package enum MergePolicy {
  /// The number of segments of one tier that are merged.
  package static let fanOut = 2
  /// The maximum number of documents that a write merges, a few milliseconds of work.
  package static let maximumCountInWrite = 512

  /// Returns the indices of segments to merge into one, in ascending order, or `nil` if no merge is
  /// needed.
  package static func nextMerge(liveCounts: [Int], counts: [Int]) -> [Int]? {
    var tiers: [Int: [Int]] = [:]
    for (index, live) in liveCounts.enumerated() {
      tiers[tier(of: live), default: []].append(index)
    }
    if let crowded = tiers.filter({ $0.value.count >= fanOut }).min(by: { $0.key < $1.key }) {
      return crowded.value
    }
    return liveCounts.indices.first { liveCounts[$0] * 2 < counts[$0] }.map { [$0] }
  }

  private static func tier(of count: Int) -> Int {
    Int.bitWidth - max(1, count).leadingZeroBitCount
  }
}

/// A merge of segments of an index, while the index goes on to change.
package struct SegmentMerge: Sendable {
  private let sources: [SegmentView]
  private let merged: Segment

  /// Merges the segments that the policy selects, or returns `nil` if no merge is needed.
  ///
  /// - Complexity: O(n) for n documents of these segments.
  package init?(
    _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck = CancellationCheck()
  ) throws {
    guard let selected = snapshot.nextMerge else { return nil }
    sources = selected.map { snapshot.segments[$0] }
    merged = try SegmentBuilder.merging(sources, settings: snapshot.settings, cancellation)
    HeapMemory.releaseFree(afterIndexing: merged.records.byteCount)
  }

  /// Returns a later snapshot of the index with the merged segment, which has the same records and
  /// the same version. `nil` if it no longer has all segments of the merge.
  package func applied(to snapshot: IndexSnapshot) -> IndexSnapshot? {
    var live = Bitmap(count: merged.count, filledWith: true)
    var views = snapshot.segments
    var position: Int?
    var base = 0
    for source in sources {
      guard let index = views.firstIndex(where: { $0.segment === source.segment }) else {
        return nil
      }
      let current = views.remove(at: index)
      position = position ?? index
      // A copy of an older index may have documents that were deleted before the merge.
      var restored = current.live
      restored.subtract(source.live)
      guard restored.isEmpty else { return nil }
      var deleted = source.live
      deleted.subtract(current.live)
      let ordinals = RankedBitmap(source.live)
      deleted.forEach { document in
        if let ordinal = ordinals.ordinal(of: document) { live[base + ordinal] = false }
      }
      base += source.liveCount
    }
    let view = SegmentView(segment: merged, live: live)
    if view.liveCount > 0 { views.insert(view, at: position ?? 0) }
    return snapshot.withSameRecords(views)
  }
}

extension IndexSnapshot {
  /// The segments to merge next, or `nil`.
  var nextMerge: [Int]? {
    MergePolicy.nextMerge(
      liveCounts: segments.map(\.liveCount), counts: segments.map(\.segment.count))
  }
}
