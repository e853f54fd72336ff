/// Which segments are merged after a write.
///
/// Segments fall into tiers by their number of live documents, each tier four times the one below.
/// When a tier holds four segments they become one. So a record is copied O(log n) times in all,
/// and there are O(log n) segments. A segment with more deleted than live documents is rewritten
/// alone.
package enum MergePolicy {
  /// The number of segments of one tier that are merged.
  package static let fanOut = 4

  /// Returns the indices of segments to be merged into one, ascending, or `nil` when nothing is to
  /// be done.
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
    let bits = Int.bitWidth - max(1, count).leadingZeroBitCount - 1
    return bits / 2
  }
}
