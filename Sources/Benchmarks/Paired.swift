/// Two ways of doing the same thing, measured in alternating blocks.
///
/// A machine whose clock changes between runs changes both alike, so their ratio stays.
struct Paired {
  /// How many times longer the baseline took, as the median over the pairs of blocks.
  let ratio: Double
  /// The tenth and the ninetieth percentile of that ratio.
  let ratios: ClosedRange<Double>
  /// The median time of one call, in microseconds.
  let time: Double
  /// The median time of one call of the baseline, in microseconds.
  let baselineTime: Double

  /// Takes times that were measured in turn, in microseconds; there is at least one of each.
  init(times: [Double], baselineTimes: [Double]) {
    let ratios = zip(times, baselineTimes).map { $1 / $0 }
    ratio = ratios.percentile(50)
    self.ratios = ratios.percentile(10)...ratios.percentile(90)
    time = times.percentile(50)
    baselineTime = baselineTimes.percentile(50)
  }

  /// Measures `body` against `baseline`; what they return is destroyed inside the measured time.
  ///
  /// - Parameter blocks: How many pairs of blocks; a block lasts about ten milliseconds.
  init<Value, Baseline>(
    blocks: Int = 60, _ body: () throws -> Value, against baseline: () throws -> Baseline
  ) rethrows {
    let calls = try Self.callsOfABlock(body)
    let baselineCalls = try Self.callsOfABlock(baseline)
    var times: [Double] = []
    var baselineTimes: [Double] = []
    for _ in 0..<blocks {
      times.append(try Self.time(calls, body))
      baselineTimes.append(try Self.time(baselineCalls, baseline))
    }
    self.init(times: times, baselineTimes: baselineTimes)
  }

  /// How many calls take ten milliseconds.
  private static func callsOfABlock<Value>(_ body: () throws -> Value) rethrows -> Int {
    // The first call is slow, so that few calls are counted by it alone.
    var calls = 1
    for _ in 0..<3 { calls = max(1, Int(10_000 / (try time(calls, body)))) }
    return calls
  }

  /// The time of one of some calls, in microseconds.
  private static func time<Value>(_ calls: Int, _ body: () throws -> Value) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<calls { withExtendedLifetime(try body()) {} }
    return max(0.001, start.duration(to: clock.now).microseconds / Double(calls))
  }
}

extension Duration {
  /// The duration in microseconds.
  var microseconds: Double { self / .microseconds(1) }
}

extension [Double] {
  /// The smallest element that so many hundredths of the elements do not exceed; 0 without
  /// elements.
  func percentile(_ percent: Int) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, count * percent / 100)]
  }
}
