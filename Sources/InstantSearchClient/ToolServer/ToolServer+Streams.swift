extension ToolServer {
  /// Answers the messages of a program that has started this one: one message a line, read from
  /// standard input and written to standard output.
  ///
  /// Nothing else may be printed to standard output. It returns at the end of the input.
  ///
  /// - Parameter options: Options of the calls that tools make. Without a timeout, each has 30
  ///   seconds.
  /// - Throws: `CancellationError` if the task is cancelled. If the output is closed, the signal of
  ///   a closed pipe ends the process, or, if the process ignores the signal, an error.
  @concurrent
  public func runOverStandardStreams(options: RequestOptions = RequestOptions()) async throws {
    try await run(
      reading: StandardStreams.read, writing: StandardStreams.write, options: options)
  }

  /// Answers the messages of a stream, one message a line.
  ///
  /// Use it for a stream of another kind, such as a socket. Up to 16 requests run at once, and are
  /// answered in any order. Up to 256 more wait for their turn, and only then nothing more is read.
  /// A line of more than 4 MiB is an error. At the end of the input, the requests have two seconds
  /// to end. While `write` waits for its reader, nothing else happens.
  ///
  /// - Parameters:
  ///   - read: Returns the next bytes of the input, in parts of any size; `nil` at its end. It must
  ///     end when its task is cancelled.
  ///   - write: Writes a message with the end of its line. One call at a time.
  ///   - options: Options of the calls that tools make. Without a timeout, each has 30 seconds.
  ///   - clock: The clock for the end of the input. Defaults to `ContinuousClock`.
  /// - Throws: The errors of `read` and `write`; `CancellationError` if the task is cancelled.
  @concurrent
  public func run(
    reading read: @escaping @Sendable () async throws -> [UInt8]?,
    writing write: @escaping @Sendable ([UInt8]) async throws -> Void,
    options: RequestOptions = RequestOptions(), clock: some Clock<Duration> = ContinuousClock()
  ) async throws {
    var options = options
    options.timeout = options.timeout ?? .seconds(30)
    var stream = MessageStream(self, write: write, options: options)
    try await withThrowingTaskGroup(of: StreamEvent.self) { group in
      try await stream.advance(in: &group, reading: read)
      while !stream.isOver, let event = try await group.next() {
        try Task.checkCancellation()
        switch event {
        case .input(let bytes?): stream.add(bytes)
        case .input(nil):
          stream.endInput()
          let end = Deadline(after: .seconds(2), clock: clock)
          group.addTask {
            _ = await end.waitUntilPassed()
            return .endPassed
          }
        case .response(let id, let bytes): try await stream.end(id, bytes)
        case .endPassed: stream.cancelAll()
        }
        try await stream.advance(in: &group, reading: read)
      }
      group.cancelAll()
    }
  }
}

/// Something that happens to a stream of messages.
private enum StreamEvent: Sendable {
  /// The next bytes of the input; `nil` at its end.
  case input([UInt8]?)
  /// A request has ended, with the response to write; `nil` if it was cancelled.
  case response(ToolRequestID, [UInt8]?)
  /// The time after the end of the input has passed.
  case endPassed
}

/// The state of a stream of messages.
private struct MessageStream {
  private let server: ToolServer
  private let write: @Sendable ([UInt8]) async throws -> Void
  private let options: RequestOptions
  private var lines = LineBuffer()
  /// The running requests, each with what cancels it.
  private var running: [ToolRequestID: Promise<Void>] = [:]
  /// The requests that wait for their turn, in order.
  private var waiting: [(request: ToolRequest, revision: ToolRevision)] = []
  private var isReading = false
  /// The revision of the connection; `nil` before `initialize`.
  private var revision: ToolRevision?

  private static let maximumCallCount = 16
  private static let maximumWaitingCount = 256

  init(
    _ server: ToolServer, write: @escaping @Sendable ([UInt8]) async throws -> Void,
    options: RequestOptions
  ) {
    self.server = server
    self.write = write
    self.options = options
  }

  /// Adds bytes of the input.
  mutating func add(_ bytes: [UInt8]) {
    isReading = false
    lines.append(bytes)
  }

  /// Notes the end of the input, whose last line may lack its end.
  mutating func endInput() {
    isReading = false
    lines.end()
  }

  /// Whether the input has ended and every request was answered.
  var isOver: Bool { lines.isAtEnd && running.isEmpty && waiting.isEmpty }

