public import AsyncInstantSearch
import Tracing

// snippet.trace
/// A transport with a span for each call of another one.
///
/// The names of the attributes are those of OpenTelemetry's conventions for databases.
public struct TracingTransport: SearchTransport {
  private let base: any SearchTransport

  /// Creates a transport around another one.
  public init(wrapping base: some SearchTransport) { self.base = base }

  /// Whether calls of the other transport end in time.
  public var isPrompt: Bool { base.isPrompt }

  /// Sends a call in a span.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    // The name has no text of a caller, so that a back end can group by it.
    let name = "\(request.endpoint.method.rawValue) \(request.endpoint.route)"
    return try await withSpan(name, ofKind: .client) { span in
      span.attributes["db.system.name"] = "algolia"
      if let index = request.endpoint.indexName { span.attributes["db.collection.name"] = index }
      var request = request
      // A server behind continues the trace.
      InstrumentationSystem.instrument.inject(
        span.context, into: &request.headers, using: HeaderInjector())
      let response = try await base.send(request)
      span.attributes["http.response.status_code"] = response.status
      if response.status >= 500 { span.setStatus(.init(code: .error)) }
      return response
    }
  }

  private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout [HTTPHeader]) {
      headers.append(HTTPHeader(name: key, value: value))
    }
  }
}
// snippet.end
