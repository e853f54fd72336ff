// snippet.adapter
public import Hummingbird
public import InstantSearchService
public import NIOCore
import HTTPTypes
import ServiceLifecycle

/// Answers the requests of Hummingbird with a search service.
public struct SearchServiceResponder: HTTPResponder {
  private let service: SearchService

  /// Creates a responder.
  public init(_ service: SearchService) { self.service = service }

  /// Answers one request.
  public func respond(
    to request: Request, context: ConnectionContext
  ) async throws -> Response {
    let head = ServiceRequest(
      method: request.method.rawValue, target: request.uri.string,
      headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
      peerAddress: context.channel.remoteAddress?.ipAddress)
    let response = await service.respond(to: head) { maximumSize in
      do {
        return Array(try await request.body.collect(upTo: maximumSize).readableBytesView)
      } catch is NIOTooManyBytesError {
        return nil
      }
    }
    return Response(response, on: context.channel, isHead: request.method == .head)
  }
}

/// The context of a request, with its connection.
public struct ConnectionContext: RequestContext {
  /// The storage of Hummingbird.
  public var coreContext: CoreRequestContextStorage
  /// The connection.
  public let channel: any Channel

  /// Creates the context of a request.
  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension Response {
  /// Creates the response of a service.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - channel: The connection.
  ///   - isHead: Whether the body is left out. Defaults to `false`.
  ///   - onShutdown: Ends a stream when the server is about to end. Defaults to nothing.
  public init(
    _ response: ServiceResponse, on channel: any Channel, isHead: Bool = false,
    onShutdown: @escaping @Sendable () -> Void = {}
  ) {
    var headers = HTTPFields()
    for header in response.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      headers.append(HTTPField(name: name, value: header.value))
    }
    let body: ResponseBody
    switch response.body {
    case _ where isHead: body = ResponseBody()
    case .bytes(let bytes): body = ResponseBody(bytes, on: channel)
    case .stream(let stream):
      body = ResponseBody { writer in
        try await withGracefulShutdownHandler {
          for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
        } onGracefulShutdown: {
          onShutdown()
        }
        try await writer.finish(nil)
      }
    }
    self.init(
      status: .init(code: response.status), headers: headers, body: body)
  }
}

extension ResponseBody {
  private static let chunkSize = 1 << 16

  /// Writes bytes as fast as the connection takes them.
  ///
  /// A server that ends closes each connection that has no request. One whose last bytes are not
  /// sent yet would count as such, so the body ends when they are.
  fileprivate init(_ bytes: [UInt8], on channel: any Channel) {
    if bytes.count <= Self.chunkSize {
      self.init(byteBuffer: ByteBuffer(bytes: bytes))
      return
    }
    self.init(contentLength: bytes.count) { writer in
      for start in stride(from: 0, to: bytes.count, by: Self.chunkSize) {
        let end = min(start + Self.chunkSize, bytes.count)
        try await writer.write(ByteBuffer(bytes: bytes[start..<end]))
      }
      while try await channel.getOption(.bufferedWritableBytes).get() > 0 {
        try await Task.sleep(for: .milliseconds(1))
      }
      try await writer.finish(nil)
    }
  }
}
// snippet.end
