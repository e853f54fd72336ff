#if os(Linux)
  @testable import InstantSearchAPI
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  import Foundation
  import Loopback
  import class Loopback.AwaitableList
  import TestSupport
  import Testing

  /// Name lookups, with a name server that the test controls.
  @Suite(.timeLimit(.minutes(30))) struct NameLookupTests {
    private func exchange(_ lookups: NameLookups) throws -> CurlExchange {
      try #require(CurlExchange(.init(proxy: .none), lookups: lookups, asksBeforeSending: true))
    }

    private func request(
      _ host: String, port: Int = 9, timeout: Duration = .seconds(3600)
    ) -> HTTPExchangeRequest {
      HTTPExchangeRequest(
        method: .get, url: "http://\(host):\(port)/", timeout: timeout)
    }

    @Test func concurrentLookupsOfANameAreShared() async throws {
      let begun = AwaitableList<String>()
      let lookups = NameLookups {
        begun.append($0)
        return ["::1", "127.0.0.1"]
      }
      let exchange = try exchange(lookups)
      let server = try LoopbackServer { .json($0.headers["host"] ?? "") }
      defer { server.stop() }
      let port = server.port
      try await withThrowingTaskGroup(of: HTTPExchangeResponse.self) { group in
        for _ in 0..<30 {
          group.addTask { try await exchange.send(request("Search.example", port: port)) }
        }
        for try await answer in group {
          expectEqual(answer.body, Array("Search.example:\(port)".utf8))
        }
      }
      expectEqual(begun.elements, ["Search.example"])
    }

    @Test func lookupsThatNoCallerWaitsForDoNotBlockOthers() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let limit = 4
      // No thread is refused, however slowly this machine cancels the calls.
      let lookups = NameLookups(limit: limit, maximumThreadCount: 1000) {
        begun.append($0)
        if $0.hasPrefix("silent") { gate.wait() }
        return ["127.0.0.1"]
      }
      defer { gate.open() }
      let exchange = try exchange(lookups)
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      for round in 0..<5 {
        let calls = (0..<64).map { number in
          Task { try await exchange.send(request("silent-\(round)-\(number).example")) }
        }
        await begun.reach(limit * (round + 1))
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.result.failure is CancellationError) }
      }
      let answer = try await exchange.send(request("search.example", port: server.port))
      expectEqual(answer.status, 200)
      #expect(begun.elements.contains("search.example"))
      #expect(lookups.threadCount >= limit * 5)
    }

    @Test func callersWaitForALimitedNumberOfLookups() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let lookups = NameLookups(limit: 3) {
        begun.append($0)
        gate.wait()
        return nil
      }
      let exchange = try exchange(lookups)
      let calls = (0..<10).map { number in
        Task { try await exchange.send(request("silent-\(number).example")) }
      }
      await begun.reach(3)
      expectEqual(lookups.threadCount, 3)
      gate.open()
      for call in calls {
        await expectEqual(call.result.failure as? HTTPExchangeError, .network("host not found"))
      }
      expectEqual(Set(begun.elements).count, 10)
    }

    /// The queued lookup does not wait for the next call, or for the end of the running lookup.
    @Test func lookupBeginsWhenNoCallerWaitsForTheOneBefore() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let lookups = NameLookups(limit: 1) {
        begun.append($0)
        gate.wait()
        return nil
      }
      defer { gate.open() }
      guard
        case .pending(let id) = lookups.addresses(of: "silent.example", orLater: { _ in })
      else {
        Issue.record("known addresses")
        return
      }
      await begun.reach(1)
      _ = lookups.addresses(of: "search.example") { _ in }
      expectEqual(lookups.threadCount, 1)
      lookups.cancel(id, from: "silent.example")
      try #require(lookups.threadCount == 2)
      await begun.reach(2)
      expectEqual(begun.elements, ["silent.example", "search.example"])
    }

    @Test func threadsOfCancelledCallsAreBounded() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let lookups = NameLookups(limit: 3, maximumThreadCount: 3) {
        begun.append($0)
        gate.wait()
        return nil
      }
      let exchange = try exchange(lookups)
      for round in 0..<Thoroughness.count(5, thorough: 20) {
        let calls = (0..<64).map { number in
          Task { try await exchange.send(request("host-\(round)-\(number / 8).example")) }
        }
        if round == 0 { await begun.reach(3) }
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.result.failure is CancellationError) }
      }
      expectEqual(lookups.threadCount, 3)
      expectEqual(begun.elements.count, 3)
      // The exchange has removed the queued lookups before it answers a call that came later.
      await #expect(throws: HTTPExchangeError.self) {
        try await exchange.send(request("127.0.0.1"))
      }
      // Lookups that have begun keep their slots until they end. This one waits for a slot.
      let last = Task { try await exchange.send(request("last.example")) }
      gate.open()
      await #expect(throws: HTTPExchangeError.network("host not found")) { try await last.value }
      expectEqual(begun.elements.count, 3 + 1)
      expectEqual(begun.elements.last, "last.example")
    }

    /// Runs in a separate process, whose descriptors are those of the calls only.
    @Test func lookupsOfCancelledAndFailedCallsLeaveNoDescriptors() async {
      await #expect(processExitsWith: .success) {
        let limit = 4
        let gate = Gate()
        let begun = AwaitableList<String>()
        // Like the system's lookup, it holds a socket while it waits for the name server.
        let lookups = NameLookups(limit: limit) {
          let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
          defer { close(socket) }
          begun.append($0)
          gate.wait()
          return nil
        }
        let exchange = try #require(
          CurlExchange(.init(proxy: .none), lookups: lookups, asksBeforeSending: true))
        func call(_ host: String) -> Task<HTTPExchangeResponse, any Error> {
          Task {
            try await exchange.send(
              HTTPExchangeRequest(
                method: .get, url: "http://\(host):9/", timeout: .seconds(3600)))
          }
        }
        // Descriptors of the exchange itself are open before.
        let server = try LoopbackServer { _ in .json("{}") }
        _ = try await exchange.send(
          HTTPExchangeRequest(
            method: .get, url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(3600)))
        let before = try openDescriptors()
        for round in 0..<Thoroughness.count(5, thorough: 20) {
          let calls = (0..<64).map { call("host-\(round)-\($0)") }
          if round == 0 { await begun.reach(limit) }
          for call in calls { call.cancel() }
          for call in calls { _ = await call.result }
        }
        let during = try openDescriptors()
        // The process opens and closes a few for other purposes at any time. A leak is one for each
        // of hundreds of calls.
        #expect(during < before + limit + 40)
        gate.open()
        // Failed lookups, and lookups of the system that fail without a name server.
        let system = try #require(CurlExchange(.init(proxy: .none)))
        for number in 0..<Thoroughness.count(40, thorough: 200) {
          await #expect(throws: HTTPExchangeError.self) { try await call("last-\(number)").value }
          _ = await #expect(throws: (any Error).self) {
            try await system.send(
              HTTPExchangeRequest(
                method: .get, url: "http://empty..label-\(number):9/", timeout: .seconds(3600)))
          }
        }
        let after = try openDescriptors()
        #expect(after < before + 40)
      }
    }

    @Test func slowLookupTimesOutAndFreesItsSlot() async throws {
      let gate = Gate()
      let lookups = NameLookups { _ in
        gate.wait()
        return ["127.0.0.1"]
      }
      defer { gate.open() }
      let exchange = try exchange(lookups)
      var request = request("silent.example")
      request.connectTimeout = .milliseconds(20)
      let late = request
      await #expect(throws: HTTPExchangeError.timedOut) { try await exchange.send(late) }
      // Its slot is free for others.
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      let answer = try await exchange.send(self.request("127.0.0.1", port: server.port))
      expectEqual(answer.status, 200)
    }

    @Test func callCancelledDuringItsLookupFreesItsSlot() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let lookups = NameLookups {
        begun.append($0)
        gate.wait()
        return ["127.0.0.1"]
      }
      defer { gate.open() }
      let exchange = try #require(
        CurlExchange(
          .init(maximumConnectionsPerHost: 1, proxy: .none), lookups: lookups,
          asksBeforeSending: true))
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      let request = request("search.example", port: server.port)
      let first = Task { try await exchange.send(request) }
      await begun.reach(1)
      first.cancel()
      #expect(await first.result.failure is CancellationError)
      gate.open()
      try await expectEqual(exchange.send(request).status, 200)
    }

    @Test func staleAddressesAreReturnedDuringARefresh() async throws {
      let begun = AwaitableList<String>()
      let gate = Gate()
      let time = Lock(ContinuousClock.now)
      let lookups = NameLookups(now: { time.withLock { $0 } }) {
        if begun.append($0) > 0 { gate.wait() }
        return ["127.0.0.1"]
      }
      let exchange = try exchange(lookups)
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      for _ in 0..<2 {
        _ = try await exchange.send(request("search.example", port: server.port))
      }
      expectEqual(begun.elements.count, 1)
      time.withLock { $0 = $0.advanced(by: .seconds(61)) }
      for _ in 0..<2 {
        _ = try await exchange.send(request("search.example", port: server.port))
      }
      await begun.reach(2)
      gate.open()
      expectEqual(begun.elements.count, 2)
    }

    @Test func expiredAddressesAreRefreshedBeforeUse() async throws {
      let begun = AwaitableList<String>()
      let time = Lock(ContinuousClock.now)
      let lookups = NameLookups(now: { time.withLock { $0 } }) {
        switch begun.append($0) {
        case 0: ["127.0.0.1"]
        case 1: ["127.0.0.2"]
        default: nil
        }
      }
      func read() async -> [String] {
        await withCheckedContinuation { continuation in
          let answer = lookups.addresses(of: "search.example") {
            continuation.resume(returning: $0)
          }
          if case .known(let addresses) = answer { continuation.resume(returning: addresses) }
        }
      }
      await expectEqual(read(), ["127.0.0.1"])
      time.withLock { $0 = $0.advanced(by: .seconds(3600)) }
      await expectEqual(read(), ["127.0.0.2"])
      // If they cannot be read, the old ones are still used.
      time.withLock { $0 = $0.advanced(by: .seconds(3600)) }
      await expectEqual(read(), ["127.0.0.2"])
      expectEqual(begun.elements.count, 3)
    }

    /// Nothing can connect to the first address: the next request tries the other one first, also
    /// when the name was looked up again.
    @Test func addressWithoutConnectionsMovesBehindTheOthers() async throws {
      let time = Lock(ContinuousClock.now)
      let (dead, live) = ("192.0.2.1", "127.0.0.1")
      let lookups = NameLookups(now: { time.withLock { $0 } }) { _ in [dead, live] }
      func known() -> [String] {
        guard case .known(let addresses) = lookups.addresses(of: "a.example", orLater: { _ in })
        else { return [] }
        return addresses
      }
      let first = await withCheckedContinuation { continuation in
        if case .known(let addresses) = lookups.addresses(
          of: "a.example", orLater: { continuation.resume(returning: $0) })
        {
          continuation.resume(returning: addresses)
        }
      }
      expectEqual(first, [dead, live])
      // Of two requests that tried the same order, one moves the address.
      for _ in 0..<2 { lookups.moveFirstBack(of: "a.example", triedAs: first) }
      expectEqual(known(), [live, dead])
      time.withLock { $0 = $0.advanced(by: .seconds(61)) }
      for _ in 0..<500 where lookups.threadCount > 0 || known().first != live {
        try await Task.sleep(for: .milliseconds(1))
      }
      expectEqual(known(), [live, dead])
    }

    @Test func theSystemLooksUpTheLoopbackHost() async throws {
      let server = try LoopbackServer { _ in .json("{}") }
      defer { server.stop() }
      let exchange = try #require(CurlExchange(.init(proxy: .none)))
      try await expectEqual(exchange.send(request("localhost", port: server.port)).status, 200)
    }
  }

  /// The number of open descriptors of this process, including that of the folder being read.
  private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
#endif
