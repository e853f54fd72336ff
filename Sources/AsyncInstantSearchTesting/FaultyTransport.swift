import InstantSearchJSON

/// A transport that fails, delays or falsifies some calls of another one.
///
///     let transport = FaultyTransport(wrapping: engine) { _, number in
///       number < 2 ? .status(503) : nil  // The first two calls fail.
///     }
public struct FaultyTransport: SearchTransport {
  /// What happens to a call instead of, or before, its answer.
  public struct Fault: Sendable {
    fileprivate enum Kind {
      case status(Int, String)
      case failure(any Error)
      case body([UInt8])
      case delay(Duration)
      case silence
    }

    fileprivate let kind: Kind

    /// The server answers with an error status and a message.
    public static func status(_ status: Int, _ message: String = "Injected.") -> Fault {
      Fault(kind: .status(status, message))
    }

    /// There is no answer: the call throws.
    public static func failure(_ error: any Error) -> Fault {
      Fault(kind: .failure(error))
    }

    /// The server answers with status 200 and these bytes.
    public static func body(_ bytes: [UInt8]) -> Fault {
      Fault(kind: .body(bytes))
    }

    /// The answer comes, but only after this time on the transport's clock; a call whose deadline
    /// passes first ends then.
    public static func delay(_ duration: Duration) -> Fault {
      Fault(kind: .delay(duration))
    }

    /// The server never answers; the call ends with its deadline or its cancellation.
    public static let silence = Fault(kind: .silence)
  }

  private let base: any SearchTransport
  private let clock: any Clock<Duration>
  private let fault: @Sendable (TransportRequest, Int) -> Fault?
  private let counter = Counter()

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: answers the calls that have no fault.
  ///   - clock: measures delays; a continuous clock by default.
  ///   - fault: chooses the fault of a call by its request and its number, counted from 0.
  public init(
    wrapping base: some SearchTransport,
    clock: some Clock<Duration> = ContinuousClock(),
    fault: @escaping @Sendable (TransportRequest, _ number: Int) -> Fault?
  ) {
    self.base = base
    self.clock = clock
    self.fault = fault
  }

  /// Answers a call, after its fault.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard let fault = fault(request, counter.next()) else { return try await base.send(request) }
    switch fault.kind {
    case .status(let status, let message):
      return Self.error(status, message)
    case .failure(let error):
      throw error
    case .body(let bytes):
      return TransportResponse(status: 200, body: bytes)
    case .delay(let duration):
      try await wait(for: duration, on: clock, until: request.deadline)
      return try await base.send(request)
    case .silence:
      if let deadline = request.deadline {
        try await deadline.sleep()
      } else {
        await untilCancelled()
        throw CancellationError()
      }
      throw Self.timedOut
    }
  }

  private static var timedOut: SearchError {
    SearchError(.timedOut, "No answer came before the deadline.")
  }

  private static func error(_ status: Int, _ message: String) -> TransportResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("message")
    writer.string(message)
    writer.key("status")
    writer.int(status)
    writer.endObject()
    return TransportResponse(status: status, body: writer.bytes)
  }

  /// Waits for a time, which may be on another clock than the deadline that cuts it short.
  private func wait(
    for duration: Duration, on clock: some Clock<Duration>, until deadline: Deadline?
  ) async throws {
    let delay = Deadline(after: duration, clock: clock)
    guard let deadline else { return try await delay.sleep() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await delay.sleep() }
      group.addTask { try await deadline.sleep() }
      defer { group.cancelAll() }
      try await group.next()
    }
    if deadline.hasPassed { throw Self.timedOut }
  }
}

/// Numbers calls.
private final class Counter: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

/// A transport that answers what a test tells it to, and remembers what it was asked.
public final class ScriptedTransport: SearchTransport {
  /// Answers the call of that number, counted from 0.
  public typealias Script =
    @concurrent @Sendable (TransportRequest, _ number: Int) async throws -> TransportResponse

  private let script: Script
  private let received = Lock<[TransportRequest]>([])

  /// Creates a transport that answers by `script`.
  public init(_ script: @escaping Script) {
    self.script = script
  }

  /// Creates a transport that answers every call with the same body, with status 200.
  public convenience init(json: String, status: Int = 200) {
    self.init { _, _ in TransportResponse(status: status, body: Array(json.utf8)) }
  }

  /// The calls so far, in the order in which they arrived.
  public var requests: [TransportRequest] { received.withLock { $0 } }

  /// Records the call and answers it by the script.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return try await script(request, number)
  }
}
