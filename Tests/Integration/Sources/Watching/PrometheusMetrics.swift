public import CoreMetrics
import Synchronization

/// Keeps the metrics of a program for Prometheus, which reads them as a page of text.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)
/// // GET /metrics
/// metrics.text()
/// ```
///
/// Counters end with `_total`. Timers are histograms in seconds and end with `_seconds`. Recorders
/// are histograms of bytes, or gauges if they do not aggregate.
public final class PrometheusMetrics: MetricsFactory, Sendable {
  /// The content type of the page.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private struct Family {
    let kind: String
    var series: [String: any Series] = [:]
  }

  private struct State {
    var families: [String: Family] = [:]
    /// The series by label and dimensions as they were given. Names are made once.
    var known: [Key: any Series] = [:]
  }

  private struct Key: Hashable {
    let label: String
    let dimensions: [String]
  }

  private let state = Mutex(State())
  private let help: [String: String]
  /// More series than that are counted and not shown.
  private static let maximumCount = 10_000

  /// Creates a factory without metrics.
  ///
  /// - Parameter help: A sentence for each metric of the page, by its name there. Defaults to none.
  public init(help: [String: String] = [:]) { self.help = help }

  /// A value that is read at the time of the page.
  public struct Sample: Sendable {
    let label: String
    let value: Double
    let dimensions: [(String, String)]

    /// Creates the sample of a gauge.
    public init(_ label: String, _ value: Double, dimensions: [(String, String)] = []) {
      self.label = label
      self.value = value
      self.dimensions = dimensions
    }
  }

  /// The page of all metrics and of the samples, sorted.
  public func text(with samples: [Sample] = []) -> String {
    var families = state.withLock { $0.families }
    for sample in samples {
      let gauge = Gauge()
      gauge.record(sample.value)
      families[Self.name(sample.label), default: Family(kind: "gauge")]
        .series[Self.labels(sample.dimensions)] = gauge
    }
    return families.sorted { $0.key < $1.key }.map { name, family in
      (help[name].map { "# HELP \(name) \($0)\n" } ?? "") + "# TYPE \(name) \(family.kind)\n"
        + family.series.sorted { $0.key < $1.key }.map { $1.lines(name, labels: $0) }.joined()
    }.joined()
  }

  // MARK: The factory

  /// Returns the counter of a label.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler {
    series(label + "_total", "counter", dimensions) { Count() }
  }

  /// Returns the histogram or the gauge of a label.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    if aggregate {
      series(label, "histogram", dimensions) { Histogram(limits: Histogram.bytes) }
    } else {
      series(label, "gauge", dimensions) { Gauge() }
    }
  }

  /// Returns the histogram of a label, in seconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label + "_seconds", "histogram", dimensions) { Histogram(limits: Histogram.seconds) }
  }

  /// Does nothing: a counter that is gone still counts.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing.
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func series<Handler: Series>(
    _ label: String, _ kind: String, _ dimensions: [(String, String)], make: () -> Handler
  ) -> Handler {
    let key = Key(label: label, dimensions: dimensions.flatMap { [$0, $1] })
    return state.withLock { state in
      if let known = state.known[key] as? Handler { return known }
      let new = make()
      guard state.known.count < Self.maximumCount else { return new }
      let name = Self.name(label)
      let labels = Self.labels(dimensions)
      var family = state.families[name] ?? Family(kind: kind)
      // A label of another kind has no place.
      if family.kind == kind {
        family.series[labels] = new
        state.families[name] = family
        state.known[key] = new
      }
      return new
    }
  }

  private static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func labels(_ dimensions: [(String, String)]) -> String {
    dimensions.map { "\(name($0))=\"\(escaped($1))\"" }.joined(separator: ",")
  }

  /// Escapes scalars: a quotation mark and an accent on it are one character.
  private static func escaped(_ text: String) -> String {
    String(
      text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { result, scalar in
        switch scalar {
        case "\\": result += "\\\\".unicodeScalars
        case "\"": result += "\\\"".unicodeScalars
        case "\n": result += "\\n".unicodeScalars
        default: result.append(scalar)
        }
      })
  }
}

/// One metric with its labels.
private protocol Series: Sendable {
  func lines(_ name: String, labels: String) -> String
}

private func line(_ name: String, _ labels: String, _ value: some CustomStringConvertible) -> String
{
  labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
}

private final class Count: CounterHandler, Series {
  private let value = Atomic<Int64>(0)

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { value.store(0, ordering: .relaxed) }
  func lines(_ name: String, labels: String) -> String {
    line(name, labels, value.load(ordering: .relaxed))
  }
}

private final class Gauge: RecorderHandler, Series {
  private let value = Mutex(0.0)

  func record(_ new: Int64) { record(Double(new)) }
  func record(_ new: Double) { value.withLock { $0 = new } }
  func lines(_ name: String, labels: String) -> String { line(name, labels, value.withLock { $0 }) }
}

private final class Histogram: RecorderHandler, TimerHandler, Series {
  static let seconds: [Double] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]
  static let bytes: [Double] = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216]

  private struct State {
    var counts: [Int]
    var sum = 0.0
  }

  private let limits: [Double]
  private let state: Mutex<State>

  init(limits: [Double]) {
    self.limits = limits
    state = Mutex(State(counts: Array(repeating: 0, count: limits.count + 1)))
  }

  func record(_ value: Int64) { record(Double(value)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  func record(_ value: Double) {
    let bucket = limits.firstIndex { value <= $0 } ?? limits.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  func lines(_ name: String, labels: String) -> String {
    let state = state.withLock { $0 }
    let prefix = labels.isEmpty ? "" : labels + ","
    var count = 0
    var text = ""
    for (limit, own) in zip(limits.map { "\($0)" } + ["+Inf"], state.counts) {
      count += own
      text += line(name + "_bucket", prefix + "le=\"\(limit)\"", count)
    }
    return text + line(name + "_sum", labels, state.sum) + line(name + "_count", labels, count)
  }
}
