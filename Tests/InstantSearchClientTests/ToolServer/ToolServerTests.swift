@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

/// The Model Context Protocol over a stream: both eras, message by message.
///
/// Source: the revisions 2026-07-28 and 2025-11-25 of the protocol.
struct ToolServerTests {
  /// The members of `_meta` with which a request stands alone.
  private static let meta: JSON = [
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": [:],
  ]

  /// A tool that returns its arguments, and fails as they say.
  private static let echo = SearchTool(
    name: "echo", title: "Echo", description: "Returns the text.",
    inputs: [.init(name: "text", schema: ["type": "string"])],
    outputs: [.init(name: "text", schema: ["type": "string"], isRequired: true)]
  ) { arguments, _ in
    let text = try arguments.text("text") ?? ""
    if text == "fail" { throw SearchError(.server, "secret path") }
    if text == "slow" { throw SearchError(.timedOut, "secret path") }
    return ["text": .string(text)]
  }

  private static let server = ToolServer(
    name: "test", version: "1.2.3", instructions: "Ask.", tools: [echo])

  /// Sends lines, and returns the messages that answer them.
  private static func answers(
    to lines: [String], from server: ToolServer = server, partSize: Int = 10_000
  ) async throws -> [JSON] {
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let rest = Lock(bytes[...])
    let written = Lock<[UInt8]>([])
    try await server.run(
      reading: {
        rest.withLock { rest in
          defer { rest = rest.dropFirst(partSize) }
          return rest.isEmpty ? nil : Array(rest.prefix(partSize))
        }
      }, writing: { bytes in written.withLock { $0 += bytes } }, clock: ManualClock())
    let output = written.withLock { $0 }
    return try output.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
  }

  private static func request(
    _ method: String, _ parameters: JSON? = nil, id: JSON = 1, meta: JSON? = nil
  ) -> String {
    var message: JSON = ["jsonrpc": "2.0", "id": id, "method": .string(method)]
    var parameters = parameters
    if let meta { parameters = parameters ?? [:]; parameters?["_meta"] = meta }
    if let parameters { message["params"] = parameters }
    return message.text
  }

  private static func initialize(_ version: String = "2025-11-25") -> String {
    request(
      "initialize",
      [
        "protocolVersion": .string(version), "capabilities": [:],
        "clientInfo": ["name": "c", "version": "1"],
      ], id: 0)
  }

  // MARK: The stateless revision

  private static let serverInfo: JSON = [
    "io.modelcontextprotocol/serverInfo": ["name": "test", "version": "1.2.3"]
  ]

  @Test func discoveryNamesTheRevision() async throws {
    let answers = try await Self.answers(to: [Self.request("server/discover", meta: Self.meta)])
    expectEqual(
      answers,
      [
        [
          "jsonrpc": "2.0", "id": 1,
          "result": [
            "supportedVersions": ["2026-07-28"], "capabilities": ["tools": ["listChanged": false]],
            "instructions": "Ask.", "ttlMs": 60_000, "cacheScope": "private",
            "resultType": "complete", "_meta": Self.serverInfo,
          ],
        ]
      ])
  }

  @Test func statelessListHasALifetime() async throws {
    let result = try await Self.answers(to: [Self.request("tools/list", meta: Self.meta)])[0][
      "result"]
    expectEqual(result?["resultType"], "complete")
    expectEqual(result?["ttlMs"], 60_000)
    expectEqual(result?["cacheScope"], "private")
    expectEqual(result?["nextCursor"], nil)
    expectEqual(
      result?["tools"],
      [
        [
          "name": "echo", "title": "Echo", "description": "Returns the text.",
          "inputSchema": [
            "type": "object", "additionalProperties": false,
            "properties": ["text": ["type": "string"]],
          ],
          "outputSchema": [
            "type": "object", "additionalProperties": false,
            "properties": ["text": ["type": "string"]], "required": ["text"],
          ],
          "annotations": ["title": "Echo", "readOnlyHint": true, "openWorldHint": false],
        ]
      ])
  }

