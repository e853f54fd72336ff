import AsyncInstantSearch
import Foundation
import LocalSearch

/// Measures what hostile input costs the embedded engine: its processor time, how soon a cancelled
/// call returns, and the memory that it takes beside the size of the input.
///
/// The catalogue is the one of ``EngineCatalogue``. Each case is bounded if it takes at most 100 ms
/// of processor time or returns within 50 ms of its cancellation, and if the memory of the process
/// grows by at most four times the input and the answer. Less than a megabyte counts as one.
struct HostileInput {
  /// One call.
  struct Case: Sendable {
    let name: String
    /// The size of what the call is given or reads, in bytes.
    let input: Int
    /// What is done before each call, and not measured.
    var prepare: @Sendable () async throws -> Void = {}
    /// Makes the call, and returns the size of the answer. Throws the error of a cancelled call.
    let call: @Sendable () async throws -> Int
    /// Checks what a call that was cancelled has left.
    var checkCancelled: @Sendable () async throws -> Void = {}
  }

  /// What a case took.
  private struct Figures {
    var processorTime = 0.0
    /// From the cancellation to the return, in milliseconds: the median and the longest.
    var cancellation: (median: Double, longest: Double)?
    /// Of the memory, in bytes: at most, and after the call.
    var growth = 0
    var kept = 0
    /// The size of the answer, in bytes.
    var answer = 0
  }

  private static let maximumProcessorTime = 100.0
  private static let maximumCancellation = 50.0
  private static let maximumGrowth = 4.0
  private static let smallestInput = 1 << 20

  /// Measures the cases whose names begin with one of some texts, or all.
  ///
  /// - Parameter arguments: The folder of the catalogue, its number of records, and the texts.
  static func report(_ arguments: [String], asJSON: Bool) async throws {
    guard let folder = arguments.first, arguments.count > 1, let count = Int(arguments[1]) else {
      throw Mismatch(description: "usage: Benchmarks hostile FOLDER RECORDS [NAME]...")
    }
    let file = URL(filePath: folder).appending(path: "records-\(count).ndjson")
    let names = arguments.dropFirst(2)
    func isWanted(_ name: String) -> Bool {
      names.isEmpty || names.contains { name.hasPrefix($0) || $0.hasPrefix(name) }
    }
    // Each group has engines of its own, which end before those of the next.
    for (name, cases) in HostileGroup.all(file) where isWanted(name) {
      for it in try await cases() where isWanted(it.name) {
        let figures = try await measure(it)
        print(it, figures, asJSON: asJSON)
      }
    }
    if isWanted("torn") { try await reportTorn(file, asJSON: asJSON) }
  }

  private static func measure(_ it: Case) async throws -> Figures {
    var figures = Figures()
    let clock = ContinuousClock()
    try await it.prepare()
    // What earlier calls have freed is not there for this one.
    ProcessFigures.releaseFreeMemory()
    ProcessFigures.resetPeakMemory()
    let memory = ProcessFigures.memory
    figures.answer = try await it.call()
    figures.growth = max(0, ProcessFigures.peakMemory - memory) * 1024
    ProcessFigures.releaseFreeMemory()
    figures.kept = max(0, ProcessFigures.memory - memory) * 1024
    var (times, costs): ([Double], [Double]) = ([], [])
    for _ in 0..<3 {
      try await it.prepare()
      let (start, cost) = (clock.now, ProcessFigures.processorTime)
      _ = try await it.call()
      times.append(start.duration(to: clock.now).microseconds / 1000)
      costs.append((ProcessFigures.processorTime - cost) / 1000)
    }
    figures.processorTime = costs.percentile(50)
    let time = times.percentile(50)
    guard time >= 2 else { return figures }
    var delays: [Double] = []
    for tenth in 1...9 {
      try await it.prepare()
      let task = Task { try await it.call() }
      try await Task.sleep(for: .milliseconds(time * Double(tenth) / 10))
      let start = clock.now
      task.cancel()
      let result = await task.result
      let delay = start.duration(to: clock.now).microseconds / 1000
      // Others ended before it.
      if case .failure(is CancellationError) = result {
        delays.append(delay)
        try await it.checkCancelled()
      } else if case .failure(let error as SearchError) = result, error.code == .cancelled {
        delays.append(delay)
        try await it.checkCancelled()
      }
    }
    if let longest = delays.max() { figures.cancellation = (delays.percentile(50), longest) }
    return figures
  }

  private static func print(_ it: Case, _ figures: Figures, asJSON: Bool) {
    let ratio = Double(figures.growth) / Double(max(it.input + figures.answer, smallestInput))
    let isSoon =
      figures.processorTime <= maximumProcessorTime
      || figures.cancellation.map { $0.longest <= maximumCancellation } ?? false
    func text(_ value: Double?) -> String {
      value.map { String($0.rounded(toPlaces: 1)) } ?? (asJSON ? "null" : "-")
    }
    let cpu = text(figures.processorTime)
    let (median, longest) = (
      text(figures.cancellation?.median), text(figures.cancellation?.longest)
    )
    let isBounded = isSoon && ratio <= maximumGrowth
    Swift.print(
      asJSON
        ? #"{"name":"hostile.\#(it.name)","input_bytes":\#(it.input),"#
          + #""answer_bytes":\#(figures.answer),"cpu_ms":\#(cpu),"#
          + #""cancel_p50_ms":\#(median),"cancel_max_ms":\#(longest),"#
          + #""growth_bytes":\#(figures.growth),"growth_per_byte":\#(text(ratio)),"#
          + #""kept_bytes":\#(figures.kept),"#
          + #""bounded":\#(isBounded)}"#
        : "\(it.name): \(cpu) ms, cancelled in \(median) ms, at most \(longest), grows by"
          + " \(figures.growth / 1024) KB for \(it.input / 1024), \(text(ratio)) times, and keeps"
          + " \(figures.kept / 1024)\(isBounded ? "" : ": NOT BOUNDED")"
    )
    fflush(nil)
  }

  /// Counts the answers that show a part of a write, beside a writer that replaces every record.
  private static func reportTorn(_ file: URL, asJSON: Bool) async throws {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .prefix(10_000).map(String.init)
    let engine = LocalSearch()
    try await engine.load(Array(lines.joined(separator: "\n").utf8), into: "products")
    let queries = ["", "a", "red"].map { Array(#"{"query":"\#($0)"}"#.utf8) }
    let figures = try await EngineWrites(
      engine: engine, index: "products", queries: queries, records: lines
    ).run()
    Swift.print(
      asJSON
        ? #"{"name":"hostile.torn","answers":\#(figures.beside.count),"torn":\#(figures.tornCount)}"#
        : "torn: \(figures.tornCount) of \(figures.beside.count) answers")
  }
}
