import InstantSearchJSON

/// Sends typed queries to a transport and decodes typed answers.
///
/// A client is a value without state of its own: copy it, share it between tasks, drop it. There is
/// nothing to shut down.
public struct SearchClient: Sendable {
  /// What answers the calls.
  public var transport: any SearchTransport
  /// How dates, keys and unusual numbers of records are read.
  public var decoding: RecordDecoding
  /// From how many bytes on the answers to several searches are read at the same time.
  ///
  /// Measured on two cores, the benchmarks' cases `parallel`: two small pages take 1.4 times as
  /// long that way, 120 KB as long, 400 KB nine tenths and 1.4 MB four fifths of the time.
  package var bytesToReadInParallel = 250_000

  let clock: any Clock<Duration>

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: answers the calls.
  ///   - decoding: how records are read; as `JSONDecoder` reads by default.
  ///   - clock: measures ``RequestOptions/timeout``; a continuous clock by default.
  public init(
    transport: some SearchTransport,
    decoding: RecordDecoding = RecordDecoding(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.decoding = decoding
    self.clock = clock
  }
}

extension SearchClient {
  /// One call, ready to be sent.
  package struct Call: Sendable {
    var endpoint: Endpoint
    var body: [UInt8]
    /// The indices that the call names, for the errors.
    var indexNames: [String]
    /// The data to be answered from, of an earlier answer.
    var snapshot: (any Sendable)?

    /// Creates a call.
    ///
    /// - Parameter indexNames: The indices in the body; by default the one in the path.
    package init(
      _ endpoint: Endpoint, body: [UInt8] = [], indexNames: [String]? = nil,
      snapshot: (any Sendable)? = nil
    ) {
      self.endpoint = endpoint
      self.body = body
      self.indexNames = indexNames ?? endpoint.indexName.map { [$0] } ?? []
      self.snapshot = snapshot
    }
  }

  /// What a call was answered.
  struct Answer: Sendable {
    var document: JSONDocument
    /// The data that it was made from, where the back end keeps such a thing.
    var snapshot: (any Sendable)?
    /// Who answered, where the transport tells.
    var origin: AnswerOrigin?
  }

  /// Sends a call and parses the answer, off any actor.
  @concurrent
  func answer(
    to call: Call, options: RequestOptions
  ) async throws(SearchError) -> Answer {
    let context = CallContext(call)
    let response = try await response(to: call, options: options)
    guard (200..<300).contains(response.status) else { throw context.error(from: response) }
    do {
      return Answer(
        document: try JSONDocument(response.body), snapshot: response.snapshot,
        origin: response.origin)
    } catch {
      throw context.error(
        .decoding, "The answer is not JSON: \(error)", status: response.status)
    }
  }

  /// Sends a call and returns what was answered, whatever its status.
  @concurrent
  package func response(
    to call: Call, options: RequestOptions
  ) async throws(SearchError) -> TransportResponse {
    let context = CallContext(call)
    if Task.isCancelled { throw cancelled(context) }
    let request = TransportRequest(
      call.endpoint,
      queryItems: options.queryItems,
      headers: options.headers,
      body: call.body,
      deadline: options.timeout.map { deadline(after: $0, on: clock) },
      attemptTimeout: options.attemptTimeout,
      snapshot: call.snapshot)
    let response: TransportResponse
    do {
      response = try await transport.send(request)
    } catch let error as SearchError {
      throw context.adding(to: error)
    } catch {
      // Libraries have cancellation errors of their own.
      if error is CancellationError || Task.isCancelled { throw cancelled(context) }
      throw context.error(.transport, "The transport failed.", underlying: "\(type(of: error))")
    }
    // A transport that takes no notice of cancellation may answer all the same.
    if Task.isCancelled { throw cancelled(context) }
    return response
  }

  private func cancelled(_ context: CallContext) -> SearchError {
    context.error(.cancelled, "The call was cancelled.")
  }

  private func deadline(after duration: Duration, on clock: some Clock<Duration>) -> Deadline {
    Deadline(after: duration, clock: clock)
  }
}
