/// Counts the requests of each key, address or user in the past hour.
///
/// An hour is 60 cells of a minute, so a request counts for 59 to 60 minutes. The number of counted
/// addresses is limited: the address that has been idle for longest is forgotten.
final class RequestCounter: Sendable {
  /// A key, address or user whose requests are counted together.
  struct Bucket: Hashable, Sendable {
    var key = ""
    var address = ""
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

  /// Counts requests in several buckets, unless one of them would have more than allowed.
  ///
  /// - Parameters:
  ///   - buckets: The buckets with the number that each allows.
  ///   - minute: The minutes since 1970.
  /// - Returns: Whether the requests are allowed.
  func count(_ number: Int, in buckets: [(bucket: Bucket, limit: Int)], minute: Int) -> Bool {
    cells.withLock { cells in
      let isAllowed = buckets.allSatisfy { bucket, limit in
        Self.sum(of: bucket, &cells, minute) <= limit - number
      }
      guard isAllowed else { return false }
      for (bucket, _) in buckets { add(number, to: bucket, &cells, minute) }
      return true
    }
  }

  /// Whether the count of a bucket is below a limit.
  func isBelow(_ limit: Int, _ bucket: Bucket, minute: Int) -> Bool {
    cells.withLock { Self.sum(of: bucket, &$0, minute) < limit }
  }

  /// Counts an amount of work.
  func add(_ amount: Int, to bucket: Bucket, minute: Int) {
    cells.withLock { add(amount, to: bucket, &$0, minute) }
  }

  private static func sum(of bucket: Bucket, _ cells: inout [Bucket: Cells], _ minute: Int) -> Int {
    cells[bucket]?.advance(to: minute)
    return cells[bucket]?.counts.reduce(0, +) ?? 0
  }

  private func add(
    _ amount: Int, to bucket: Bucket, _ cells: inout [Bucket: Cells], _ minute: Int
  ) {
    var own = cells[bucket] ?? Cells(newest: minute)
    own.advance(to: minute)
    own.counts[Cells.cell(of: own.newest)] += amount
    if cells[bucket] == nil, cells.count >= maximumCount { Self.makeRoom(in: &cells, minute) }
    cells[bucket] = own
  }

  /// Forgets the addresses without a request in the past hour, and at least the tenth of all
  /// addresses that has been idle for longest.
  private static func makeRoom(in cells: inout [Bucket: Cells], _ minute: Int) {
    let count = cells.count
    cells = cells.filter { minute - $0.value.newest < 60 }
    let kept = count - count / 10 - 1
    guard cells.count > kept else { return }
    let oldest = cells.sorted { $0.value.newest < $1.value.newest }.prefix(cells.count - kept)
    for (bucket, _) in oldest { cells[bucket] = nil }
  }
}
