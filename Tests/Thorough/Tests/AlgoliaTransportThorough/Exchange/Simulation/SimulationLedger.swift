#if os(Linux)
  @testable import InstantSearchAPI
  @testable import AsyncInstantSearch
  import Foundation
  import Loopback

  /// What happened to the calls of a simulation, on all sides: callers, lookups and servers.
  ///
  /// It cancels a caller at the moment that its plan names.
  final class SimulationLedger: Sendable {
    private struct Entry {
      var task: Task<Void, Never>?
      var cancelledAt: ContinuousClock.Instant?
      var arrivals = 0
      /// Opened when the call has ended.
      let end = Gate()
    }

    private let calls: [Int: SimulatedCall]
    private let entries: Lock<[Int: Entry]>
    private let problemList = Lock<[String]>([])
    /// The calls to cancel when a call has ended.
    private let dependents: [Int: [Int]]

    init(_ calls: [SimulatedCall]) {
      self.calls = Dictionary(uniqueKeysWithValues: calls.map { ($0.id, $0) })
      entries = Lock(Dictionary(uniqueKeysWithValues: calls.map { ($0.id, Entry()) }))
      var dependents: [Int: [Int]] = [:]
      for call in calls {
        if case .atEnd(let other) = call.cancellation {
          dependents[other, default: []].append(call.id)
        }
      }
      self.dependents = dependents
    }

    /// What is wrong so far.
    var problems: [String] { problemList.withLock { $0 } }

    func report(_ problem: String, of call: Int) {
      problemList.withLock { $0.append("call \(call): \(problem)") }
    }

    /// How often the request of a call arrived.
    func arrivals(of call: Int) -> Int { entries.withLock { $0[call]?.arrivals ?? 0 } }

    // MARK: - Callers

    /// Notes the task of a caller.
    func begin(_ call: Int, as task: Task<Void, Never>) {
      let isCancelled = entries.withLock { entries in
        entries[call]?.task = task
        return entries[call]?.cancelledAt != nil
      }
      if isCancelled { task.cancel() }
    }

    /// Cancels a caller, now or when it begins.
    func cancel(_ call: Int) {
      let task = entries.withLock { entries in
        if entries[call]?.cancelledAt == nil { entries[call]?.cancelledAt = .now }
        return entries[call]?.task
      }
      task?.cancel()
    }

    /// When a caller was cancelled, or `nil`.
    func cancellationTime(of call: Int) -> ContinuousClock.Instant? {
      entries.withLock { $0[call]?.cancelledAt }
    }

    /// Notes that a caller has its outcome.
    func end(_ call: Int) {
      for dependent in dependents[call] ?? [] { cancel(dependent) }
      entries.withLock { $0[call]?.end }?.open()
    }

    // MARK: - Lookups

    /// Looks up the name of a call's host.
    func addresses(of host: String) -> [String]? {
      let parts = host.prefix { $0 != "." }.split(separator: "-")
      guard parts.count == 2, let id = Int(parts[1]), let call = calls[id], call.hostName == host
      else { return ["127.0.0.1"] }
      if call.cancellation == .atLookup { cancel(id) }
      switch call.host {
      case .heldUntilItsEnd: entries.withLock { $0[id]?.end }?.wait()
      case .heldUntilEnd(let other): entries.withLock { $0[other]?.end }?.wait()
      case .withRefusingAddress: return ["127.0.0.2", "127.0.0.1"]
      case .missing: return []
      case .failing: return nil
      case .address, .shared, .own: break
      }
      return ["127.0.0.1"]
    }

    // MARK: - Servers

    /// Notes a request, and returns the reaction to it.
    func reply(to request: LoopbackServer.Request, isProxy: Bool) -> LoopbackReply {
      guard let id = request.target.split(separator: "/").last.flatMap({ Int($0) }),
        let call = calls[id]
      else {
        problemList.withLock { $0.append("unknown request \(request.target)") }
        return .hangUp
      }
      entries.withLock { $0[id]?.arrivals += 1 }
      let isUnchanged =
        request.method == call.method.rawValue && request.headers["x-call"] == "\(id)"
        && request.target.hasPrefix("http://") == isProxy
        && SimulatedBody.areEqual(
          request.body, SimulatedBody.bytes(of: id, count: call.bodySize))
      if !isUnchanged { report("arrived changed", of: id) }
      if call.cancellation == .atArrival { cancel(id) }
      return call.reply.loopbackReply(to: id) {
        if call.cancellation == .atHalf { self.cancel(id) }
      }
    }
  }
#endif
