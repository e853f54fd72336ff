// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI
@_exported public import InstantSearchHTTP

/// Sends calls over HTTPS to the hosts of an Algolia application.
///
/// ```swift
/// let client = SearchClient(transport: AlgoliaTransport(appID: id, apiKey: key))
/// ```
///
/// A call tries the hosts of its call type in order, each once, and without a pause between
/// attempts:
///
/// - A status of 2xx or 4xx (429 included) ends the call and is returned.
/// - After a timeout, a network error or any other status the call tries the next host. If a kept
///   connection ends before the response, a call that can be repeated without a further effect,
///   such as any read, first tries the same host once more.
/// - When no host is left, the call throws `SearchError` with the code `unreachable`, or `timedOut`
///   if every host timed out. The error lists the attempts.
///
/// The transport remembers the outcome at each host. A host that failed is skipped for five
/// minutes, or until all hosts have failed. A host that timed out is tried after the others, with a
/// longer timeout after each further one. A successful response resets the host's state.
///
/// A cancelled call throws `CancellationError` at once, and a call whose deadline passes throws
/// `timedOut` at once, even if the HTTP library ignores cancellation. Neither tries another host
/// nor counts against the host. Every call has a deadline: its own, or two minutes, or the sum of
/// the initial timeouts of all hosts if that is longer. No shutdown is needed.
///
/// Descriptions, mirrors and errors never contain the API key or other header values of a call. If
/// the text of an exchange, the body of an error response, or the message of any response or of one
/// of its results quotes a secret of four characters or more, `<redacted>` replaces it: as it is,
/// in another case, percent-encoded, or in base64. A part of a secret that the server has cut is
/// kept. Of an error response of more than 64 KiB the message and the status are kept, or the first
/// 64 KiB if it has no message.
///
/// Creating a transport cannot fail. For an empty application ID, an empty key or an invalid
/// ``Configuration``, every call throws `invalidRequest` with a message that names the missing or
/// invalid part, and sends nothing.
public final class AlgoliaTransport: SearchTransport {
  /// Calls end in time.
  public var isPrompt: Bool { true }

  /// The ID of the application that the transport calls.
  public let appID: String

  let hosts: [SearchHost]
  private let configuration: Configuration
  private let caller: HostCaller
  private let commonHeaders: HeaderFields
  private let configurationError: SearchError?
  private let apiKey: Lock<HiddenKey>
  private let randomNumberGenerator: Lock<SplitMix64>

  /// Creates a transport. It sends nothing.
  ///
  /// - Parameters:
  ///   - appID: The application ID shown in the dashboard.
  ///   - apiKey: A key of that application. Use a search-only key for searching, and never the
  ///     admin key in an app.
  ///   - configuration: Hosts, timeouts, headers and the HTTP library. Defaults to Algolia's hosts,
  ///     5 s for reads, 30 s for writes, and the system's exchange.
  public init(appID: String, apiKey: String, configuration: Configuration = Configuration()) {
    var randomNumberGenerator = configuration.randomNumberGenerator
    self.appID = appID
    hosts = configuration.hosts ?? .algolia(appID: appID, using: &randomNumberGenerator)
    self.configuration = configuration
    let calls = configuration.calls(to: hosts)
    caller = HostCaller(calls)
    commonHeaders = configuration.commonHeaders(appID: appID)
    configurationError = configuration.validationError(appID: appID, calls)
    self.apiKey = Lock(HiddenKey(apiKey))
    self.randomNumberGenerator = Lock(SplitMix64(seed: randomNumberGenerator.next()))
  }

  /// Replaces the API key for calls that begin later.
  ///
  /// Calls in flight keep their key. A `CachingTransport` around this transport does not notice the
  /// change: call its `invalidateAll()` to drop responses to the previous key.
  public func replaceAPIKey(with apiKey: String) {
    let newKey = HiddenKey(apiKey)
    self.apiKey.withLock { $0 = newKey }
  }

  /// Sends a request to the hosts in order until one responds; see ``AlgoliaTransport``.
  ///
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts, or the `SearchError` an exchange threw.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let (headers, requestID) = try headers(of: request)
    return try await caller.send(request, headers: headers, requestID: requestID)
  }

  /// The headers of a call, and its ID.
  private func headers(
    of request: TransportRequest
  ) throws(SearchError) -> (HeaderFields, requestID: String?) {
    if let configurationError { throw configurationError }
    let apiKey = apiKey.withLock { $0 }
    if apiKey.isEmpty {
      throw SearchError(
        .invalidRequest, "The API key is empty. Pass a search-only key of the application.")
    }
    var headers = commonHeaders
    headers.set(HeaderName.apiKey, to: apiKey.plainText)
    headers.merge(request.headers)
    var requestID =
      headers[RequestID.headerName]
      ?? RequestID.value(in: request.queryItems + configuration.queryItems)
    if configuration.sendsRequestID, requestID == nil {
      let newID = randomNumberGenerator.withLock { RequestID.make(using: &$0) }
      headers.set(RequestID.headerName, to: newID)
      requestID = newID
    }
    return (headers, requestID)
  }
}

extension AlgoliaTransport: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The application ID and the hosts, without the key.
  public var description: String {
    "AlgoliaTransport(appID: \(appID), hosts: \(hosts.listed))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The application ID and the hosts, without the key.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["appID": appID, "hosts": hosts.listed], displayStyle: .class)
  }
}
