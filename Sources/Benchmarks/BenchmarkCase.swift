/// One thing that this library does, and another way of doing it: mostly Foundation's.
struct BenchmarkCase {
  /// What a case found out.
  enum Outcome {
    /// The times of both, for so many bytes of JSON.
    case times(Paired, bytes: Int)
    /// How often each asked for memory.
    case allocations(Int, baseline: Int)
    /// Nothing, for the reason given.
    case notMeasured(String)
  }

  let name: String
  /// The other way: a type of Foundation, or words.
  let baseline: String
  /// Makes what is needed, checks that both come to the same, and measures.
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
