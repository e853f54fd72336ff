import Loopback

/// The ways in which a server fails.
enum Fault: CaseIterable, Sendable {
  case hangUp, reset, resetInBody, truncation, halfHead, garbage, brokenChunk, endlessChunks
  case brokenGzip, silence, stall, stallInHead

  /// Those that end by themselves.
  static let brokenOff = allCases.filter { !silent.contains($0) }

  /// Those that only a timeout ends.
  static let silent: [Fault] = [.silence, .stall, .stallInHead]

  /// Whether the answer breaks off within its head.
  ///
  /// `URLSession` on Linux ends the process then, "Transfer completed, but there's no response", so
  /// it cannot be tested there; its documentation says so.
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
