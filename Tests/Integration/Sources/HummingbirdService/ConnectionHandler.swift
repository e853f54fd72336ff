import InstantSearchService
import NIOCore
import NIOHTTP1

/// Ends a connection whose client is late, and answers what is no request of HTTP/1.1 or 1.0.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ConnectionLimits
  private let bytes: ReceivedBytes
  private let refuse: (Int, String, String?) -> ServiceResponse
  /// Whether the address has as many connections as it may have.
  private let isRefused: Bool
  /// Ends the connection when the client is late with what it sends.
  private var timer: Scheduled<Void>?
  /// Ends the connection when the client does not take what is sent.
  private var writeTimer: Scheduled<Void>?
  /// The requests whose response has not ended.
  private var openCount = 0
  private var isReadingBody = false
  /// Whether a response has begun and not ended.
  private var isWriting = false
  /// Whether the connection ends after the response that is being written, or now.
  private var isEnding = false

  init(
    _ limits: ConnectionLimits, _ bytes: ReceivedBytes, isRefused: Bool,
    _ refuse: @escaping (Int, String, String?) -> ServiceResponse
  ) {
    self.limits = limits
    self.bytes = bytes
    self.isRefused = isRefused
    self.refuse = refuse
  }

  // MARK: Beginning and end

  func handlerAdded(context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    if isRefused { return context.close(promise: nil) }
    expectHead(context, hasBegun: false)
  }

  func channelActive(context: ChannelHandlerContext) {
    if isRefused { return context.close(promise: nil) }
    expectHead(context, hasBegun: false)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimers()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stopTimers() }

  private func stopTimers() {
    bytes.onFirst = nil
    timer?.cancel()
    writeTimer?.cancel()
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isEnding else { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      isReadingBody = true
      openCount += 1
      if let problem = Self.problem(of: head) {
        return end(context, 400, problem)
      }
      // The codec after this one forgets the version.
      if head.version == .http1_0 {
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        head.headers.remove(name: "Expect")
      }
      setTimer(context, limits.bodyTimeout) { handler, context in
        handler.end(context, 408, "The body did not arrive in time")
      }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body:
      context.fireChannelRead(data)
    case .end:
      isReadingBody = false
      context.fireChannelRead(data)
      if openCount == 0 { expectNext(context) } else { timer?.cancel() }
    }
  }

  /// What is wrong with a head; `nil` if nothing is.
  ///
  /// Source: RFC 9112, section 3.2.
  private static func problem(of head: HTTPRequestHead) -> String? {
    if head.version.major != 1 { return "Unknown version of HTTP" }
    let hosts = head.headers["Host"].count
    if hosts > 1 || hosts == 0 && head.version == .http1_1 { return "Expected one Host header" }
    return nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, !isEnding else { return context.fireErrorCaught(error) }
    if openCount > 0 {
      // The service reads the body, and answers that it is malformed.
      isEnding = true
      context.fireErrorCaught(error)
    } else if isReadingBody {
      context.close(promise: nil)
    } else {
      openCount = 1
      end(context, 400, "Malformed request")
    }
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code < 200:
      context.write(data, promise: promise)
    case .head:
      // A second answer to a request that was refused here.
      guard openCount > 0 else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      isWriting = true
      context.write(data, promise: promise)
    case .body, .end:
      guard isWriting else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      guard case .end = unwrapOutboundIn(data) else {
        context.write(data, promise: promise)
        return
      }
      isWriting = false
      openCount -= 1
      if isEnding, openCount == 0 {
        context.writeAndFlush(data, promise: promise)
        context.close(promise: nil)
      } else {
        context.write(data, promise: promise)
        if openCount == 0 { expectNext(context) }
      }
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    writeTimer?.cancel()
    if !context.channel.isWritable {
      writeTimer = context.eventLoop.assumeIsolated().scheduleTask(
        in: TimeAmount(limits.bodyTimeout)
      ) { context.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  /// Answers a request that is refused, and ends the connection.
  private func end(_ context: ChannelHandlerContext, _ status: Int, _ message: String) {
    guard !isEnding else { return }
    isEnding = true
    stopTimers()
    let response = refuse(status, message, context.channel.remoteAddress?.ipAddress)
    // Not in the middle of a response, nor before one that is due.
    if isWriting || openCount > 1 { return context.close(promise: nil) }
    openCount = 0
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    headers.add(name: "Connection", value: "close")
    headers.add(name: "Content-Length", value: "\(response.bytes.count)")
    context.write(
      wrapOutboundOut(
        .head(
          HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: response.status), headers: headers))),
      promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.bytes)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    // Bytes that were not read would reset the connection before the client has read the answer.
    context.close(mode: .output, promise: nil)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
      context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if isEnding, openCount == 0, event as? ChannelEvent == .inputClosed {
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Times

  /// Waits for the head of the next request, or for the rest of a body that was not read.
  private func expectNext(_ context: ChannelHandlerContext) {
    if isReadingBody {
      setTimer(context, limits.headTimeout) { $1.close(promise: nil) }
      return
    }
    setTimer(context, limits.idleTimeout) { $1.close(promise: nil) }
    bytes.onFirst = { [weak self] in
      guard let self, openCount == 0 else { return }
      expectHead(context, hasBegun: true)
    }
  }

  /// Waits for the head of a request, of which bytes may have come.
  private func expectHead(_ context: ChannelHandlerContext, hasBegun: Bool) {
    var hasBegun = hasBegun
    if !hasBegun { bytes.onFirst = { hasBegun = true } }
    setTimer(context, limits.headTimeout) { handler, context in
      // A client that opens connections in advance is not wrong.
      if hasBegun {
        handler.end(context, 408, "The head of the request did not arrive in time")
      } else {
        context.close(promise: nil)
      }
    }
  }

  private func setTimer(
    _ context: ChannelHandlerContext, _ time: Duration,
    _ run: @escaping (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
      guard let self, !isEnding else { return }
      run(self, context)
    }
  }
}
