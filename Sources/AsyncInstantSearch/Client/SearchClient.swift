@_exported public import InstantSearchAPI
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
    to call: EndpointCall, options: RequestOptions
  ) async throws(SearchError) -> Answer {
    let response = try await call.response(over: transport, clock: clock, options: options)
    let context = CallContext(call)
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
}