  @Test func statelessCallHasStructuredContent() async throws {
    let call = Self.request(
      "tools/call", ["name": "echo", "arguments": ["text": "a"]], id: "x", meta: Self.meta)
    expectEqual(
      try await Self.answers(to: [call]),
      [
        [
          "jsonrpc": "2.0", "id": "x",
          "result": [
            "content": [["type": "text", "text": #"{"text":"a"}"#]], "isError": false,
            "structuredContent": ["text": "a"], "resultType": "complete", "_meta": Self.serverInfo,
          ],
        ]
      ])
  }

  // MARK: The older revisions

  @Test func handshakeAgreesOnARevision() async throws {
    for (asked, agreed) in [
      ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-11-25"), ("2025-06-18", "2025-06-18"),
      ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1.0", "2025-11-25"),
    ] {
      let answers = try await Self.answers(to: [Self.initialize(asked)])
      expectEqual(
        answers,
        [
          [
            "jsonrpc": "2.0", "id": 0,
            "result": [
              "protocolVersion": .string(agreed), "capabilities": ["tools": ["listChanged": false]],
              "serverInfo": ["name": "test", "version": "1.2.3"], "instructions": "Ask.",
            ],
          ]
        ])
    }
  }

  @Test func olderRevisionsHaveWhatTheyKnow() async throws {
    for (version, isStructured) in [
      ("2024-11-05", false), ("2025-03-26", true), ("2025-06-18", true), ("2025-11-25", true),
    ] {
      let answers = try await Self.answers(to: [
        Self.initialize(version), #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        Self.request("tools/list", id: 1),
        Self.request("tools/call", ["name": "echo", "arguments": ["text": "a"]], id: 2),
        Self.request("ping", id: 3),
      ])
      let results = Dictionary(
        uniqueKeysWithValues: answers.compactMap { answer in
          answer["id"]?.intValue.map { ($0, answer["result"]) }
        })
      expectEqual(results.count, 4)
      expectEqual(results[1]??["tools"]?[0]?["outputSchema"] != nil, isStructured)
      expectEqual(results[1]??["tools"]?[0]?["title"] != nil, isStructured)
      expectEqual(results[2]??["structuredContent"] != nil, isStructured)
      expectEqual(results[2]??["resultType"], nil)
      expectEqual(results[1]??["ttlMs"], nil)
      expectEqual(results[3]??.objectValue, [:])
    }
  }

  @Test func bothErasShareAStream() async throws {
    let answers = try await Self.answers(to: [
      Self.request("tools/list", id: 1, meta: Self.meta), Self.initialize(),
      Self.request("tools/list", id: 2), Self.request("tools/list", id: 3, meta: Self.meta),
    ])
    let types = answers.sorted { ($0["id"]?.intValue ?? 0) < ($1["id"]?.intValue ?? 0) }
      .map { $0["result"]?["resultType"]?.stringValue ?? "none" }
    expectEqual(types, ["none", "complete", "none", "complete"])
  }

  // MARK: Errors

  /// A line, the ID and the code of its error.
  private static let errors: [(String, JSON, Int)] = [
    ("{", nil, -32700), ("nothing", nil, -32700), ("{\"a\":1}{", nil, -32700),
    (String(repeating: "[", count: 100), nil, -32700),
    ("[]", nil, -32600), ("1", nil, -32600), ("null", nil, -32600), ("{}", nil, -32600),
    ("[\(request("tools/list", meta: meta))]", nil, -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, 1, -32600),
    (#"{"id":1,"method":"a"}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":2}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, nil, -32600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, nil, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"a"}"#, nil, -32600),
    (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#, 2, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":{"b":1,"b":2}}}"#, 1, -32600),
    (request("tools/list"), 1, -32602),
    (request("tools/list", meta: [:]), 1, -32602),
    (request("tools/list", ["_meta": 1]), 1, -32602),
    (
      request(
        "tools/list", meta: ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]), 1, -32602
    ),
    (
      request(
        "tools/list",
        meta: [
          "io.modelcontextprotocol/protocolVersion": 2026,
          "io.modelcontextprotocol/clientCapabilities": [:],
        ]), 1, -32602
    ),
    (
      request(
        "tools/list",
        meta: [
          "io.modelcontextprotocol/protocolVersion": "2025-11-25",
          "io.modelcontextprotocol/clientCapabilities": [:],
        ]), 1, -32022
    ),
    (request("resources/list", meta: meta), 1, -32601), (request("ping", meta: meta), 1, -32601),
    (request("initialize", meta: meta), 1, -32601),
    (request("subscriptions/listen", meta: meta), 1, -32601),
    (request("", meta: meta), 1, -32601),
    (request("initialize", [:]), 1, -32602),
    (request("initialize", ["protocolVersion": 1]), 1, -32602),
    (request("initialize", ["protocolVersion": "2025-11-25", "clientInfo": 1]), 1, -32602),
    (request("tools/list", ["cursor": "a"], meta: meta), 1, -32602),
    (request("tools/call", meta: meta), 1, -32602),
    (request("tools/call", ["name": 1], meta: meta), 1, -32602),
    (request("tools/call", ["name": "nothing"], meta: meta), 1, -32602),
    (request("tools/call", ["name": "echo", "arguments": []], meta: meta), 1, -32602),
    (request("tools/call", ["name": "echo", "arguments": "a"], meta: meta), 1, -32602),
    (String(repeating: "x", count: 1 << 22 + 1), nil, -32600),
  ]

  @Test func errorsAreTheOnesOfTheProtocol() async throws {
    for (line, id, code) in Self.errors {
      let answers = try await Self.answers(to: [line], partSize: 1 << 20)
      expectEqual(answers.count, 1)
      #expect(answers.first?["error"]?["code"]?.intValue == code, "\(line.prefix(200))")
      #expect(answers.first?["id"] == id, "\(line.prefix(200))")
      #expect(answers.first?["error"]?["message"]?.stringValue?.isEmpty == false)
    }
  }

  @Test func unsupportedRevisionNamesTheSupportedOnes() async throws {
    var meta = Self.meta
    meta["io.modelcontextprotocol/protocolVersion"] = "2030-01-01"
    let answers = try await Self.answers(to: [Self.request("tools/list", meta: meta)])
    expectEqual(
      answers[0]["error"]?["data"],
      [
        "supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        "requested": "2030-01-01",
      ])
  }

  @Test func olderRevisionsLackTheNewMethods() async throws {
    for method in ["server/discover", "logging/setLevel", "resources/list", "prompts/list", "a"] {
      let answers = try await Self.answers(to: [Self.initialize(), Self.request(method)])
      expectEqual(answers.last?["error"]?["code"], -32601)
    }
  }

  @Test func mistakesAndFailuresAreResults() async throws {
    for (arguments, text) in [
      (["text": 1], "text must be a text, such as \"a\"."),
      (["text": "fail"], "The search failed. Try again later."),
      (["text": "slow"], "The search took too long. Try a simpler one."),
    ] as [(JSON, String)] {
      let call = Self.request(
        "tools/call", ["name": "echo", "arguments": arguments], meta: Self.meta)
      let result = try await Self.answers(to: [call])[0]["result"]
      expectEqual(result?["isError"], true)
      expectEqual(result?["content"], [["type": "text", "text": .string(text)]])
      expectEqual(result?["structuredContent"], nil)
    }
  }

  // MARK: The stream

  /// Lines that get no answer.
  private static let silent = [
    "", "\r", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    #"{"jsonrpc":"2.0","method":"anything","params":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{}}"#,
  ]

  @Test func notificationsAndResponsesGetNoAnswer() async throws {
    expectEqual(try await Self.answers(to: Self.silent).count, 0)
  }

  @Test func partsOfAnySizeMakeTheSameLines() async throws {
    let lines = (0..<40).map { Self.request("tools/list", id: .int($0), meta: Self.meta) }
    for partSize in [1, 7, 100, 100_000] {
      let answers = try await Self.answers(to: lines + [""], partSize: partSize)
      expectEqual(
        Set(answers.compactMap { $0["id"]?.intValue }), Set(0..<40))
    }
    let crlf = try await Self.answers(to: lines.map { $0 + "\r" }, partSize: 3)
    expectEqual(crlf.count, 40)
  }

  @Test func lineAfterATooLongOneIsRead() async throws {
    let answers = try await Self.answers(
      to: [
        String(repeating: "x", count: 5_000_000), Self.request("tools/list", meta: Self.meta),
      ], partSize: 1 << 16)
    expectEqual(answers.map { $0["error"]?["code"]?.intValue }, [-32600, nil])
  }

  /// A tool that waits until it is cancelled, or until the promise that it appends is fulfilled.
  private static func waitingTool(_ calls: AwaitableList<Promise<Void>>) -> SearchTool {
    SearchTool(name: "wait", title: "", description: "", inputs: [], outputs: []) { _, _ in
      let release = Promise<Void>()
      calls.append(release)
      await release.outcome(onCancel: ())
      return [:]
    }
  }

  /// Lines that a test sends when it chooses.
  private struct Conversation {
    let lines = AsyncStream<[UInt8]>.makeStream()
    let written = AwaitableList<JSON>()

    func send(_ line: String) { lines.continuation.yield(Array((line + "\n").utf8)) }

    func run(_ server: ToolServer, clock: ManualClock) async throws {
      let iterator = Lock(lines.stream.makeAsyncIterator())
      try await server.run(
        reading: {
          var own = iterator.withLock { $0 }
          return await own.next()
        },
        writing: { [written] in written.append(try JSON(parsing: Array($0.dropLast()))) },
        clock: clock)
    }
  }

  @Test func cancelledRequestGetsNoAnswer() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    async let end: Void = conversation.run(server, clock: ManualClock())
    conversation.send(Self.request("tools/call", ["name": "wait"], id: 1, meta: Self.meta))
    await calls.reach(1)
    // Its ID is in use.
    conversation.send(Self.request("tools/list", id: 1, meta: Self.meta))
    await conversation.written.reach(1)
    expectEqual(conversation.written.elements[0]["error"]?["code"], -32600)
    conversation.send(
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
    conversation.send(Self.request("tools/list", id: 2, meta: Self.meta))
    await conversation.written.reach(2)
    conversation.lines.continuation.finish()
    try await end
    expectEqual(conversation.written.elements.map { $0["id"]?.intValue }, [1, 2])
  }

  @Test func requestsRunAtOnceAndAreBounded() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    async let end: Void = conversation.run(server, clock: ManualClock())
    for id in 0..<20 {
      conversation.send(
        Self.request("tools/call", ["name": "wait"], id: .int(Int64(id)), meta: Self.meta))
    }
    await calls.reach(16)
    expectEqual(calls.elements.count, 16)
    // Each end makes room for one more.
    calls.elements[3].fulfill(with: ())
    await calls.reach(17)
    await conversation.written.reach(1)
    for call in calls.elements { call.fulfill(with: ()) }
    await calls.reach(20)
    for call in calls.elements { call.fulfill(with: ()) }
    conversation.lines.continuation.finish()
    try await end
    expectEqual(Set(conversation.written.elements.compactMap { $0["id"]?.intValue }), Set(0..<20))
  }

  @Test func cancellationIsReadWhileAllPlacesAreTaken() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    async let end: Void = conversation.run(server, clock: ManualClock())
    for id in 0..<18 {
      conversation.send(
        Self.request("tools/call", ["name": "wait"], id: .int(Int64(id)), meta: Self.meta))
    }
    await calls.reach(16)
    for id in [17, 0] {
      conversation.send(
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    }
    // The place of the first one is free, and the last one does not wait any more.
    await calls.reach(17)
    for call in calls.elements { call.fulfill(with: ()) }
    conversation.lines.continuation.finish()
    try await end
    expectEqual(Set(conversation.written.elements.compactMap { $0["id"]?.intValue }), Set(1..<17))
  }

  @Test func endOfInputIsNoticedWhileAllPlacesAreTaken() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    let clock = ManualClock()
    async let end: Void = conversation.run(server, clock: clock)
    for id in 0..<40 {
      conversation.send(
        Self.request("tools/call", ["name": "wait"], id: .int(Int64(id)), meta: Self.meta))
    }
    conversation.lines.continuation.finish()
    await calls.reach(16)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    try await end
    expectEqual(conversation.written.elements.count, 0)
  }

  @Test func thousandsOfRequestsAreAnswered() async throws {
    let lines = (0..<3_000).map { Self.request("tools/list", id: .int($0), meta: Self.meta) }
    expectEqual(try await Self.answers(to: lines, partSize: 1 << 20).count, 3_000)
  }

  @Test func endOfInputLeavesTwoSeconds() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    let clock = ManualClock()
    async let end: Void = conversation.run(server, clock: clock)
    for id in 0..<2 {
      conversation.send(
        Self.request("tools/call", ["name": "wait"], id: .int(Int64(id)), meta: Self.meta))
    }
    await calls.reach(2)
    conversation.lines.continuation.finish()
    await clock.waitForSleepers(1)
    calls.elements[0].fulfill(with: ())
    await conversation.written.reach(1)
    clock.advance(by: .seconds(2))
    try await end
    expectEqual(conversation.written.elements.count, 1)
  }

  @Test func cancelledRunEndsAtOnce() async throws {
    let calls = AwaitableList<Promise<Void>>()
    let server = ToolServer(name: "t", version: "1", tools: [Self.waitingTool(calls)])
    let conversation = Conversation()
    await withTaskGroup { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          try await conversation.run(server, clock: ManualClock())
        }
      }
      conversation.send(Self.request("tools/call", ["name": "wait"], meta: Self.meta))
      await calls.reach(1)
      group.cancelAll()
    }
    expectEqual(conversation.written.elements.count, 0)
  }

  @Test func failureOfTheOutputEndsTheRun() async throws {
    struct Closed: Error {}
    let line = Lock<[UInt8]?>(Array((Self.request("tools/list", meta: Self.meta) + "\n").utf8))
    await #expect(throws: Closed.self) {
      try await Self.server.run(
        reading: { line.withLock { $0.take() } }, writing: { _ in throw Closed() },
        clock: ManualClock())
    }
  }
}
