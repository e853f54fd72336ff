extension FallbackTransport {
  /// One of the two transports.
  enum Side: Sendable, Hashable {
    case primary, fallback
  }

  /// A snapshot of one side, which the other cannot answer from.
  struct SidedSnapshot: Sendable {
    /// Tells whose snapshot it is, as transports may be wrapped in others of their kind.
    let owner: SharedBreaker
    let side: Side
    let base: (any Sendable)?
  }

  /// How it ended that a side was asked.
  enum SideOutcome: Sendable {
    /// It answered, or threw an error.
    case ended(Result<TransportResponse, any Error>)
    /// It had its time.
    case tookTooLong(Duration)
    /// The call had its time.
    case deadlinePassed
    /// The caller, or the side itself, gave the call up.
    case cancelled

    /// Asks a transport.
    init(of transport: any SearchTransport, answering request: TransportRequest) async {
      do {
        self = .ended(.success(try await transport.send(request)))
      } catch {
        let isCancelled =
          error is CancellationError || (error as? SearchError)?.code == .cancelled
        self = isCancelled ? .cancelled : .ended(.failure(error))
      }
    }

    var isCancelled: Bool {
      if case .cancelled = self { true } else { false }
    }

    /// Whether nobody else is to be asked after it.
    var isEndOfCall: Bool {
      switch self {
      case .deadlinePassed, .cancelled: true
      case .ended, .tookTooLong: false
      }
    }

    /// Whether the side had no answer, for reasons of its own.
    var isThrown: Bool {
      switch self {
      case .ended(.failure), .tookTooLong: true
      case .ended(.success), .deadlinePassed, .cancelled: false
      }
    }

    /// The outcome as a caller receives it.
    func response() throws -> TransportResponse {
      switch self {
      case .ended(let result): return try result.get()
      case .tookTooLong(let time):
        throw SearchError(.timedOut, "The primary transport had no answer after \(time).")
      case .deadlinePassed: throw SearchError.deadlinePassed
      case .cancelled: throw CancellationError()
      }
    }
  }
}
