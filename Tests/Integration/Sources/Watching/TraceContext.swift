import Tracing

/// The place of a span in a trace, as the header `traceparent` carries it.
///
/// Source: the W3C recommendation Trace Context, level 1.
struct TraceContext: Sendable, Hashable {
  var traceID: [UInt8]
  var spanID: [UInt8]
  var isSampled: Bool
  /// The header `tracestate` of the caller.
  var state: String?

  /// Reads a header; `nil` if it is not one.
  init?(traceparent: String, state: String?) {
    let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
    // A later version may have more parts.
    guard parts.count == 4 || parts.count > 4 && parts[0] != "00", parts[0] != "ff",
      let version = Self.bytes(parts[0], count: 1), let traceID = Self.bytes(parts[1], count: 16),
      let spanID = Self.bytes(parts[2], count: 8), let flags = Self.bytes(parts[3], count: 1),
      version.count == 1, traceID.contains(where: { $0 != 0 }),
      spanID.contains(where: { $0 != 0 })
    else { return nil }
    self.init(
      traceID: traceID, spanID: spanID, isSampled: flags[0] & 1 == 1,
      state: state.flatMap { $0.utf8.count <= 512 ? $0 : nil })
  }

  init(traceID: [UInt8], spanID: [UInt8], isSampled: Bool, state: String?) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
    self.state = state
  }

  /// The header.
  var traceparent: String {
    "00-\(Self.text(traceID))-\(Self.text(spanID))-\(isSampled ? "01" : "00")"
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ text: Substring, count: Int) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 2 * count,
      digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    return stride(from: 0, to: digits.count, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
    }
  }
}

private enum TraceContextKey: ServiceContextKey {
  typealias Value = TraceContext
}

extension ServiceContext {
  /// The span that a context is in.
  var trace: TraceContext? {
    get { self[TraceContextKey.self] }
    set { self[TraceContextKey.self] = newValue }
  }
}
