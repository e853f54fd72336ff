/// A transport that makes some calls of another one fail, or delays or changes their responses.
///
///     let transport = FaultyTransport(wrapping: engine) { _, number in
///       number < 2 ? .status(503) : nil  // The first two calls fail.
///     }
public struct FaultyTransport: SearchTransport {
  /// The fault of a call, instead of or before its response.
  public struct Fault: Sendable {
    fileprivate enum Kind {
      case status(Int, String)
      case failure(any Error)
      case body([UInt8])
      case delay(Duration)
      case silence
    }

    fileprivate let kind: Kind

    /// The server responds with an error status and a message.
    public static func status(_ status: Int, _ message: String = "Injected.") -> Fault {
      Fault(kind: .status(status, message))
    }

    /// The call throws without a response.
    public static func failure(_ error: any Error) -> Fault {
      Fault(kind: .failure(error))
    }

    /// The server responds with status 200 and these bytes.
    public static func body(_ bytes: [UInt8]) -> Fault {
      Fault(kind: .body(bytes))
    }

    /// The response arrives after this time on the transport's clock. If the deadline of the call
    /// passes before, the call ends then.
    public static func delay(_ duration: Duration) -> Fault {
      Fault(kind: .delay(duration))
    }

    /// The server never responds. The call ends with its deadline or cancellation.
    public static let silence = Fault(kind: .silence)
  }

  private let base: any SearchTransport
  private let clock: any Clock<Duration>
  private let fault: @Sendable (TransportRequest, Int) -> Fault?
  private let calls = Counter(from: 0)

  /// Creates a transport around another one.
  ///
  /// - Parameters:
  ///   - base: Responds to the calls without a fault.
  ///   - clock: Measures delays. Defaults to a continuous clock.
  ///   - fault: Returns the fault of a call, given its request and its number, counted from 0.
  public init(
    wrapping base: some SearchTransport,
    clock: some Clock<Duration> = ContinuousClock(),
    fault: @escaping @Sendable (TransportRequest, _ number: Int) -> Fault?
  ) {
    self.base = base
    self.clock = clock
    self.fault = fault
  }

  /// Applies the fault of a call, or forwards the call.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard let fault = fault(request, calls.next()) else { return try await base.send(request) }
    switch fault.kind {
    case .status(let status, let message):
      return TransportResponse(
        status: status, body: TransportResponse.errorBody(message, status: status))
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
      throw SearchError.deadlinePassed
    }
  }

  /// Waits for a time. The deadline that can end the wait may be on another clock.
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
    if deadline.hasPassed { throw SearchError.deadlinePassed }
  }
}

/// A transport that responds as a test specifies, and records the requests.
public final class ScriptedTransport: SearchTransport {
  /// Returns the response to the call with a number, counted from 0.
  public typealias Script =
    @concurrent @Sendable (TransportRequest, _ number: Int) async throws -> TransportResponse

  private let script: Script
  private let received = Lock<[TransportRequest]>([])

  /// Creates a transport that responds with `script`.
  public init(_ script: @escaping Script) {
    self.script = script
  }

  /// Creates a transport that responds to every call with the same body and status 200.
  public convenience init(json: String, status: Int = 200) {
    self.init { _, _ in TransportResponse(status: status, body: Array(json.utf8)) }
  }

  /// The recorded calls, in the order of their arrival.
  public var requests: [TransportRequest] { received.withLock { $0 } }

  /// Records the call and responds with the script.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return try await script(request, number)
  }
}
