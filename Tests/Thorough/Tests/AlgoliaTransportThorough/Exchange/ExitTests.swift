#if os(Linux)
  @testable import InstantSearchAPI
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch
  import Foundation
  import Loopback
  import Testing

  /// Calls of a process that exits.
  @Suite(.timeLimit(.minutes(30))) struct ExitTests {
    @Test func callsDuringAndAfterExitFail() async {
      await #expect(processExitsWith: .success) {
        // Handlers run in reverse order of registration, so this one runs after that of the
        // exchange.
        atexit {
          let hasEnded = DispatchSemaphore(value: 0)
          Task {
            let held = await callAtExit.withLock { $0 }?.value
            let late = await failure(of: "/late")
            if held != late || late != "the process is ending" { _exit(3) }
            hasEnded.signal()
          }
          if hasEnded.wait(timeout: .now() + .seconds(60)) == .timedOut { _exit(4) }
        }
        let server = try LoopbackServer { $0.target == "/held" ? .silence : .json("{}") }
        port.withLock { $0 = server.port }
        _ = await failure(of: "/")
        callAtExit.withLock { $0 = Task { await failure(of: "/held") } }
        await server.received.reach(2)
        // Not on a thread that the calls need.
        Thread.detachNewThread { exit(0) }
        try await Task.sleep(for: .seconds(3600))
      }
    }
  }

  private let port = Lock(0)
  private let callAtExit = Lock<Task<String?, Never>?>(nil)

  /// Why a call failed.
  private func failure(of path: String) async -> String? {
    let request = HTTPExchangeRequest(
      method: .get, url: "http://127.0.0.1:\(port.withLock { $0 })\(path)", timeout: .seconds(3600))
    do {
      _ = try await CurlExchange.shared?.send(request)
      return nil
    } catch {
      return (error as? HTTPExchangeError)?.reason
    }
  }
#endif
