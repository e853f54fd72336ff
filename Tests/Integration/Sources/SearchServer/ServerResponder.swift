import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdService
import NIOCore
import Watching

/// Answers `/metrics`, and everything else with the service.
struct ServerResponder: HTTPResponder {
  let service: SearchServiceResponder
  let metrics: MetricsPage

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    guard request.uri.path == "/metrics", request.method == .get else {
      return try await service.respond(to: request, context: context)
    }
    guard metrics.isAllowed(request, from: context.channel.remoteAddress) else {
      return Response(status: .forbidden)
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
  func isAllowed(_ request: Request, from address: SocketAddress?) -> Bool {
    if let key { return request.headers[.authorization] == "Bearer \(key)" }
    let peer = address?.ipAddress
    return (peer == "127.0.0.1" || peer == "::1" || peer == "::ffff:127.0.0.1")
      && request.headers[values: .forwardedFor].isEmpty
  }

  func text() -> String {
    if let engine = gate.engine {
      for name in engine.indexNames {
        metrics.showGauge(
          "search_index_records", Double(engine.recordCount(of: name) ?? 0),
          dimensions: [("index", name)])
      }
    }
    if let memory = Self.residentMemory {
      metrics.showGauge("process_resident_memory_bytes", memory)
    }
    return metrics.text()
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
