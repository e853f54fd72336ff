/// The candidates for the first ranks of an order, narrowed by one criterion after another.
package struct TopCandidates {
  private let limit: Int
  /// The candidates that are certainly among the first.
  private var selected: [UInt32] = []
  /// The candidates that tie so far, some of which may be among the first.
  private(set) var tied: [UInt32]

  /// Creates a selection in which all candidates tie.
  package init(_ documents: [UInt32], limit: Int) {
    self.limit = limit
    tied = documents
  }

  /// Whether no further criterion can remove a candidate.
  package var isSettled: Bool { selected.count + tied.count <= limit }

  /// All remaining candidates.
  package var all: [UInt32] { selected + tied }

  /// Removes the candidates that the next criterion ranks too low.
  ///
  /// - Parameter values: The values of the criterion for each of ``tied``. Smaller values come
  ///   first.
  package mutating func narrow(by values: [Int], _ cancellation: CancellationCheck) throws {
    let wanted = limit - selected.count
    guard wanted < tied.count, wanted > 0 else { return }
    let bound = try QuickSelect.smallest(wanted - 1, of: values, cancellation)
    var ties: [UInt32] = []
    for (index, value) in values.enumerated() {
      try cancellation.count(element: index)
      guard value <= bound else { continue }
      if value < bound { selected.append(tied[index]) } else { ties.append(tied[index]) }
    }
    tied = ties
  }
}

/// Selects the value of a rank without sorting.
package enum QuickSelect {
  /// Returns the value with `rank` values before it in ascending order.
  ///
  /// - Complexity: O(n) on average, and always for values in a narrow range.
  package static func smallest(
    _ rank: Int, of values: [Int], _ cancellation: CancellationCheck
  ) throws -> Int {
    guard var low = values.first else { return 0 }
    var high = low
    try cancellation.forEach(values) { value in
      low = min(low, value)
      high = max(high, value)
    }
    let (width, isTooWide) = high.subtractingReportingOverflow(low)
    if !isTooWide, width < max(1024, values.count) {
      var counts = [Int](repeating: 0, count: width + 1)
      try cancellation.forEach(values) { counts[$0 - low] += 1 }
      var before = 0
      for (offset, count) in counts.enumerated() {
        try cancellation.count(element: offset)
        before += count
        if before > rank { return low + offset }
      }
      return high
    }
    return try partitioned(rank, values, cancellation)
  }

  /// Narrows the values to those around the rank, with the median of three as pivot.
  private static func partitioned(
    _ rank: Int, _ values: [Int], _ cancellation: CancellationCheck
  ) throws -> Int {
    var values = values
    var rank = rank
    while values.count > 32 {
      let pivot = [values[0], values[values.count / 2], values[values.count - 1]].sorted()[1]
      var lower: [Int] = []
      var upper: [Int] = []
      try cancellation.forEach(values) { value in
        if value < pivot { lower.append(value) }
        if value > pivot { upper.append(value) }
      }
      if rank < lower.count {
        values = lower
        continue
      }
      let equal = values.count - lower.count - upper.count
      if rank < lower.count + equal { return pivot }
      rank -= lower.count + equal
      values = upper
    }
    return values.sorted()[rank]
  }
}
