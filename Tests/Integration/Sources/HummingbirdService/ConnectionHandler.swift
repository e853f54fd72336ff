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
  private let refuse: (ServiceRequest, Int, String) -> ServiceResponse
  /// Whether the address has as many connections as it may have.
  private let isRefused: Bool
  /// Ends the connection when the client is late with what it sends.
  private var timer: Scheduled<Void>?
  /// Looks whether the client takes what is sent, while bytes wait for it.
  private var paceTimer: Scheduled<Void>?
  private var pace = ReadingPace()
  /// The requests whose response has not ended.
  private var openCount = 0
  private var isReadingBody = false
  /// Whether a response has begun and not ended.
  private var isWriting = false
  /// Whether the connection ends after the responses that are due, or now.
  private var isEnding = false { didSet { if isEnding { bytes.isAtEnd = true } } }
  /// Whether the newest request is the last one of the connection.
  private var isLast = false
  /// Whether the last request has ended: what follows is not read.
  private var isDone: Bool { isLast && !isReadingBody }
  /// More open requests than that have no place in a pipeline.
  private static let maximumOpenCount = 100
  /// The response to a request that is refused, which comes after those to the requests before it.
  private var refusal: ServiceResponse?

  init(
    _ limits: ConnectionLimits, _ bytes: ReceivedBytes, isRefused: Bool,
    _ refuse: @escaping (ServiceRequest, Int, String) -> ServiceResponse
  ) {
    self.limits = limits
    self.bytes = bytes
    self.isRefused = isRefused
    self.refuse = refuse
  }

  // MARK: Beginning and end

  func handlerAdded(context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    if isRefused { return close(context, .tooMany) }
    expectHead(context, hasBegun: false)
  }

  func channelActive(context: ChannelHandlerContext) {
    if isRefused { return close(context, .tooMany) }
    expectHead(context, hasBegun: false)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimers()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stopTimers() }

  private func close(_ context: ChannelHandlerContext, _ reason: ConnectionLimits.CloseReason) {
    limits.onClose(reason, context.channel.remoteAddress?.ipAddress)
    context.close(promise: nil)
  }

  private func stopTimers() {
    bytes.onFirst = nil
    timer?.cancel()
    paceTimer?.cancel()
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes.unreadCount = 0
    guard !isEnding, !isDone else { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      isReadingBody = true
      openCount += 1
      if let (status, problem) = Self.problem(of: head) {
        return end(context, status, problem, head)
      }
      if openCount > Self.maximumOpenCount {
        return end(context, 429, "Too many requests before their responses", head)
      }
      // What follows a request for another protocol is none of this one.
      isLast = !head.isKeepAlive || head.headers.contains(name: "Upgrade")
      // The server after this handler knows one spelling, and no version.
      if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      if head.version == .http1_0 { head.headers.remove(name: "Expect") }
      setTimer(context, limits.bodyTimeout) { handler, context in
        // The service answers, which reads the body.
        handler.isEnding = true
        context.fireErrorCaught(SearchError(.timedOut, "The body is late."))
      }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body:
      context.fireChannelRead(data)
    case .end:
      isReadingBody = false
      if isLast { bytes.isAtEnd = true }
      context.fireChannelRead(data)
      if openCount == 0 { expectNext(context) } else { timer?.cancel() }
    }
  }

  /// The status and the message for a head that is wrong; `nil` if nothing is.
  ///
  /// Source: RFC 9112, section 3.2.
  private static func problem(of head: HTTPRequestHead) -> (status: Int, message: String)? {
    if head.method == .CONNECT { return (405, "This server is no proxy") }
    if head.version.major != 1 { return (505, "Unknown version of HTTP") }
    let hosts = head.headers["Host"].count
    if hosts > 1 || hosts == 0 && head.version == .http1_1 {
      return (400, "Expected one Host header")
    }
    return nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError, !isEnding else {
      return context.fireErrorCaught(error)
    }
    if isDone { return }
    if !isReadingBody {
      openCount += 1
      switch error {
      case .headerOverflow: end(context, 431, "The head of the request is too large")
      case .invalidVersion: end(context, 505, "Unknown version of HTTP")
      default: end(context, 400, "Malformed request")
      }
    } else if openCount > 0 {
      // The service reads the body, and answers that it is malformed.
      isEnding = true
      context.fireErrorCaught(error)
    } else {
      context.close(promise: nil)
    }
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code < 200:
      context.write(data, promise: promise)
    case .head(var head):
      // A second answer to a request that was refused here.
      guard openCount > 0 else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      isWriting = true
      if paceTimer == nil { pace = ReadingPace() }
      if isLast || isEnding, openCount == 1 {
        head.headers.replaceOrAdd(name: "Connection", value: "close")
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body(let body):
      guard isWriting else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      pace.written += body.readableBytes
      context.write(data, promise: promise)
    case .end:
      guard isWriting else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      isWriting = false
      openCount -= 1
      if openCount == 0, isEnding {
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(data, promise: sent)
        expectTaking(context)
        return
      }
      context.write(data, promise: promise)
      if openCount == 1, let refusal {
        send(refusal, context)
      } else if openCount == 0 {
        expectNext(context)
      }
    }
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    expectTaking(context)
  }

  /// Answers a request that is refused, after the requests before it, and ends the connection.
  private func end(
    _ context: ChannelHandlerContext, _ status: Int, _ message: String,
    _ head: HTTPRequestHead? = nil
  ) {
    guard !isEnding else { return }
    isEnding = true
    bytes.onFirst = nil
    timer?.cancel()
    let request = ServiceRequest(
      method: head?.method.rawValue ?? "-", target: head?.uri ?? "-",
      headers: head?.headers.map { HTTPHeader(name: $0.name, value: $0.value) } ?? [],
      peerAddress: context.channel.remoteAddress?.ipAddress)
    var response = refuse(request, status, message)
    let size = response.bytes.count
    if head?.method == .HEAD { response.body = .bytes([]) }
    response.headers.append(HTTPHeader(name: "Content-Length", value: "\(size)"))
    if openCount > 1 {
      refusal = response
    } else if isWriting {
      // The response to this request has begun.
      context.close(promise: nil)
    } else {
      send(response, context)
    }
  }

  /// Sends the last response of a connection.
  private func send(_ response: ServiceResponse, _ context: ChannelHandlerContext) {
    openCount = 0
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    headers.add(name: "Connection", value: "close")
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

  /// Looks at the pace of the client, if bytes wait for it.
  private func expectTaking(_ context: ChannelHandlerContext) {
    guard paceTimer == nil, waitingCount(context) > 0 else { return }
    let interval = min(.seconds(1), limits.bodyTimeout)
    paceTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) {
      [weak self] in
      guard let self else { return }
      paceTimer = nil
      let waiting = waitingCount(context)
      guard waiting > 0 else { return }
      if pace.isTooSlow(with: waiting, for: interval, limits) {
        close(context, .slowReader)
      } else {
        expectTaking(context)
      }
    }
  }

  /// The bytes that the client has not taken.
  private func waitingCount(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
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

/// How fast a client takes a response.
private struct ReadingPace {
  /// The bytes of the body that were written, with what waits for the client.
  var written = 0
  /// Those that the client had taken at the last look.
  private var taken = 0
  /// The time that the client may let bytes wait.
  private var credit: Duration?

  /// Counts a time in which bytes waited, and returns whether the client took less than the limit
  /// asks for. With a time for each byte alone, one that takes a byte now and then would hold a
  /// response for ever; with one for all bytes, so would one that took the most of it at once.
  mutating func isTooSlow(
    with waiting: Int, for interval: Duration, _ limits: ConnectionLimits
  ) -> Bool {
    let new = written - waiting - taken
    taken += new
    let earned = Duration.seconds(Double(new) / Double(max(limits.minimumRate, 1)))
    let credit = min((credit ?? limits.bodyTimeout) + earned, limits.bodyTimeout) - interval
    self.credit = credit
    return credit <= .zero
  }
}
