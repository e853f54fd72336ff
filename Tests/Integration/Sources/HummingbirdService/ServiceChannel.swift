public import HummingbirdCore
public import InstantSearchService
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension HTTPServerBuilder {
  /// HTTP/1.1 with limits for each connection, whose errors have the form of a service.
  ///
  /// - Parameters:
  ///   - limits: What a client may do with its connections.
  ///   - refuse: Returns the response to a request that is refused, or to what is none, with a
  ///     status and a message.
  public static func service(
    limits: ConnectionLimits,
    refuse: @escaping @Sendable (ServiceRequest, _ status: Int, String) -> ServiceResponse
  ) -> HTTPServerBuilder {
    let counts = ConnectionCounts(maximum: limits.connectionsPerAddress)
    return HTTPServerBuilder { responder in
      ServiceChannel(responder: responder, limits: limits, refuse: refuse, counts: counts)
    }
  }
}

/// The pipeline of a connection: that of Hummingbird, with the limits of a server that is reached
/// from the internet.
struct ServiceChannel: HTTPChannelHandler {
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let responder: HTTPChannelHandler.Responder
  let limits: ConnectionLimits
  let refuse: @Sendable (ServiceRequest, Int, String) -> ServiceResponse
  let counts: ConnectionCounts

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    var isTooMany = false
    if let address = channel.remoteAddress?.ipAddress,
      !limits.proxies.contains(where: { $0.contains(address) })
    {
      let client = IPNetwork.subscriber(of: address)
      if counts.add(client) {
        channel.closeFuture.whenComplete { [counts] _ in counts.remove(client) }
      } else {
        isTooMany = true
      }
    }
    let isRefused = isTooMany
    // Without it the system takes megabytes at once, and says much later that the client reads.
    try? channel.syncOptions?.setOption(
      .tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 1 << 17)
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let bytes = ReceivedBytes()
      try pipeline.addHandler(bytes)
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false)
      try pipeline.addHandler(ConnectionHandler(limits, bytes, isRefused: isRefused, refuse))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      // It ends connections when the server ends.
      try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel,
        configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(value: Value, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }
}

/// The number of connections of each client.
final class ConnectionCounts: Sendable {
  private let maximum: Int
  private let counts = NIOLockedValueBox<[String: Int]>([:])

  init(maximum: Int) { self.maximum = maximum }

  /// Counts a connection, unless there are too many.
  func add(_ address: String) -> Bool {
    counts.withLockedValue { counts in
      guard counts[address, default: 0] < maximum else { return false }
      counts[address, default: 0] += 1
      return true
    }
  }

  func remove(_ address: String) {
    counts.withLockedValue { counts in
      let count = (counts[address] ?? 0) - 1
      counts[address] = count > 0 ? count : nil
    }
  }
}

/// Sees the bytes before they are read as requests.
final class ReceivedBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Runs at the first bytes after the value was set.
  var onFirst: (() -> Void)?
  /// Whether later bytes are dropped: they are no request of this connection.
  var isAtEnd = false
  /// The bytes since the last part of a request was read.
  var unreadCount = 0
  /// More are no head.
  private static let maximumUnreadCount = 1 << 22

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isAtEnd { return }
    if let onFirst {
      self.onFirst = nil
      onFirst()
    }
    unreadCount += unwrapInboundIn(data).readableBytes
    guard unreadCount <= Self.maximumUnreadCount else { return context.close(promise: nil) }
    context.fireChannelRead(data)
  }
}
