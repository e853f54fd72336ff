import Foundation
/// Two ways of doing the same thing, measured in alternating blocks of one process.
///
/// A machine whose clock changes between runs changes both alike, so their ratio stays.
struct Paired {
  /// How many times longer the baseline took, as the median over the pairs of blocks.
  let ratio: Double
  /// The median time of one call, in microseconds.
  let time: Double
  /// The median time of one call of the baseline, in microseconds.
  let baselineTime: Double

  /// Measures `body` against `baseline`; what they return is destroyed inside the measured time.
  ///
  /// - Parameter blocks: How many pairs of blocks; a block lasts about ten milliseconds.
  init<Value, Baseline>(
    blocks: Int = 60, _ body: () throws -> Value, against baseline: () throws -> Baseline
  ) rethrows {
    let calls = max(1, Int(10_000 / (try Self.time(1, body))))
    let baselineCalls = max(1, Int(10_000 / (try Self.time(1, baseline))))
    var times: [Double] = []
    var baselineTimes: [Double] = []
    for _ in 0..<blocks {
      times.append(try Self.time(calls, body))
      if ProcessInfo.processInfo.environment["ONLY"] != nil { baselineTimes.append(1); continue }
      baselineTimes.append(try Self.time(baselineCalls, baseline))
    }
    ratio = Self.median(zip(times, baselineTimes).map { $1 / $0 })
    time = ProcessInfo.processInfo.environment["ONLY"] != nil ? times.min() ?? 0 : Self.median(times)
    baselineTime = Self.median(baselineTimes)
  }

  /// The time of one of some calls, in microseconds.
  private static func time<Value>(_ calls: Int, _ body: () throws -> Value) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<calls { withExtendedLifetime(try body()) {} }
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return max(0.001, (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(calls))
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
