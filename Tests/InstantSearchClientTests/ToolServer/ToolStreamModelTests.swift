import AsyncInstantSearchTesting
@testable import InstantSearchClient
import InstantSearchJSON
import TestSupport
import Testing

/// A stream of tool calls whose requests begin, end and are cancelled in any order.
struct ToolStreamModelTests {
  /// Calls of a tool that wait until they are released or cancelled.
  private final class Calls: Sendable {
    private struct State {
      var waiting: [Promise<Void>] = []
      var isOpen = false
      var runningCount = 0
      var maximumRunningCount = 0
    }

    private let state = Lock(State())

    var maximumRunningCount: Int { state.withLock { $0.maximumRunningCount } }

    /// A tool whose calls wait.
    var tool: SearchTool {
      SearchTool(name: "wait", title: "", description: "", inputs: [], outputs: []) { _, _ in
        let release = Promise<Void>()
        let isOpen = self.state.withLock { state in
          state.runningCount += 1
          state.maximumRunningCount = max(state.maximumRunningCount, state.runningCount)
          state.waiting.append(release)
          return state.isOpen
        }
        if !isOpen { await release.outcome(onCancel: ()) }
        self.state.withLock { $0.runningCount -= 1 }
        return [:]
      }
    }

    /// Releases a call that waits, if there is one.
    func release(_ chance: inout RandomRecords) {
      let count = state.withLock { $0.waiting.count }
      guard count > 0 else { return }
      let index = Int.random(in: 0..<count, using: &chance.generator)
      state.withLock { $0.waiting.remove(at: index) }.fulfill(with: ())
    }

    /// Releases all calls, also later ones.
    func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        return state.waiting
      }
      for call in waiting { call.fulfill(with: ()) }
    }
  }

  /// A message with an ID.
  private static func line(_ method: String, _ id: Int) -> [UInt8] {
    let meta: JSON = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": [:],
    ]
    let message: JSON =
      method == "notifications/cancelled"
      ? ["jsonrpc": "2.0", "method": .string(method), "params": ["requestId": .int(Int64(id))]]
      : [
        "jsonrpc": "2.0", "id": .int(Int64(id)), "method": .string(method),
        "params": ["name": "wait", "_meta": meta],
      ]
    return message.bytes + [UInt8(ascii: "\n")]
  }

  @Test(arguments: Seed.all(2_000, quick: 100))
  func everyRequestIsAnsweredOnceUnlessItIsCancelled(seed: Seed) async throws {
    var chance = RandomRecords(seed: seed.value)
    let cancels = chance.chance(70)
    let calls = Calls()
    let server = ToolServer(name: "t", version: "1", tools: [calls.tool])
    let input = AsyncStream<[UInt8]>.makeStream()
    let iterator = Lock(input.stream.makeAsyncIterator())
    let written = Lock<[JSON]>([])
    async let end: Void = server.run(
      reading: {
        var own = iterator.withLock { $0 }
        return await own.next()
      },
      writing: { bytes in
        let message = try JSON(parsing: Array(bytes.dropLast()))
        written.withLock { $0.append(message) }
      },
      clock: ManualClock())
    var sent: [Int: Int] = [:]
    var cancelled: [Int: Int] = [:]
    for _ in 0..<Int.random(in: 1...120, using: &chance.generator) {
      let id = Int.random(in: 0..<60, using: &chance.generator)
      switch Int.random(in: 0..<10, using: &chance.generator) {
      case 0..<5:
        sent[id, default: 0] += 1
        input.continuation.yield(Self.line("tools/call", id))
      case 5:
        sent[id, default: 0] += 1
        input.continuation.yield(Self.line("tools/list", id))
      case 6, 7:
        if cancels {
          cancelled[id, default: 0] += 1
          input.continuation.yield(Self.line("notifications/cancelled", id))
        }
      default: calls.release(&chance)
      }
      // Without these the input would end before the first call begins.
      for _ in 0..<Int.random(in: 0..<40, using: &chance.generator) { await Task.yield() }
    }
    input.continuation.finish()
    calls.open()
    try await end
    var answered: [Int: Int] = [:]
    for message in written.withLock({ $0 }) {
      let id = try #require(message["id"]?.intValue)
      answered[id, default: 0] += 1
      let code = message["error"]?["code"]?.intValue
      // An ID in use is the only mistake, and only of an ID that was sent twice.
      #expect(code == nil || code == -32600 && sent[id] ?? 0 > 1, "\(message.text)")
    }
    for id in 0..<60 {
      let (sent, answered) = (sent[id] ?? 0, answered[id] ?? 0)
      #expect((sent - (cancelled[id] ?? 0)...sent).contains(answered), "\(id)")
    }
    // A cancelled call gives its place away before it notices.
    if !cancels { #expect(calls.maximumRunningCount <= 16) }
  }
}
