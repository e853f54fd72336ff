/// Counts the requests of each key and address in the past hour.
///
/// An hour is 60 cells of a minute, so a request counts for 59 to 60 minutes. The number of counted
/// addresses is bounded: the one that is idle for longest is forgotten.
final class RequestCounter: Sendable {
  /// Who is counted together.
  struct Bucket: Hashable, Sendable {
    var key: String
    var address: String
    var userToken: String?
  }

  private struct Cells {
    var counts = [Int](repeating: 0, count: 60)
    var newest: Int

    mutating func advance(to minute: Int) {
      let passed = minute - newest
      guard passed > 0 else { return }
      for step in 0..<min(passed, 60) { counts[(newest + 1 + step) % 60] = 0 }
      newest = minute
    }
  }

  private let cells = Lock<[Bucket: Cells]>([:])
  private let maximumCount: Int

  init(maximumCount: Int = 100_000) { self.maximumCount = maximumCount }

  /// Counts a request, unless there were as many as allowed.
  ///
  /// - Parameter minute: The minutes since 1970.
  /// - Returns: Whether the request is allowed.
  func count(_ bucket: Bucket, limit: Int, minute: Int) -> Bool {
    cells.withLock { cells in
      var own = cells[bucket] ?? Cells(newest: minute)
      own.advance(to: minute)
      guard own.counts.reduce(0, +) < limit else {
        cells[bucket] = own
        return false
      }
      own.counts[max(own.newest, 0) % 60] += 1
      if cells[bucket] == nil, cells.count >= maximumCount { Self.makeRoom(in: &cells, minute) }
      cells[bucket] = own
      return true
    }
  }

  /// Forgets the addresses without a request in the past hour, or else a tenth, those that are idle
  /// for longest.
  private static func makeRoom(in cells: inout [Bucket: Cells], _ minute: Int) {
    let count = cells.count
    cells = cells.filter { minute - $0.value.newest < 60 }
    guard cells.count == count else { return }
    let oldest = cells.sorted { $0.value.newest < $1.value.newest }.prefix(count / 10 + 1)
    for (bucket, _) in oldest { cells[bucket] = nil }
  }
}
