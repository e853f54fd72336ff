public import Hummingbird
public import InstantSearchService
import HTTPTypes
import NIOCore

// snippet.adapter
/// Answers the requests of Hummingbird with a search service.
public struct SearchServiceResponder: HTTPResponder {
  private let service: SearchService

  /// Creates a responder.
  public init(_ service: SearchService) { self.service = service }

  /// Answers one request.
  public func respond(
    to request: Request, context: PeerRequestContext
  ) async throws -> Response {
    var body: [UInt8] = []
    do {
      let buffer = try await request.body.collect(upTo: service.maximumBodySize)
      body = Array(buffer.readableBytesView)
    } catch let error as HTTPError where error.status == .contentTooLarge {
      return Response(ServiceResponse(status: 413, message: "The body is larger than allowed"))
    }
    let response = await service.respond(
      to: ServiceRequest(
        method: request.method.rawValue, target: request.uri.string,
        headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
        body: body, peerAddress: context.remoteAddress?.ipAddress))
    return Response(response, isHead: request.method == .head)
  }
}
// snippet.end

/// The context of a request, with the address of the peer.
public struct PeerRequestContext: RequestContext, RemoteAddressRequestContext {
  /// The storage of Hummingbird.
  public var coreContext: CoreRequestContextStorage
  /// The address of the peer.
  public let remoteAddress: SocketAddress?

  /// Creates the context of a request.
  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }
}

extension Response {
  /// Creates the response of a service.
  ///
  /// - Parameter isHead: Whether the body is left out. Defaults to `false`.
  public init(_ response: ServiceResponse, isHead: Bool = false) {
    var headers = HTTPFields()
    for header in response.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      headers.append(HTTPField(name: name, value: header.value))
    }
    let body: ResponseBody
    switch response.body {
    case _ where isHead: body = ResponseBody()
    case .bytes(let bytes): body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    case .stream(let stream):
      body = ResponseBody { writer in
        for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
        try await writer.finish(nil)
      }
    }
    self.init(
      status: .init(code: response.status), headers: headers, body: body)
  }
}
