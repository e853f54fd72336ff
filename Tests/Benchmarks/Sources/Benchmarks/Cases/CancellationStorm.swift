import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import Loopback

/// A hundred concurrent calls that are all cancelled, each time in a separate process. Checks
/// whether one hangs or crashes, and how long after the cancellation the last caller continues.
///
/// On Linux, cancelling the tasks of `URLSession` does both.
struct CancellationStorm {
  /// The behavior of the server.
  enum Server: String, CaseIterable {
    case refusing, fast, silent
  }

  private static let callCount = 100
  private static let delays = [100, 8000]
  /// The time after which a caller is late, in microseconds.
  private static let lateness = 50_000.0

  /// Runs a number of processes for each exchange, server and delay, and prints the results.
  ///
  /// - Throws: ``Mismatch`` if a process hung or crashed, or if in most of them a caller continued
  ///   later than 50 ms after the cancellation.
  static func report(processCount: Int, asJSON: Bool) throws {
    var failures: [String] = []
    for contender in NetworkContender.available {
      for server in Server.allCases {
        for delay in delays {
          let storm = try storms(contender, server, delay: delay, processCount: processCount)
          storm.print(asJSON: asJSON)
          if storm.hung + storm.crashed > 0 || storm.median > lateness {
            failures.append(storm.name)
          }
        }
      }
    }
    if !failures.isEmpty {
      throw Mismatch(description: "hung, crashed or late: \(failures.joined(separator: ", "))")
    }
  }

  private let name: String
  private var hung = 0
  private var crashed = 0
  /// The time at which the last caller of each process continued, in microseconds.
  private var times: [Double] = []
  /// The number of calls in flight at the cancellation, in all processes.
  private var cancelledCount = 0

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
          let numbers = text.split(separator: " ").compactMap { Int($0) }
          guard numbers.count == 2 else {
            throw ChildProcess.Failure(description: "a child printed \(text.debugDescription)")
          }
          storm.times.append(Double(numbers[0]))
          storm.cancelledCount += numbers[1]
        }
      }
    #endif
    return storm
  }

  private init(name: String) {
    self.name = name
  }

  private var median: Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }

  private func print(asJSON: Bool) {
    let last = times.max() ?? 0
    let late = times.count { $0 > Self.lateness }
    Swift.print(
      asJSON
        ? #"{"name":"\#(name)","ok":\#(times.count),"hung":\#(hung),"crashed":\#(crashed),"#
          + #""cancelled":\#(cancelledCount),"median_us":\#(Int(median)),"max_us":\#(Int(last)),"over_50_ms":\#(late)}"#
        : "\(name): \(times.count) ended, \(hung) hung, \(crashed) crashed; "
          + "\(cancelledCount) calls were in flight; the last caller continued \(Int(median)) µs after the cancellation (median), \(Int(last)) µs at most, "
          + "\(late) times later than 50 ms")
  }

  /// The child process: prints the time until the last caller continued in microseconds, and the
  /// number of cancelled calls.
  static func once(_ contender: NetworkContender, _ server: Server, delay: Int) async throws {
    let closed = try LoopbackSocket.bound()
    let loopback = try LoopbackServer(keepsRequests: false) { _ in
      server == .silent ? .silence : .json("{}")
    }
    let transport = try contender.makeTransport(
      ports: [server == .refusing ? closed.port : loopback.port])
    let request = TransportRequest(
      .search(index: "films"), body: Array(#"{"query":"star"}"#.utf8))
    let clock = ContinuousClock()
    let (start, ends) = await withTaskGroup(
      of: (time: ContinuousClock.Instant, isCancelled: Bool).self
    ) { group in
      for _ in 0..<callCount {
        group.addTask {
          do {
            _ = try await transport.send(request)
          } catch is CancellationError {
            return (clock.now, true)
          } catch {}
          return (clock.now, false)
        }
      }
      try? await Task.sleep(for: .microseconds(delay))
      let start = clock.now
      group.cancelAll()
      return (start, await group.reduce(into: []) { $0.append($1) })
    }
    let last = ends.map(\.time).max() ?? start
    Swift.print(
      Int(max(start.duration(to: last), .zero).microseconds), ends.count(where: \.isCancelled))
    // Without leaving `main`, which would wait for threads of the server.
    exit(0)
  }
}

/// Calls that are cancelled while their hosts are being looked up. Checks that the lookups, which
/// cannot be cancelled, do not leave threads and descriptors behind.
///
/// It is most useful with a name server that does not respond. Otherwise a lookup ends at once.
enum LookupStorm {
  private static let roundCount = 20
  private static let callCount = 64
  /// The threads and descriptors of the lookups, and those of any such process.
  private static let largestGrowth = 32

  /// Makes and cancels the calls, and prints the threads and descriptors of the process.
  ///
  /// - Throws: ``Mismatch`` if there are many more threads or descriptors than before.
  static func report(asJSON: Bool) async throws {
    let exchange = try NetworkContender.available[0].makeExchange()
    let threads = ProcessFigures.threadCount
    let descriptors = ProcessFigures.descriptorCount
    for round in 0..<roundCount {
      await withTaskGroup(of: Void.self) { group in
        for call in 0..<callCount {
          group.addTask {
            let request = HTTPExchangeRequest(
              method: .get, url: "http://host-\(round)-\(call % 8).example/", timeout: .seconds(60))
            _ = try? await exchange(request)
          }
        }
        try? await Task.sleep(for: .milliseconds(20))
        group.cancelAll()
      }
    }
    let newThreads = ProcessFigures.threadCount - threads
    let newDescriptors = ProcessFigures.descriptorCount - descriptors
    print(
      asJSON
        ? #"{"name":"lookups","threads":\#(newThreads),"descriptors":\#(newDescriptors)}"#
        : "lookups: after \(roundCount * callCount) cancelled calls there are \(newThreads) more "
          + "threads and \(newDescriptors) more descriptors")
    guard max(newThreads, newDescriptors) <= largestGrowth else {
      throw Mismatch(description: "lookups of cancelled calls are not bounded")
    }
  }
}