  /// Answers the lines that were read, then reads on, as long as there is room for requests.
  ///
  /// Lines are read while all places are taken, because a notification can free one.
  mutating func advance(
    in group: inout ThrowingTaskGroup<StreamEvent, any Error>,
    reading read: @escaping @Sendable () async throws -> [UInt8]?
  ) async throws {
    while waiting.count < Self.maximumWaitingCount {
      guard let line = lines.next() else {
        if !isReading, !lines.hasEnded {
          isReading = true
          group.addTask { .input(try await read()) }
        }
        break
      }
      try await answer(line)
    }
    while running.count < Self.maximumCallCount, !waiting.isEmpty { start(in: &group) }
  }

  private func send(_ message: [UInt8]) async throws {
    try await write(message + [UInt8(ascii: "\n")])
  }

  private mutating func answer(_ line: LineBuffer.Line) async throws {
    do {
      guard case .line(let bytes) = line else {
        throw ToolError(
          .invalidRequest, "The message is longer than \(LineBuffer.maximumLength) bytes.")
      }
      let message = try ToolMessage(bytes)
      if let id = message.cancelledID { cancel(id) }
      guard case .request(let request) = message else { return }
      guard running[request.id] == nil, !waiting.contains(where: { $0.request.id == request.id })
      else {
        throw ToolError(.invalidRequest, "The id is that of a running request.", id: request.id)
      }
      waiting.append((request, try revision(of: request)))
    } catch let error as ToolError {
      try await send(ToolMessage.response(to: error.id, error: error))
    }
  }

  private mutating func cancel(_ id: ToolRequestID) {
    waiting.removeAll { $0.request.id == id }
    running[id]?.fulfill(with: ())
  }

  /// Starts the request that waits longest.
  private mutating func start(in group: inout ThrowingTaskGroup<StreamEvent, any Error>) {
    let (request, revision) = waiting.removeFirst()
    let cancelled = Promise<Void>()
    running[request.id] = cancelled
    let (server, options) = (server, options)
    group.addTask {
      await Race.first(
        of: [
          {
            let response = await server.response(to: request, in: revision, options: options)
            return .response(request.id, response.message)
          },
          {
            await cancelled.outcome(onCancel: ())
            return .response(request.id, nil)
          },
        ], onCancel: .response(request.id, nil))
    }
  }

  /// The revision in which a request is answered.
  private mutating func revision(of request: ToolRequest) throws(ToolError) -> ToolRevision {
    if request.revisionText == nil {
      if request.method == "initialize" {
        let revision = ToolRevision.negotiated(request.parameters["protocolVersion"]?.stringValue)
        self.revision = revision
        return revision
      }
      if let revision { return revision }
      // It may precede the handshake.
      if request.method == "ping" { return .newestWithHandshake }
    }
    return try request.statelessRevision
  }

  /// Ends a request, and writes its response unless it was cancelled.
  mutating func end(_ id: ToolRequestID, _ response: [UInt8]?) async throws {
    running[id] = nil
    if let response { try await send(response) }
  }

  /// Cancels all requests.
  mutating func cancelAll() {
    waiting = []
    for cancelled in running.values { cancelled.fulfill(with: ()) }
  }
}

/// The lines of an input that arrives in parts.
private struct LineBuffer {
  enum Line {
    case line([UInt8])
    /// A line that is longer than the maximum, without its bytes.
    case tooLong
  }

  /// The longest line, in bytes.
  static let maximumLength = 1 << 22

  private var bytes: [UInt8] = []
  /// The beginning of the next line in the bytes.
  private var start = 0
  /// The part of the next line that has no end.
  private var searched = 0
  /// Whether the rest of a line is dropped.
  private var isDropping = false
  /// Whether the input has ended.
  private(set) var hasEnded = false

  /// Whether the input has ended and every line was returned.
  var isAtEnd: Bool { hasEnded && start == bytes.count && !isDropping }

  mutating func append(_ part: [UInt8]) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += part
  }

  mutating func end() { hasEnded = true }

  /// Returns the next line without its end. Empty lines are left out.
  mutating func next() -> Line? {
    while true {
      let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
      searched = end ?? bytes.count
      guard end != nil || hasEnded && (start < bytes.count || isDropping) else {
        guard bytes.count - start > Self.maximumLength else { return nil }
        // Only the end of the line is of interest.
        isDropping = true
        start = bytes.count
        return nil
      }
      var line = bytes[start..<searched]
      searched = min(searched + 1, bytes.count)
      start = searched
      if isDropping || line.count > Self.maximumLength {
        isDropping = false
        return .tooLong
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if !line.isEmpty { return .line(Array(line)) }
    }
  }
}
