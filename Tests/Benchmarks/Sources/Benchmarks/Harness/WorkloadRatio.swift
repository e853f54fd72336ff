import AsyncInstantSearch
import Synchronization

/// The processor time of a workload as a multiple of the yardstick's.
///
/// Both are measured alternately in short blocks, and the shortest are compared, which a busy
/// neighbor affects least. The time is that of all threads of the process.
struct WorkloadRatio {
  /// How many times as long as the yardstick the workload takes.
  let ratio: Double
  /// The time of the workload, in microseconds.
  let time: Double

  /// The length of a block, in microseconds.
  private static let block = 5_000.0
  /// The processor time to measure for, in microseconds.
  private static let budget = 1_200_000.0
  /// The number of processes that measure a workload. The place of its data in memory, which
  /// affects its time, is different in each.
  private static let processCount = 3

  /// Measures each workload in several processes, and prints a line for each: its name and its
  /// smallest ratio.
  ///
  /// - Parameter names: The names of the workloads to measure; all if it is empty.
  static func report(_ all: [Workload], names: Set<String>, asJSON: Bool) throws {
    let workloads = all.filter { names.isEmpty || names.contains($0.name) }
    guard !workloads.isEmpty else {
      throw Mismatch(description: "the workloads are \(all.map(\.name).joined(separator: ", "))")
    }
    // The processes of one workload are far from each other, and so is what else the machine does.
    var ratios: [String: [WorkloadRatio]] = [:]
    for _ in 0..<processCount {
      for workload in workloads {
        let output = try ChildProcess.ofThisProgram(
          ["child", "ratio", workload.name], environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
        let numbers = output.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else {
          throw Mismatch(description: "\(workload.name) printed \(output)")
        }
        ratios[workload.name, default: []].append(Self(ratio: numbers[0], time: numbers[1]))
      }
    }
    for workload in workloads {
      let measured = (ratios[workload.name] ?? []).sorted { $0.ratio < $1.ratio }
      guard let least = measured.first, let most = measured.last else { continue }
      let ratio = least.ratio.rounded(toPlaces: 4)
      print(
        asJSON
          ? #"{"name":"\#(workload.name)","ratio":\#(ratio),"#
            + #""most":\#(most.ratio.rounded(toPlaces: 4)),"us":\#(least.time.rounded(toPlaces: 2))}"#
          : "\(workload.name) \(ratio)")
    }
  }

  /// The child process: measures a workload.
  static func runChild(_ workload: Workload) throws {
    let it = try Self(of: workload)
    print(it.ratio, it.time)
  }

  private init(ratio: Double, time: Double) {
    self.ratio = ratio
    self.time = time
  }

  private init(of workload: Workload) throws {
    let executor = CallingThreadExecutor()
    let prepared = Mutex<(work: Workload.Work, yardstick: Workload.Work)?>(nil)
    try executor.run {
      let it = try await workload.prepare(executor)
      prepared.withLock { $0 = it }
    }
    guard let (work, yardstick) = prepared.withLock({ $0 }) else {
      throw Mismatch(description: "\(workload.name) prepared nothing")
    }
    let calls = try Self.callsOfABlock(work, on: executor)
    let yardstickCalls = try Self.callsOfABlock(yardstick, on: executor)
    var times: [Double] = []
    var units: [Double] = []
    let start = ProcessFigures.processorTime
    while ProcessFigures.processorTime - start < Self.budget {
      units.append(try Self.time(yardstickCalls, yardstick, on: executor))
      times.append(try Self.time(calls, work, on: executor))
    }
    time = times.percentile(10)
    ratio = time / units.percentile(10)
  }

  /// The number of calls that fill a block.
  private static func callsOfABlock(
    _ work: @escaping Workload.Work, on executor: CallingThreadExecutor
  ) throws -> Int {
    var calls = 1
    // The first calls are slow.
    for _ in 0..<5 {
      calls = max(1, Int((block / (try time(calls, work, on: executor))).rounded()))
    }
    return calls
  }

  /// The processor time of one of several calls, in microseconds.
  private static func time(
    _ calls: Int, _ work: @escaping Workload.Work, on executor: CallingThreadExecutor
  ) throws -> Double {
    let start = ProcessFigures.processorTime
    try executor.run { for _ in 0..<calls { try await work() } }
    return max(0.01, (ProcessFigures.processorTime - start) / Double(calls))
  }
}
