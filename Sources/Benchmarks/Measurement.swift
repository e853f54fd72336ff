/// The times of one operation, repeated.
struct Measurement {
  let name: String
  private let sorted: [Duration]

  /// Calls `body` once for each element after as many calls that are not counted, and times each.
  init<Element>(
    _ name: String, over elements: [Element], _ body: (Element) async throws -> Void
  ) async throws {
    for element in elements { try await body(element) }
    var times: [Duration] = []
    let clock = ContinuousClock()
    for element in elements {
      let start = clock.now
      try await body(element)
      times.append(start.duration(to: clock.now))
    }
    self.name = name
    sorted = times.sorted()
  }

  /// Prints the median and the 99th percentile in microseconds, as text or as one JSON object.
  func print(asJSON: Bool) {
    let median = microseconds(atFraction: 0.5)
    let p99 = microseconds(atFraction: 0.99)
    if asJSON {
      Swift.print(
        #"{"name":"\#(name)","count":\#(sorted.count),"median_us":\#(median),"p99_us":\#(p99)}"#)
    } else {
      Swift.print("\(name): median \(median) µs, p99 \(p99) µs over \(sorted.count)")
    }
  }

  private func microseconds(atFraction fraction: Double) -> Int {
    if sorted.isEmpty { return 0 }
    let position = min(sorted.count - 1, Int(Double(sorted.count) * fraction))
    let (seconds, attoseconds) = sorted[position].components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
