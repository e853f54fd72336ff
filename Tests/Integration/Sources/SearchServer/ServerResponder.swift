import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdService
import InstantSearchService
import NIOCore
import Watching

/// Answers `/metrics`, and everything else with the service.
struct ServerResponder: HTTPResponder {
  let service: SearchService
  let metrics: MetricsPage

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    guard request.uri.path == "/metrics", request.method == .get else {
      return try await SearchServiceResponder(service).respond(to: request, context: context)
    }
    let peer = context.channel.remoteAddress?.ipAddress
    guard metrics.isAllowed(request, from: peer) else {
      var response = service.refuse(
        ServiceRequest(request, on: context.channel), status: metrics.key == nil ? 403 : 401,
        message: "No access to the metrics")
      if metrics.key != nil {
        response.headers.append(HTTPHeader(name: "WWW-Authenticate", value: "Bearer"))
      }
      return Response(response, on: context.channel)
    }
    return Response(
      status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
  }
}

/// The numbers of the server for Prometheus.
struct MetricsPage: Sendable {
  let metrics: PrometheusMetrics
  let gate: EngineGate
  let key: String?

  /// Whether a request comes from this machine and not through a proxy, or has the key.
  func isAllowed(_ request: Request, from peer: String?) -> Bool {
    if let key {
      return Self.isEqual(request.headers[.authorization] ?? "", "Bearer \(key)")
    }
    return (peer == "127.0.0.1" || peer == "::1" || peer == "::ffff:127.0.0.1")
      && request.headers[values: .forwardedFor].isEmpty
  }

  /// Compares in a time that does not depend on where the texts differ.
  private static func isEqual(_ text: String, _ secret: String) -> Bool {
    text.utf8.count == secret.utf8.count
      && zip(text.utf8, secret.utf8).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// What each of the numbers is.
  static let help = [
    "http_server_request_duration_seconds": "Time of requests by route and status.",
    "search_calls_total": "Calls that reached the engine.",
    "search_duration_seconds": "Time of calls in the engine.",
    "search_response_bytes": "Bytes of the responses of the engine.",
    "search_index_records": "Records of an index.",
    "process_resident_memory_bytes": "Resident memory of the server.",
    "http_server_connections_closed_total": "Connections that a limit has closed, by reason.",
  ]

  func text() -> String {
    let indices = gate.engine.map { engine in
      engine.indexNames.map { name in
        PrometheusMetrics.Sample(
          "search_index_records", Double(engine.recordCount(of: name) ?? 0),
          dimensions: [("index", name)])
      }
    }
    let memory = Self.residentMemory.map {
      PrometheusMetrics.Sample("process_resident_memory_bytes", $0)
    }
    return metrics.text(with: (indices ?? []) + [memory].compactMap(\.self))
  }

  /// The memory of the process in bytes, where the system says it in a file.
  private static var residentMemory: Double? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let fields = text.split(separator: " ")
    return fields.count > 1
      ? Double(fields[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}

extension HTTPField.Name {
  fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via
}
