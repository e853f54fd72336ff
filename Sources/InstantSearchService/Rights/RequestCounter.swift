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

    /// The cell of a minute, which may be before 1970.
    static func cell(of minute: Int) -> Int { (minute % 60 + 60) % 60 }

    mutating func advance(to minute: Int) {
      let passed = minute - newest
      guard passed > 0 else { return }
      for step in 0..<min(passed, 60) { counts[Self.cell(of: newest + 1 + step)] = 0 }
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
      own.counts[Cells.cell(of: own.newest)] += 1
      if cells[bucket] == nil, cells.count >= maximumCount { Self.makeRoom(in: &cells, minute) }
      cells[bucket] = own
      return true
    }
  }

  /// Forgets the addresses without a request in the past hour, and a tenth of all at least, those
  /// that are idle for longest.
  private static func makeRoom(in cells: inout [Bucket: Cells], _ minute: Int) {
    let count = cells.count
    cells = cells.filter { minute - $0.value.newest < 60 }
    let kept = count - count / 10 - 1
    guard cells.count > kept else { return }
    let oldest = cells.sorted { $0.value.newest < $1.value.newest }.prefix(cells.count - kept)
    for (bucket, _) in oldest { cells[bucket] = nil }
  }
}
