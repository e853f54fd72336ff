#if os(Linux)
  import AsyncInstantSearchTesting
  import Loopback
  import TestSupport

  /// What an unruly server does for one request, and what its client may see of it.
  struct UnrulyReply {
    /// What the server sends and does.
    var steps: [LoopbackReply.Step]
    /// Whether the request may fail.
    var mayFail = false

    /// How a connection is made.
    enum Wire: String, CaseIterable, CustomStringConvertible {
      case http1, http2, tls, unix
      var description: String { rawValue }
    }

    /// A random reaction to the request with a number.
    static func random(
      _ number: String, _ wire: Wire, using random: inout SeededGenerator
    ) -> UnrulyReply {
      wire == .http2 ? http2(number, using: &random) : http1(number, using: &random)
    }

    /// The body of the response to a request.
    static func body(_ number: String) -> String { #"{"number":"\#(number)"}"# }

    private static func happens(_ percent: Int, using random: inout SeededGenerator) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }

    // MARK: HTTP/1.1

    private static let faults: [LoopbackReply] = [
      .silence, .hangUp, .reset, .truncation, .resetInBody, .halfHead, .stall, .stallInHead,
      .garbage, .lengthOfNoNumber, .brokenChunk, .endlessChunks,
    ]

    /// What is sent on a connection that is idle.
    private static let extras: [LoopbackReply] = [
      .json(body("wrong")), LoopbackReply(LoopbackReply.json(body("wrong")).steps + [.close]),
      LoopbackReply(LoopbackReply.json(body("wrong")).steps + LoopbackReply.json("{}").steps),
      .answer(status: 408), .answer(status: 408, headers: [("Connection", "close")]),
      .answer(status: 100), .chunked([Array(body("wrong").utf8)]),
      LoopbackReply([.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))]),
      LoopbackReply([.send(Array("\r\n".utf8))]), LoopbackReply([.send([0, 255, 1])]), .hangUp,
    ]

    private static func http1(
      _ number: String, using random: inout SeededGenerator
    ) -> UnrulyReply {
      if happens(15, using: &random), let fault = faults.randomElement(using: &random) {
        return UnrulyReply(steps: fault.steps, mayFail: true)
      }
      let text = body(number)
      let half = text.index(text.startIndex, offsetBy: text.count / 2)
      let answers: [LoopbackReply] = [
        .json(text), .json(text, status: 500), .chunked([Array(text.utf8)]),
        .chunked([Array(text[..<half].utf8), Array(text[half...].utf8)]),
        LoopbackReply.json(text).dripped(pieceSize: 20, milliseconds: 0),
      ]
      var steps: [LoopbackReply.Step] = []
      for status in [100, 103] where happens(15, using: &random) {
        steps += LoopbackReply.answer(status: status).steps
      }
      steps += answers.randomElement(using: &random)?.steps ?? []
      if happens(60, using: &random), let extra = extras.randomElement(using: &random) {
        if happens(50, using: &random) { steps.append(.pause(milliseconds: 1)) }
        steps += extra.steps
      }
      return UnrulyReply(steps: steps)
    }

    // MARK: HTTP/2

    /// Frames that a client accepts at any time, and those that end a connection or a stream.
    private static func harmless(using random: inout SeededGenerator) -> HTTP2Frame {
      let all = [
        HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]), HTTP2Frame(.settings),
        HTTP2Frame(.windowUpdate, [0, 0, 0, 1]), HTTP2Frame(kind: 0xF0, stream: 1, [1, 2, 3]),
        HTTP2Frame(.windowUpdate, stream: 1, [0, 0, 0, 1]),
        // A hint with status 103.
        HTTP2Frame(.headers, flags: 4, stream: 1, [0x08, 3] + Array("103".utf8)),
      ]
      return all[Int.random(in: 0..<all.count, using: &random)]
    }

    private static func harmful(using random: inout SeededGenerator) -> [HTTP2Frame] {
      let code = HTTP2Frame.bytes(of: UInt32.random(in: 0...13, using: &random))
      let last = HTTP2Frame.bytes(of: [0, 1, 3].randomElement(using: &random) ?? 0)
      let other: UInt32 = Bool.random(using: &random) ? 2 : 3
      let all: [[HTTP2Frame]] = [
        [HTTP2Frame(.resetStream, stream: 1, code)], [HTTP2Frame(.goAway, last + code)],
        [.headers(stream: other), .body(body("wrong"), stream: other)],
        [.body(body("wrong"), stream: other)], [HTTP2Frame(.data, stream: 1, [0])],
        [HTTP2Frame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2, 0x88])],
        [HTTP2Frame(.settings, [0, 5, 0, 0, 0, 1])], [HTTP2Frame(.ping, [1])],
        [HTTP2Frame(.continuation, flags: 4, stream: 1, [0x88])],
        [HTTP2Frame(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF])], [HTTP2Frame(.headers, stream: 1)],
      ]
      return all[Int.random(in: 0..<all.count, using: &random)]
    }

    private static func http2(
      _ number: String, using random: inout SeededGenerator
    ) -> UnrulyReply {
      var frames: [HTTP2Frame] = []
      var reply = UnrulyReply(steps: [])
      while happens(40, using: &random) { frames.append(harmless(using: &random)) }
      func maybeHarm(_ random: inout SeededGenerator) {
        guard happens(12, using: &random) else { return }
        frames += harmful(using: &random)
        reply.mayFail = true
      }
      maybeHarm(&random)
      frames.append(.headers())
      maybeHarm(&random)
      let text = Array(body(number).utf8)
      let cut = Int.random(in: 0...text.count, using: &random)
      frames.append(HTTP2Frame(.data, stream: 1, Array(text[..<cut])))
      maybeHarm(&random)
      frames.append(HTTP2Frame(.data, flags: 1, stream: 1, Array(text[cut...])))
      while happens(30, using: &random) { frames += harmful(using: &random) }
      reply.steps = frames.map { .send($0.bytes) }
      if happens(10, using: &random) {
        reply.steps.removeSubrange(Int.random(in: 0..<reply.steps.count, using: &random)...)
        reply.steps.append(
          [.close, .reset, .hold, .send([0, 255, 1])].randomElement(using: &random) ?? .close)
        reply.mayFail = true
      }
      return reply
    }
  }
#endif
