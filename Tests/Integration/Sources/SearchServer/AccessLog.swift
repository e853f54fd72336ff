import InstantSearchService
import Logging
import Metrics

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
      "client": "\(entry.clientAddress ?? "-")", "status": "\(entry.status)",
      "ms": "\(milliseconds(entry.duration))", "id": "\(entry.correlationID)",
      "in": "\(entry.requestBytes)",
    ]
    if let bytes = entry.responseBytes { metadata["out"] = "\(bytes)" }
    if let key = entry.maskedKey { metadata["key"] = "\(key)" }
    if let index = entry.indexName { metadata["index"] = "\(index)" }
    if let message = entry.message { metadata["error"] = "\(message)" }
    logger.log(level: level, "\(entry.request)", metadata: metadata)
  }
}

/// Milliseconds with three digits, without Foundation.
private func milliseconds(_ duration: Duration) -> String {
  let microseconds = Int(duration / .microseconds(1))
  let rest = "\(microseconds % 1_000)"
  return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
}

/// Counts requests and their time by route, in the names of OpenTelemetry's conventions.
let requestMetrics: @Sendable (AccessLogEntry) -> Void = { entry in
  let method = entry.request.prefix { $0 != " " }
  let known = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]
  Timer(
    label: "http_server_request_duration",
    dimensions: [
      ("http_request_method", known.contains(String(method)) ? String(method) : "_OTHER"),
      ("http_route", entry.route ?? ""),
      ("http_response_status_code", "\(entry.status)"),
    ]
  ).recordNanoseconds(Int64(clamping: Int(entry.duration / .nanoseconds(1))))
}
