/// The candidates for the first places of an order, narrowed criterion by criterion.
package struct FirstCandidates {
  private let limit: Int
  /// The candidates that are certainly among the first.
  private var certain: [UInt32] = []
  /// The candidates that tie so far, some of which may be.
  private(set) var undecided: [UInt32]

  /// Begins with all candidates undecided.
  package init(_ documents: [UInt32], limit: Int) {
    self.limit = limit
    undecided = documents
  }

  /// Whether no further criterion can drop anything.
  package var isSettled: Bool { certain.count + undecided.count <= limit }

  /// All candidates that are left.
  package var all: [UInt32] { certain + undecided }

  /// Drops the candidates that the next criterion puts too far back.
  ///
  /// - Parameter values: What the criterion compares, beside ``undecided``; smaller values come first.
  package mutating func narrow(by values: [Int]) {
    let wanted = limit - certain.count
    guard wanted < undecided.count, wanted > 0 else { return }
    let bound = Selecting.smallest(wanted - 1, of: values)
    var ties: [UInt32] = []
    for (document, value) in zip(undecided, values) where value <= bound {
      if value < bound { certain.append(document) } else { ties.append(document) }
    }
    undecided = ties
  }
}

/// Order statistics.
package enum Selecting {
  /// Returns the value that has `rank` values before it in ascending order.
  ///
  /// - Complexity: O(n) on average; O(n) always for values that lie close together.
  package static func smallest(_ rank: Int, of values: [Int]) -> Int {
    guard let low = values.min(), let high = values.max() else { return 0 }
    let (width, isTooWide) = high.subtractingReportingOverflow(low)
    if !isTooWide, width < max(1024, values.count) {
      var counts = [Int](repeating: 0, count: width + 1)
      for value in values { counts[value - low] += 1 }
      var before = 0
      for (offset, count) in counts.enumerated() {
        before += count
        if before > rank { return low + offset }
      }
      return high
    }
    return partitioned(rank, values)
  }

  /// Narrows the values to those around the rank, by the middle of three as pivot.
  private static func partitioned(_ rank: Int, _ values: [Int]) -> Int {
    var values = values
    var rank = rank
    while values.count > 32 {
      let pivot = [values[0], values[values.count / 2], values[values.count - 1]].sorted()[1]
      let lower = values.filter { $0 < pivot }
      if rank < lower.count {
        values = lower
        continue
      }
      let upper = values.filter { $0 > pivot }
      let equal = values.count - lower.count - upper.count
      if rank < lower.count + equal { return pivot }
      rank -= lower.count + equal
      values = upper
    }
    return values.sorted()[rank]
  }
}
