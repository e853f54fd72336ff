#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  import Foundation
  import Loopback

  /// What a server of a simulation does with one request, as a value.
  ///
  /// The bodies depend on the number of the call, so that a response that reaches another call is
  /// detected.
  enum SimulatedReply: Sendable {
    /// A correct response.
    case answer(SimulatedAnswer)
    /// The first half of a correct response. The connection stays open.
    case firstHalf(of: SimulatedAnswer)
    /// A response whose compressed body is damaged.
    case damaged(SimulatedAnswer, Damage)
    case fault(Fault)

    enum Damage: CaseIterable {
      case flippedByte, truncation
    }

    /// Whether only a time limit or a cancellation ends the call.
    var isSilent: Bool {
      switch self {
      case .answer, .damaged: false
      case .firstHalf: true
      case .fault(let fault): Fault.silent.contains(fault)
      }
    }

    /// Whether the call ends with an error.
    var isFaulty: Bool {
      switch self {
      case .answer, .firstHalf: false
      case .damaged: true
      case .fault(let fault): !Fault.silent.contains(fault)
      }
    }

    /// The answer that the caller gets, or `nil` if it gets none.
    var answer: SimulatedAnswer? {
      if case .answer(let answer) = self { answer } else { nil }
    }

    /// What the server does. Informs about the moment in the middle of a correct response.
    func loopbackReply(
      to call: Int, atHalf notify: @escaping @Sendable () -> Void
    ) -> LoopbackReply {
      switch self {
      case .answer(let answer): answer.loopbackReply(to: call, atHalf: notify)
      case .firstHalf(let answer): answer.loopbackReply(to: call, isWhole: false, atHalf: notify)
      case .damaged(let answer, let damage):
        answer.loopbackReply(to: call, damage: damage, atHalf: notify)
      case .fault(let fault): fault.reply
      }
    }
  }

  /// A correct response, as a value.
  struct SimulatedAnswer: Sendable {
    enum Form: CaseIterable {
      case plain, chunked, gzipped, gzippedAndChunked

      var isGzipped: Bool { self == .gzipped || self == .gzippedAndChunked }
    }

    var status: Int
    var form: Form
    /// The size of the body, decompressed.
    var size: Int
    /// Whether an interim response comes first.
    var hasInterim: Bool
    /// The delay before the response.
    var delay: Int
    /// The number of parts that it is sent in.
    var partCount: Int
    /// Whether the server closes the connection after it.
    var closes: Bool

    /// The body for a call, decompressed.
    func body(for call: Int) -> [UInt8] { SimulatedBody.bytes(of: call, count: size) }

    fileprivate func loopbackReply(
      to call: Int, isWhole: Bool = true, damage: SimulatedReply.Damage? = nil,
      atHalf notify: @escaping @Sendable () -> Void
    ) -> LoopbackReply {
      let bytes = bytes(for: call, damage: damage)
      var steps: [LoopbackReply.Step] = delay > 0 ? [.pause(milliseconds: delay)] : []
      let partCount = isWhole ? partCount : max(2, partCount)
      let ends = (1...partCount).map { bytes.count * $0 / partCount }
      var start = 0
      for (number, end) in ends.enumerated() {
        // Most responses are shorter than a part would be.
        if number > 0 { steps.append(.pause(milliseconds: 1)) }
        steps.append(.send(Array(bytes[start..<end])))
        start = end
        if number == (partCount - 1) / 2 {
          steps.append(.notify(notify))
          if !isWhole { return LoopbackReply(steps + [.hold]) }
        }
      }
      return LoopbackReply(closes ? steps + [.close] : steps)
    }

    private func bytes(for call: Int, damage: SimulatedReply.Damage?) -> [UInt8] {
      var content = body(for: call)
      var headers = [("Content-Type", "application/octet-stream")]
      if form.isGzipped {
        headers.append(("Content-Encoding", "gzip"))
        content = LoopbackReply.gzipFile(storing: content)
        switch damage {
        case .flippedByte: content[content.count - 5] ^= 0xFF
        case .truncation: content.removeLast(8 + size / 2)
        case nil: break
        }
      }
      let reply: LoopbackReply
      switch form {
      case .plain, .gzipped:
        reply = .answer(status: status, headers: headers, body: content)
      case .chunked, .gzippedAndChunked:
        let middle = content.count / 3
        let pieces = [Array(content[..<middle]), Array(content[middle...])]
        reply = .chunked(pieces.filter { !$0.isEmpty }, status: status, headers: headers)
      }
      let interim = hasInterim ? Array("HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n".utf8) : []
      return reply.steps.reduce(into: interim) { bytes, step in
        if case .send(let more) = step { bytes += more }
      }
    }
  }

  /// The bytes of requests and responses, which differ between calls.
  enum SimulatedBody {
    static func bytes(of call: Int, count: Int) -> [UInt8] {
      // The length of the pattern divides no power of two, so that lost blocks are detected.
      let pattern = Array("call \(call), ".utf8)
      let block = [UInt8]((0..<1021 / pattern.count).map { _ in pattern }.joined())
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count + block.count)
      while bytes.count < count { bytes += block }
      bytes.removeLast(bytes.count - count)
      return bytes
    }

    /// Whether the bytes are the same. Fast for long ones without optimization too.
    static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      first.count == second.count && Data(first) == Data(second)
    }
  }
#endif
