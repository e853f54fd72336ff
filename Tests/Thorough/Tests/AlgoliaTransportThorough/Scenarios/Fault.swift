import Loopback

/// The ways a server can fail.
enum Fault: CaseIterable, Sendable {
  case hangUp, reset, resetInBody, truncation, halfHead, garbage, brokenChunk, endlessChunks
  case brokenGzip, silence, stall, stallInHead

  /// Those that end by themselves.
  static let brokenOff = allCases.filter { !silent.contains($0) }

  /// Those that only a timeout ends.
  static let silent: [Fault] = [.silence, .stall, .stallInHead]

  /// Whether the response is cut off within its headers.
  ///
  /// `URLSession` on Linux then ends the process ("Transfer completed, but there's no response"),
  /// as its documentation says, so it cannot be tested there.
  var isWithoutHead: Bool { self == .halfHead }

  var reply: LoopbackReply {
    switch self {
    case .hangUp: .hangUp
    case .reset: .reset
    case .resetInBody: .resetInBody
    case .truncation: .truncation
    case .halfHead: .halfHead
    case .garbage: .garbage
    case .brokenChunk: .brokenChunk
    case .endlessChunks: .endlessChunks
    case .brokenGzip: .brokenGzip
    case .silence: .silence
    case .stall: .stall
    case .stallInHead: .stallInHead
    }
  }
}
