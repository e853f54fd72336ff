public import AsyncInstantSearch
import HTTPTypes
import Foundation
import Hummingbird

/// Serves the REST contract over HTTP with the embedded engine, or with any other transport.
public struct EngineServer: Sendable {
  private let transport: any SearchTransport

  /// Creates a server that responds from a transport.
  public init(_ transport: some SearchTransport) {
    self.transport = transport
  }

  /// Serves on a free port of the loopback address until its task is cancelled.
  public func run(onPort: @escaping @Sendable (Int) -> Void) async throws {
    let router = Router()
    for method in [HTTPRequest.Method.get, .post, .put, .delete] {
      router.on("**", method: method) { [transport] request, _ in
        let body = try await request.body.collect(upTo: 16 << 20)
        let path = request.uri.path.split(separator: "/").map(String.init)
        let call = TransportRequest(
          method: Endpoint.Method(rawValue: method.rawValue) ?? .post,
          pathComponents: path.map { $0.removingPercentEncoding ?? $0 },
          queryItems: request.uri.queryParameters.map {
            QueryItem(name: String($0.key), value: String($0.value))
          },
          headers: request.headers.map {
            HTTPHeader(name: $0.name.rawName, value: $0.value)
          },
          body: Array(body.readableBytesView), callType: .read)
        let answer = try await transport.send(call)
        return Response(
          status: .init(code: answer.status), headers: [.contentType: "application/json"],
          body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
      }
    }
    try await Server.run(router, onPort: onPort)
  }
}
