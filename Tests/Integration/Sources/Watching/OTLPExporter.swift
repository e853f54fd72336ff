import AsyncHTTPClient
public import Logging
import NIOCore
public import ServiceLifecycle
import Tracing

/// Sends the spans of a tracer to a back end of OpenTelemetry over HTTP, each second.
///
/// A back end that does not answer costs the spans, and nothing else.
public struct OTLPExporter: Service {
  /// The spans of one request.
  private static let batchCount = 512

  private let tracer: OTLPTracer
  private let url: String
  private let service: String
  private let logger: Logger

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - tracer: The tracer whose spans are sent.
  ///   - endpoint: The URL of the back end without a path, such as `http://127.0.0.1:4318`.
  ///   - service: The name of the program.
  ///   - logger: The log of failures.
  public init(of tracer: OTLPTracer, endpoint: String, service: String, logger: Logger) {
    self.tracer = tracer
    url = endpoint + (endpoint.hasSuffix("/") ? "v1/traces" : "/v1/traces")
    self.service = service
    self.logger = logger
  }

  /// Sends until the program ends or the task is cancelled, and what is left then.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(1))) != nil { await send() }
    }
    // A cancelled task could not send.
    await Task { await send() }.value
  }

  private func send() async {
    let (spans, droppedCount) = tracer.take()
    if droppedCount > 0 {
      logger.warning("spans were dropped", metadata: ["count": "\(droppedCount)"])
    }
    var rest = spans[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCount)
      rest = rest.dropFirst(Self.batchCount)
      do {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-protobuf")
        request.body = .bytes(OTLPMessage.bytes(of: batch, from: service))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(3))
        _ = try await response.body.collect(upTo: 1 << 16)
        if response.status.code >= 300 {
          logger.warning("spans were refused", metadata: ["status": "\(response.status.code)"])
        }
      } catch {
        logger.warning(
          "spans were not sent",
          metadata: ["count": "\(batch.count + rest.count)", "error": "\(error)"])
        return
      }
    }
  }
}
