/// An operation of this library and an alternative, mostly of Foundation.
struct BenchmarkCase {
  /// The result of a case.
  enum Outcome {
    /// The times of both, for a number of bytes of JSON.
    case times(Paired, bytes: Int)
    /// The number of allocations of both.
    case allocations(Int, baseline: Int)
    /// Nothing was measured, for the given reason.
    case notMeasured(String)
  }

  let name: String
  /// The alternative: a type of Foundation, or a description.
  let baseline: String
  /// Prepares the case, checks that both have the same result, and measures.
  let run: () async throws -> Outcome

  /// Runs the case and prints one line: text, or one JSON object.
  func report(asJSON: Bool) async throws {
    let outcome = try await run()
    print(asJSON ? "{\(members(of: outcome))}" : "\(name): \(text(of: outcome))")
  }

  private func members(of outcome: Outcome) -> String {
    let name = #""name":"\#(name)""#
    switch outcome {
    case .times(let paired, let bytes):
      return name
        + #","ratio":\#(paired.ratio.rounded(toPlaces: 2)),"baseline":"\#(baseline)""#
        + #","p10":\#(paired.ratios.lowerBound.rounded(toPlaces: 2))"#
        + #","p90":\#(paired.ratios.upperBound.rounded(toPlaces: 2))"#
        + #","us":\#(paired.time.rounded(toPlaces: 2))"#
        + #","baseline_us":\#(paired.baselineTime.rounded(toPlaces: 2))"#
        + #","MB/s":\#(speed(paired, bytes)),"bytes":\#(bytes)"#
    case .allocations(let count, let baselineCount):
      return name
        + #","ratio":\#(ratio(count, baselineCount)),"baseline":"\#(baseline)""#
        + #","allocations":\#(count),"baseline_allocations":\#(baselineCount)"#
    case .notMeasured(let reason):
      return name + #","baseline":"\#(baseline)","not_measured":"\#(reason)""#
    }
  }

  private func text(of outcome: Outcome) -> String {
    switch outcome {
    case .times(let paired, let bytes):
      let low = paired.ratios.lowerBound.rounded(toPlaces: 1)
      let high = paired.ratios.upperBound.rounded(toPlaces: 1)
      return "\(paired.ratio.rounded(toPlaces: 2)) times \(baseline) (\(low) to \(high)); "
        + "\(paired.time.rounded(toPlaces: 2)) µs against "
        + "\(paired.baselineTime.rounded(toPlaces: 2)) µs, \(speed(paired, bytes)) MB/s"
    case .allocations(let count, let baselineCount):
      return "\(count) allocations against \(baselineCount) of \(baseline)"
    case .notMeasured(let reason): return "not measured, \(reason)"
    }
  }

  private func speed(_ paired: Paired, _ bytes: Int) -> Int { Int(Double(bytes) / paired.time) }

  private func ratio(_ count: Int, _ baselineCount: Int) -> Double {
    (Double(baselineCount) / Double(max(1, count))).rounded(toPlaces: 2)
  }
}

/// The times of one operation, repeated.
struct Measurement {
  let name: String
  /// The times, in microseconds.
  private let times: [Double]
  /// The time of a part of the operation, in microseconds, if measured separately.
  var part: (name: String, time: Double)?

  /// Calls `body` once for each element to warm up, and then measures each call.
  init<Element>(
    _ name: String, over elements: [Element], _ body: (Element) async throws -> Void
  ) async throws {
    for element in elements { try await body(element) }
    var times: [Double] = []
    let clock = ContinuousClock()
    for element in elements {
      let start = clock.now
      try await body(element)
      times.append(start.duration(to: clock.now).microseconds)
    }
    self.name = name
    self.times = times
  }

  /// The median, in microseconds.
  var median: Double { times.percentile(50) }

