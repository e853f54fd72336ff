import HummingbirdService
import InstantSearchService
import Logging
import Metrics
import NIOConcurrencyHelpers

/// Writes a line for each request. What the client did wrong is a notice, so that an attack is
/// seen at the level of notices, and what the server did wrong is an error.
func accessLog(_ logger: Logger) -> @Sendable (AccessLogEntry) -> Void {
  { entry in
    let level: Logger.Level =
      switch entry.status {
      case ..<400, 499: .info
      case ..<500: .notice
      default: .error
      }
    guard level >= logger.logLevel else { return }
    var metadata: Logger.Metadata = [
      "client": "\(quoted(entry.clientAddress ?? "-"))", "status": "\(entry.status)",
      "ms": "\(milliseconds(entry.duration))", "id": "\(quoted(entry.correlationID))",
      "in": "\(entry.requestBytes)",
    ]
    if let bytes = entry.responseBytes { metadata["out"] = "\(bytes)" }
    if let key = entry.maskedKey { metadata["key"] = "\(quoted(key))" }
    if let index = entry.indexName { metadata["index"] = "\(quoted(index))" }
    if let message = entry.message { metadata["error"] = "\(quoted(message))" }
    logger.log(level: level, "\(entry.request)", metadata: metadata)
  }
}

/// A value that cannot look like the end of it and another one.
private func quoted(_ text: String) -> String {
  guard text.utf8.contains(where: { [0x20, 0x22, 0x3D].contains($0) }) else { return text }
  return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// Milliseconds with three digits, without Foundation.
private func milliseconds(_ duration: Duration) -> String {
  let microseconds = Int(duration / .microseconds(1))
  let rest = "\(microseconds % 1_000)"
  return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
}

/// Counts requests and their time by route, in the names of OpenTelemetry's conventions.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    let method: String
    let route: String
    let status: Int
  }

  private let timers = NIOLockedValueBox<[Key: Timer]>([:])

  func note(_ entry: AccessLogEntry) {
    let method = String(entry.request.prefix { $0 != " " })
    // Only what is bounded is a dimension.
    let key = Key(
      method: SearchServiceResponder.methods.contains(method) ? method : "_OTHER",
      route: entry.route ?? "",
      status: entry.status)
    let timer = timers.withLockedValue { timers in
      if let timer = timers[key] { return timer }
      let timer = Timer(
        label: "http_server_request_duration",
        dimensions: [
          ("http_request_method", key.method), ("http_route", key.route),
          ("http_response_status_code", "\(key.status)"),
        ])
      timers[key] = timer
      return timer
    }
    timer.recordNanoseconds(Int64(clamping: Int(entry.duration / .nanoseconds(1))))
  }
}
