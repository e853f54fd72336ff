import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(Linux)
  import CInstantSearchCurl
#endif

/// Makes HTTP exchanges with `URLSession`.
///
/// Cookies, caches and stored credentials are off, and redirects are not followed: the API key goes
/// to the host it was meant for. Exchanges beyond the limit of connections to a host wait for their
/// turn; the time they wait counts. A timeout counts from the first moment to the last byte. A
/// cancelled exchange ends at once with `CancellationError`, and its connection is closed, as is
/// that of one whose time is over or whose answer is too long.
///
/// ## On Apple platforms
///
/// One session makes all of the exchanges, so connections are kept and shared. `URLSession` may
/// send a request again by itself, on a new connection, when a kept one turns out to be closed;
/// there is no setting that forbids it.
///
/// ## On Linux
///
/// A transport takes ``CurlExchange`` by default there, which keeps connections and which no answer
/// can trap. This exchange is for programs without libcurl. Each of its requests has a
/// connection of its own, so that it is sent once: on a kept connection that the server has closed,
/// Foundation sends it again.
///
/// Foundation itself ends the process, and no program can prevent it, when a server sends
///
/// - the beginning of an answer, and closes the connection before the head is complete;
/// - trailers, which are header fields after a chunked body;
/// - a `Content-Length` between 2^63 - 512 and 2^63 - 1.
///
/// So on Linux use this exchange only with servers that you trust not to do that. Foundation also
/// decompresses what it has received of an answer before it stops at one that is too long, and
/// other exchanges wait meanwhile: for seconds where 1 MB becomes 1 GB.
public final class URLSessionExchange: Sendable {
  /// An exchange that transports can share; it lives as long as the process.
  public static let shared = URLSessionExchange()

  #if !canImport(FoundationNetworking)
    private let session: TransferSession
  #endif
  private let maximumBodySize: Int
  private let scheduler: TransferScheduler
  /// Starts the transfers: for a session that takes long enough for other callers to have to wait.
  private let starter = DispatchQueue(label: "URLSessionExchange")

  /// Creates an exchange with connections of its own.
  ///
  /// - Parameters:
  ///   - maximumConnectionsPerHost: How many exchanges with one host may go on at once; 64 by
  ///     default. HTTP/2 needs one connection for them.
  ///   - maximumBodySize: How many bytes the body of an answer may have, decompressed; 256 MiB by
  ///     default. A longer one is a network error.
  public init(maximumConnectionsPerHost: Int = 64, maximumBodySize: Int = 256 << 20) {
    TLSLibrary.prepareForExit()
    #if !canImport(FoundationNetworking)
      session = TransferSession(maximumConnectionsPerHost: maximumConnectionsPerHost)
    #endif
    self.maximumBodySize = maximumBodySize
    scheduler = TransferScheduler(limit: maximumConnectionsPerHost)
  }

  /// Makes one exchange; as a closure it is an ``HTTPExchange``.
  ///
  /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
  ///   `invalidRequest` for a request that no host could be sent.
  public func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
    let urlRequest = try URLRequest(request)
    let host = request.origin
    return try await PendingResponse.wait(timeout: request.timeout) { response in
      let id = scheduler.enqueue(host: host) { [self] in
        starter.async { [self] in begin(urlRequest, host: host, response: response) }
      }
      response.onCancel { [scheduler] in scheduler.cancel(id) }
    }
  }

  private func begin(_ request: URLRequest, host: String, response: PendingResponse) {
    if response.hasEnded { return scheduler.finish(host: host) }
    #if canImport(FoundationNetworking)
      // The libcurl in it repeats a request when a kept connection turns out to be closed, and goes
      // on using one that is dead. A session for one request has no kept connection; it goes with
      // the request.
      let session = TransferSession(maximumConnectionsPerHost: 1)
    #endif
    let transfer = session.transfer(
      request, maximumBodySize: maximumBodySize,
      completion: SessionTransfer.Completion(
        answered: { response.end(with: $0) },
        isOver: { [scheduler] in scheduler.finish(host: host) }))
    response.onCancel { transfer.stop(error: CancellationError()) }
    transfer.start()
  }
}

