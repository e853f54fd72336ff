import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import Synchronization

/// Calls at full speed against servers with random faults, cancellations and deadlines. Checks that
/// every call ends, and that memory, connections and threads stay bounded.
struct Soak {
  /// The results of the calls.
  private struct Counts: Sendable {
    var begun = 0
    var answered = 0
    var cancelled = 0
    var failures: [String: Int] = [:]

    var ended: Int { answered + cancelled + failures.values.reduce(0, +) }
  }

  private final class Ledger: Sendable {
    let counts = Mutex(Counts())
    let attempts = Mutex(0)
  }

  private struct Sample {
    let seconds: Int
    let memory: Int
    let descriptors: Int
    let threads: Int
  }

  private static let workerCount = 32
  /// The time in seconds after which a call has ended, even with the transport's own deadline.
  private static let longestCall = 180.0

  /// Runs for a number of seconds and prints the results.
  ///
  /// - Throws: ``Mismatch`` if a call did not end, or if memory or connections grew.
  static func report(_ contender: NetworkContender, seconds: Int, asJSON: Bool) async throws {
    #if os(macOS) || os(Linux)
      // URLSession on Linux ends the process for a response without complete headers.
      let kind = contender == .urlSession ? "mild" : "faulty"
      let (servers, ports) = try ServerChild.start(kind, count: 4)
      defer { servers.kill() }
      let ledger = Ledger()
      let transport = try contender.makeTransport(ports: ports) {
        $0.readTimeout = .milliseconds(100)
        $0.onAttempt = { _ in ledger.attempts.withLock { $0 += 1 } }
      }
      let client = SearchClient(transport: transport)
      let end = ContinuousClock.now.advanced(by: .seconds(seconds))
      let watchdog = DispatchWorkItem {
        print("soak.\(contender): some calls do not end")
        exit(1)
      }
      DispatchQueue.global()
        .asyncAfter(deadline: .now() + Double(seconds) + longestCall, execute: watchdog)
      defer { watchdog.cancel() }
      var samples: [Sample] = []
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<workerCount {
          group.addTask { await work(client, until: end, seed: UInt64(worker), ledger) }
        }
        samples = await watch(for: seconds, asJSON: asJSON)
      }
      try finish(contender, ledger, samples, asJSON: asJSON)
    #endif
  }

  /// Makes calls sequentially. Some are cancelled and some have a short deadline.
  private static func work(
    _ client: SearchClient, until end: ContinuousClock.Instant, seed: UInt64, _ ledger: Ledger
  ) async {
    var generator = SeededGenerator(seed: seed)
    while ContinuousClock.now < end {
      ledger.counts.withLock { $0.begun += 1 }
      var options = RequestOptions()
      if Int.random(in: 0..<10, using: &generator) == 0 {
        options.timeout = .microseconds(Int.random(in: 1...20_000, using: &generator))
      }
      let call = Task { [options] in
        try await client.search("products", SearchQuery("phone"), of: JSON.self, options: options)
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        try? await Task.sleep(for: .microseconds(Int.random(in: 0...10_000, using: &generator)))
        call.cancel()
      }
      switch await call.result {
      case .success: ledger.counts.withLock { $0.answered += 1 }
      case .failure(let error): note(error, in: ledger)
      }
    }
  }

  private static func note(_ error: any Error, in ledger: Ledger) {
    let name = (error as? SearchError).map { "\($0.code)" } ?? "no SearchError"
    ledger.counts.withLock { counts in
      if name == "cancelled" {
        counts.cancelled += 1
      } else {
        counts.failures[name, default: 0] += 1
      }
    }
  }

  /// Samples the process regularly.
  private static func watch(for seconds: Int, asJSON: Bool) async -> [Sample] {
    let step = max(1, seconds / 20)
    var samples: [Sample] = []
    for second in stride(from: step, through: seconds, by: step) {
      try? await Task.sleep(for: .seconds(step))
      let sample = Sample(
        seconds: second, memory: ProcessFigures.memory,
        descriptors: ProcessFigures.descriptorCount, threads: ProcessFigures.threadCount)
      samples.append(sample)
      if !asJSON {
        print(
          "  after \(second) s: \(sample.memory) KB, \(sample.descriptors) descriptors, "
            + "\(sample.threads) threads")
      }
    }
    return samples
  }

  private static func finish(
    _ contender: NetworkContender, _ ledger: Ledger, _ samples: [Sample], asJSON: Bool
  ) throws {
    let counts = ledger.counts.withLock { $0 }
    let attempts = ledger.attempts.withLock { $0 }
    let seconds = samples.last?.seconds ?? 0
    // After the first minute, or the first tenth of a short run.
    let settled = samples.filter { $0.seconds >= min(60, max(1, seconds / 10)) }
    let early = settled.prefix(settled.count / 2)
    let late = settled.suffix(settled.count / 2)
    let growth = median(late.map(\.memory)) - median(early.map(\.memory))
    let descriptorGrowth =
      median(late.map(\.descriptors)) - median(early.map(\.descriptors))
    let failures = counts.failures.sorted { $0.key < $1.key }
    if asJSON {
      let members = failures.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      print(
        #"{"name":"soak.\#(contender)","seconds":\#(seconds),"begun":\#(counts.begun),"#
          + #""ended":\#(counts.ended),"answered":\#(counts.answered),"#
          + #""cancelled":\#(counts.cancelled),"failures":{\#(members)},"#
          + #""attempts":\#(attempts),"memory_growth_kb":\#(growth),"#
          + #""descriptor_growth":\#(descriptorGrowth),"#
          + #""threads":\#(samples.map(\.threads).max() ?? 0)}"#)
    } else {
      let words = failures.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      print(
        "soak.\(contender): \(counts.begun) calls in \(seconds) s, \(attempts) attempts; "
          + "\(counts.answered) answered, \(counts.cancelled) cancelled, \(words); "
          + "memory grew by \(growth) KB and descriptors by \(descriptorGrowth) from the first "
          + "half to the second, at most \(samples.map(\.threads).max() ?? 0) threads")
    }
    guard counts.ended == counts.begun, counts.failures["no SearchError"] == nil else {
      throw Mismatch(description: "\(counts.begun) calls begun, \(counts.ended) ended")
    }
    // A process needs at least a minute to reach a steady state.
    guard descriptorGrowth < workerCount, growth < (seconds < 60 ? 8192 : 4096) else {
      throw Mismatch(description: "memory or connections grew")
    }
  }

  private static func median(_ values: [Int]) -> Int {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
