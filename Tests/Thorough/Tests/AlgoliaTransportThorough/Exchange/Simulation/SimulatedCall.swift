#if os(Linux)
  @testable import AlgoliaTransport
  @testable import InstantSearchHTTP
  @testable import AsyncInstantSearch

  /// One call of a simulation, as a value, and which outcomes it can have.
  struct SimulatedCall: Sendable {
    /// How the URL names the server.
    enum Host: Sendable {
      /// By its address.
      case address
      /// By a name that other calls use too.
      case shared(Int)
      /// By a name of this call only.
      case own
      /// By a name whose first address refuses connections.
      case withRefusingAddress
      /// By a name whose lookup lasts until this call has ended.
      case heldUntilItsEnd
      /// By a name whose lookup lasts until another call has ended.
      case heldUntilEnd(of: Int)
      /// By a name that does not exist, or whose lookup fails.
      case missing, failing

      /// Whether no address is found, however long the call waits.
      var hasNoAddress: Bool {
        switch self {
        case .missing, .failing: true
        default: false
        }
      }
    }

    /// When the caller is cancelled.
    enum Cancellation: Sendable, Equatable {
      /// Perhaps before its task begins.
      case atStart
      /// As soon as the exchange has the request, usually before its thread wakes up.
      case onceSubmitted
      /// After other tasks had their turn this many times.
      case afterYields(Int)
      /// When the next call of its block begins.
      case atNextCall
      /// When the lookup of its host begins.
      case atLookup
      /// When the server has the request.
      case atArrival
      /// When the server has sent half of the response.
      case atHalf
      /// When another call has ended.
      case atEnd(of: Int)
    }

    /// The time that the caller gives.
    enum Limit: Sendable {
      /// Too long to pass.
      case none
      case total(milliseconds: Int)
      /// For the connection only.
      case connect(milliseconds: Int)

      var duration: Duration? {
        switch self {
        case .none: nil
        case .total(let milliseconds), .connect(let milliseconds): .milliseconds(milliseconds)
        }
      }
    }

    /// Its number, which is unique in the simulation and part of the URL.
    let id: Int
    let server: Int
    var host: Host
    var method: Endpoint.Method
    var bodySize: Int
    var reply: SimulatedReply
    var cancellation: Cancellation?
    var limit: Limit
    /// Whether the task begins on the thread of the test.
    var beginsAtOnce: Bool

    /// The name in the URL, or `nil` for an address.
    var hostName: String? {
      switch host {
      case .address: nil
      case .shared(let number): number == 0 ? "localhost" : "shared-\(number).example"
      case .own: "own-\(id).example"
      case .withRefusingAddress: "refusing-\(id).example"
      case .heldUntilItsEnd, .heldUntilEnd: "held-\(id).example"
      case .missing: "missing-\(id).example"
      case .failing: "failing-\(id).example"
      }
    }

    /// The request to a server at this port.
    func request(port: Int) -> HTTPExchangeRequest {
      var request = HTTPExchangeRequest(
        method: method, url: "http://\(hostName ?? "127.0.0.1"):\(port)/call/\(id)",
        headers: [HTTPHeader(name: "X-Call", value: "\(id)")],
        body: SimulatedBody.bytes(of: id, count: bodySize), timeout: .seconds(3600))
      switch limit {
      case .none: break
      case .total(let milliseconds):
        request.timeout = .milliseconds(milliseconds)
        request.connectTimeout = request.timeout
      case .connect(let milliseconds): request.connectTimeout = .milliseconds(milliseconds)
      }
      return request
    }
  }

  extension SimulatedCall {
    /// The maximum time by which a call ends late. Machines can be busy and sanitizers slow, so it
    /// only detects a call that the exchange forgot until it happened to wake up.
    private static let patience = Duration.seconds(45)

    /// What is wrong with its outcome; `nil` for one that it can have.
    ///
    /// - Parameters:
    ///   - time: The time from the call to the outcome.
    ///   - cancelledTime: The time from the cancellation to the outcome, or `nil` without one.
    ///   - arrivals: How often the request arrived at the server.
    ///   - isSteady: Whether the server closes connections only as the replies say.
    func problem(
      with outcome: Result<HTTPExchangeResponse, any Error>, after time: Duration,
      afterCancellation cancelledTime: Duration?, arrivals: Int, isSteady: Bool
    ) -> String? {
      if arrivals > 1 { return "arrived \(arrivals) times" }
      if host.hasNoAddress, arrivals > 0 { return "arrived without an address" }
      switch outcome {
      case .success(let response):
        return problem(with: response, arrivals: arrivals)
      case .failure(is CancellationError):
        guard let cancelledTime else { return "cancelled by nobody" }
        return cancelledTime > Self.patience ? "cancelled after \(cancelledTime)" : nil
      case .failure(let error as HTTPExchangeError) where error.isTimeout:
        guard let limit = limit.duration else { return "timed out without a limit" }
        // libcurl counts whole milliseconds.
        let isInTime = (limit - .milliseconds(2)...limit + Self.patience).contains(time)
        return isInTime ? nil : "timed out after \(time) instead of \(limit)"
      case .failure(let error as HTTPExchangeError):
        return reply.isFaulty || host.hasNoAddress || !isSteady
          ? nil : "failed without a reason: \(error)"
      case .failure(let error):
        return "failed with an unknown error: \(error)"
      }
    }

    private func problem(with response: HTTPExchangeResponse, arrivals: Int) -> String? {
      guard let answer = reply.answer else { return "answered with status \(response.status)" }
      if arrivals == 0 { return "answered without an arrival" }
      if response.status != answer.status { return "answered with status \(response.status)" }
      if !SimulatedBody.areEqual(response.body, answer.body(for: id)) {
        let start = String(decoding: response.body.prefix(40), as: UTF8.self)
        return "answered with \(response.body.count) other bytes: \(start)"
      }
      return nil
    }
  }
#endif