extension URLRequest {
  fileprivate init(_ request: HTTPExchangeRequest) throws(SearchError) {
    guard request.url.hasPrefix("https://") || request.url.hasPrefix("http://"),
      let url = URL(string: request.url), url.host?.isEmpty == false
    else {
      throw SearchError(.invalidRequest, "The URL of the request is malformed: \(request)")
    }
    self.init(url: url)
    httpMethod = request.method.rawValue
    for header in request.headers { setValue(header.value, forHTTPHeaderField: header.name) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
    httpShouldHandleCookies = false
    timeoutInterval = Self.wholeSeconds(atLeast: request.timeout)
  }

  /// A timeout that a session on Linux, which drops fractions of a second, does not shorten; a year
  /// at most, as a session cannot count to the longest durations.
  private static func wholeSeconds(atLeast duration: Duration) -> TimeInterval {
    let (seconds, attoseconds) = Deadline.bounded(duration).components
    let whole = Double(seconds) + (attoseconds > 0 ? 1 : 0)
    return max(1, whole)
  }
}

/// The library of the system that secures connections, OpenSSL on most Linux systems.
private enum TLSLibrary {
  /// Keeps the library from cleaning up while threads of `URLSession` still use it, at the end of
  /// the process; to be called before the first session is made.
  ///
  /// It has no effect when the program has made sessions of its own earlier.
  static func prepareForExit() {
    #if os(Linux)
      _ = libcurl_is_available()
    #endif
  }
}

/// A `URLSession` of which only the safe parts can be reached: it makes ``SessionTransfer``s.
final class TransferSession: Sendable {
  private let session: URLSession
  private let delegate = TransferDelegate()

  /// Creates a session without cookies, caches and credentials, which follows no redirect.
  init(maximumConnectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    // Transfers under way come to their end; the session goes with the last of them.
    session.finishTasksAndInvalidate()
  }

  /// Prepares a transfer; it begins when it is started.
  func transfer(
    _ request: URLRequest, maximumBodySize: Int,
    completion: SessionTransfer.Completion
  ) -> SessionTransfer {
    let task = session.dataTask(with: request)
    let transfer = SessionTransfer(
      task: task, maximumBodySize: maximumBodySize, completion: completion)
    delegate.add(transfer, for: task)
    return transfer
  }
}

/// Hands what a session has to say to the transfer that it is about.
private final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Lock<[Int: SessionTransfer]>([:])

  func add(_ transfer: SessionTransfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> SessionTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  /// No redirect is followed: the answer with the status of the redirect is the answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(of: task)?.refuseRedirect { completionHandler(nil) }
  }

  /// No credentials are given but those of the request; a certificate is judged by the system.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Without credentials Foundation on Linux leaves the task as it is, for good. The answer is
      // here already, status and body: it ends the exchange, and the task is cancelled.
      transfer(of: task)?.end(error: nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error: error)
  }
}

/// Sorts the errors of `URLSession` into those that another host may not give, and the others.
enum URLErrorMapping {
  /// The error to throw for one of a session; it has the code, and nothing of the request.
  static func error(for error: any Error) -> any Error {
    let error = error as NSError
    guard error.domain == NSURLErrorDomain else {
      return HTTPExchangeError.network("failed with \(error.domain) \(error.code)")
    }
    // Optional on Linux only, where codes that Foundation does not know have no value.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    return switch code {
    case .timedOut:
      HTTPExchangeError.timedOut
    // Also what is no HTTP; a URL of another kind was not let in.
    case .unsupportedURL:
      HTTPExchangeError.network("\(ConnectionProblem.notHTTP.rawValue) (URLError \(error.code))")
    case .badURL:
      SearchError(.invalidRequest, "URLSession cannot make the request (code \(error.code)).")
    default:
      HTTPExchangeError.network("\(words(for: code)) (URLError \(error.code))")
    }
  }

  private static func words(for code: URLError.Code?) -> String {
    switch code {
    // On Linux this is what a truncated answer and an untrusted certificate have in common.
    case .unknown: "transfer failed"
    case .cannotFindHost, .dnsLookupFailed: ConnectionProblem.hostNotFound.rawValue
    case .cannotConnectToHost: ConnectionProblem.couldNotConnect.rawValue
    case .networkConnectionLost: "connection lost"
    case .notConnectedToInternet: "no network"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      ConnectionProblem.noSecureConnection.rawValue
    default: "network error"
    }
  }
}
