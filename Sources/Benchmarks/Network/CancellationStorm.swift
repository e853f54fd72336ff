import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import Loopback

/// A hundred calls at once that are all cancelled, in a process of their own each time: whether one
/// hangs or crashes, and how long after the cancellation the last caller goes on.
///
/// On Linux, cancelling the tasks of `URLSession` does both.
struct CancellationStorm {
  /// What the calls meet.
  enum Server: String, CaseIterable {
    case refusing, fast, silent
  }

  private static let callCount = 100
  private static let delays = [100, 8000]

  /// Storms in so many processes for each exchange, server and delay, and prints what came of them.
  ///
  /// - Throws: ``Mismatch`` when a process hung or crashed.
  static func report(processCount: Int, asJSON: Bool) throws {
    var failures: [String] = []
    for contender in NetworkContender.available {
      for server in Server.allCases {
        for delay in delays {
          let storm = try storms(contender, server, delay: delay, processCount: processCount)
          storm.print(asJSON: asJSON)
          if storm.hung + storm.crashed > 0 { failures.append(storm.name) }
        }
      }
    }
    if !failures.isEmpty {
      throw Mismatch(description: "hung or crashed: \(failures.joined(separator: ", "))")
    }
  }

  private let name: String
  private var hung = 0
  private var crashed = 0
  /// For each process, when the last caller went on, in microseconds.
  private var times: [Double] = []

  private static func storms(
    _ contender: NetworkContender, _ server: Server, delay: Int, processCount: Int
  ) throws -> CancellationStorm {
    var storm = CancellationStorm(
      name: "cancellation.\(contender).\(server).\(Double(delay) / 1000) ms")
    #if os(macOS) || os(Linux)
      for _ in 0..<processCount {
        let child = try RunningChild(
          ["child", "cancel", contender.rawValue, server.rawValue, "\(delay)"])
        switch child.end(within: 10) {
        case .hung: storm.hung += 1
        case .crashed: storm.crashed += 1
        case .ended(let text):
          guard let time = Double(text) else {
            throw ChildProcess.Failure(description: "a child printed \(text.debugDescription)")
          }
          storm.times.append(time)
        }
      }
    #endif
    return storm
  }

  private init(name: String) {
    self.name = name
  }

  private func print(asJSON: Bool) {
    let sorted = times.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let last = sorted.last ?? 0
    let late = sorted.count { $0 > 50_000 }
    Swift.print(
      asJSON
        ? #"{"name":"\#(name)","ok":\#(times.count),"hung":\#(hung),"crashed":\#(crashed),"#
          + #""median_us":\#(Int(median)),"max_us":\#(Int(last)),"over_50_ms":\#(late)}"#
        : "\(name): \(times.count) ended, \(hung) hung, \(crashed) crashed; the last caller went on "
          + "\(Int(median)) µs after the cancellation (median), \(Int(last)) µs at most, "
          + "\(late) times later than 50 ms")
  }

  /// The child's part: one storm; prints after how many microseconds the last caller went on.
  static func once(_ contender: NetworkContender, _ server: Server, delay: Int) async throws {
    let closed = try LoopbackSocket.bound()
    let loopback = try LoopbackServer(keepsRequests: false) { _ in
      server == .silent ? .silence : .json("{}")
    }
    let transport = try contender.makeTransport(
      ports: [server == .refusing ? closed.port : loopback.port])
    let request = TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "films", "query"],
      body: Array(#"{"query":"star"}"#.utf8), callType: .read)
    let clock = ContinuousClock()
    let cancellation = Lock<ContinuousClock.Instant?>(nil)
    let latest = await withTaskGroup(of: ContinuousClock.Instant.self) { group in
      for _ in 0..<callCount {
        group.addTask {
          _ = try? await transport.send(request)
          return clock.now
        }
      }
      try? await Task.sleep(for: .microseconds(delay))
      let now = clock.now
      cancellation.withLock { $0 = now }
      group.cancelAll()
      return await group.reduce(into: now) { $0 = max($0, $1) }
    }
    let start = cancellation.withLock { $0 } ?? latest
    Swift.print(Int(start.duration(to: latest).microseconds))
    // Without leaving `main`, which would wait for threads of the server.
    exit(0)
  }
}