  /// Prints the median and the 99th percentile in microseconds, as text or as one JSON object.
  func print(asJSON: Bool) {
    let median = Int(median)
    let p99 = Int(times.percentile(99))
    if asJSON {
      let part = part.map { #","\#($0.name)_us":\#($0.time.rounded(toPlaces: 1))"# } ?? ""
      Swift.print(
        #"{"name":"\#(name)","count":\#(times.count),"median_us":\#(median),"p99_us":\#(p99)\#(part)}"#
      )
    } else {
      let part = part.map { ", of which \($0.name) \($0.time.rounded(toPlaces: 1)) µs" } ?? ""
      Swift.print("\(name): median \(median) µs\(part), p99 \(p99) µs over \(times.count)")
    }
  }
}

extension Double {
  /// The number rounded to a number of decimals.
  func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}

/// Two operations, measured in alternating blocks.
///
/// A change of the clock rate between runs affects both, so their ratio is stable.
struct Paired {
  /// How many times as long the baseline takes, as the median over the pairs of blocks.
  let ratio: Double
  /// The tenth and the ninetieth percentile of that ratio.
  let ratios: ClosedRange<Double>
  /// The median time of one call, in microseconds.
  let time: Double
  /// The median time of one call of the baseline, in microseconds.
  let baselineTime: Double

  /// Creates the result from times that were measured alternately, in microseconds. There must be
  /// at least one of each.
  init(times: [Double], baselineTimes: [Double]) {
    let ratios = zip(times, baselineTimes).map { $1 / $0 }
    ratio = ratios.percentile(50)
    self.ratios = ratios.percentile(10)...ratios.percentile(90)
    time = times.percentile(50)
    baselineTime = baselineTimes.percentile(50)
  }

  /// Measures `body` against `baseline`. The measured time includes destroying their results.
  ///
  /// - Parameters:
  ///   - blocks: The number of pairs of blocks. A block takes about ten milliseconds.
  ///   - overhead: Work whose time is subtracted from that of `body`. Defaults to none.
  init<Value, Baseline>(
    blocks: Int = 60, less overhead: (() throws -> Void)? = nil, _ body: () throws -> Value,
    against baseline: () throws -> Baseline
  ) rethrows {
    let calls = try Self.callsOfABlock(body)
    let baselineCalls = try Self.callsOfABlock(baseline)
    var times: [Double] = []
    var baselineTimes: [Double] = []
    for _ in 0..<blocks {
      let whole = try Self.time(calls, body)
      times.append(max(0.001, whole - (try overhead.map { try Self.time(calls, $0) } ?? 0)))
      baselineTimes.append(try Self.time(baselineCalls, baseline))
    }
    self.init(times: times, baselineTimes: baselineTimes)
  }

  /// The number of calls that take ten milliseconds.
  private static func callsOfABlock<Value>(_ body: () throws -> Value) rethrows -> Int {
    // The first call is slow, so the number is estimated three times.
    var calls = 1
    for _ in 0..<3 { calls = max(1, Int(10_000 / (try time(calls, body)))) }
    return calls
  }

  /// The time of one of several calls, in microseconds.
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
  /// The smallest element that is at least as large as the given percentage of the elements. 0
  /// without elements.
  func percentile(_ percent: Int) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, count * percent / 100)]
  }
}

/// The same value created in two ways. If the values differ, nothing is measured.
struct Comparison<Value, Baseline> {
  /// Makes the value with this library.
  let make: () throws -> Value
  /// Makes it with Foundation.
  let makeBaseline: () throws -> Baseline
  /// Returns the difference between the two values, or `nil` if they are equal.
  let difference: (Value, Baseline) throws -> String?

  init(
    _ make: @escaping () throws -> Value, against makeBaseline: @escaping () throws -> Baseline,
    difference: @escaping (Value, Baseline) throws -> String?
  ) {
    self.make = make
    self.makeBaseline = makeBaseline
    self.difference = difference
  }

  /// Compares both values and measures how long their creation takes.
  ///
  /// - Parameter overhead: Work whose time is subtracted from that of this library. Defaults to
  ///   none.
  /// - Throws: ``Mismatch`` if the values differ.
  func times(
    bytes: Int, blocks: Int = 60, less overhead: (() throws -> Void)? = nil
  ) throws -> BenchmarkCase.Outcome {
    if let difference = try difference(make(), makeBaseline()) {
      throw Mismatch(description: difference)
    }
    return .times(
      try Paired(blocks: blocks, less: overhead, make, against: makeBaseline), bytes: bytes)
  }
}

/// The error of a case whose two values differ, so that their times are meaningless.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// The contender that a child process runs.
enum Contender: String {
  case ours, foundation
}
