import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(Linux)
  import CInstantSearchCurl
#endif

/// Makes HTTP exchanges with `URLSession`.
///
/// Cookies, caches and stored credentials are off, and redirects are not followed, so the API key
/// only goes to its host. Exchanges beyond the limit of connections to a host wait, and the wait
/// counts towards their timeout. A timeout covers the time from the call to the last byte. A
/// cancelled exchange ends at once with `CancellationError`. The connection of an exchange that is
/// cancelled, times out or has too long a response is closed.
///
/// ## On Apple platforms
///
/// One session makes all exchanges, so connections are kept and shared. `URLSession` can send a
/// request again on a new connection when a kept one turns out to be closed. No setting prevents
/// that.
///
/// ## On Linux
///
/// By default a transport on Linux uses ``CurlExchange``, which keeps connections and which no
/// response can trap. This exchange is for programs without libcurl. Each request uses a new
/// connection, so that it is sent once: on a kept connection that the server has closed, Foundation
/// would send it again.
///
/// Foundation ends the process, and no program can prevent it, when a server sends one of these:
///
/// - the beginning of a response, and then closes the connection before the headers are complete
/// - trailers, which are header fields after a chunked body
/// - a `Content-Length` between 2^63 - 512 and 2^63 - 1
///
/// On Linux, use this exchange only with servers that you trust not to do that. Foundation also
/// decompresses all received bytes before it stops at a response that is too long. Other exchanges
/// wait during that time, which is seconds if 1 MB becomes 1 GB.
public final class URLSessionExchange: Sendable {
  /// An exchange that transports can share. It lives as long as the process.
  public static let shared = URLSessionExchange()

  #if !canImport(FoundationNetworking)
    private let session: TransferSession
  #endif
  private let maximumBodySize: Int
  private let scheduler: TransferScheduler
  /// The queue that starts transfers, because making a session can block for a noticeable time.
  private let starter = DispatchQueue(label: "URLSessionExchange")

  /// Creates an exchange with separate connections.
  ///
  /// - Parameters:
  ///   - maximumConnectionsPerHost: The maximum number of concurrent exchanges with one host.
  ///     Defaults to 64. HTTP/2 needs one connection for them.
  ///   - maximumBodySize: The maximum size of the decompressed body of a response, in bytes.
  ///     Defaults to 256 MiB. A longer body is a network error.
  public init(maximumConnectionsPerHost: Int = 64, maximumBodySize: Int = 256 << 20) {
    TLSLibrary.prepareForExit()
    #if !canImport(FoundationNetworking)
      session = TransferSession(maximumConnectionsPerHost: maximumConnectionsPerHost)
    #endif
    self.maximumBodySize = maximumBodySize
    scheduler = TransferScheduler(limit: maximumConnectionsPerHost)
  }

  /// Makes one exchange. As a closure it is an ``HTTPExchange``.
  ///
  /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
  ///   `invalidRequest` for a request that cannot be sent to any host, because of its URL or of a
  ///   header.
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
      // The libcurl of Foundation repeats a request when a kept connection turns out to be closed,
      // and continues to use a dead one. A session for one request has no kept connection.
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
    try request.validate()
    guard let url = URL(string: request.url), url.host?.isEmpty == false else {
      throw SearchError(.invalidRequest, "Invalid request URL: \(request). Use http or https.")
    }
    self.init(url: url)
    httpMethod = request.method.rawValue
    for header in request.headers { setValue(header.value, forHTTPHeaderField: header.name) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
    httpShouldHandleCookies = false
    timeoutInterval = Self.wholeSeconds(atLeast: request.timeout)
  }

  /// The timeout in whole seconds, because a session on Linux drops fractions, and at most a year,
  /// because a session cannot measure the longest durations.
  private static func wholeSeconds(atLeast duration: Duration) -> TimeInterval {
    let (seconds, attoseconds) = Deadline.bounded(duration).components
    let whole = Double(seconds) + (attoseconds > 0 ? 1 : 0)
    return max(1, whole)
  }
}

/// The TLS library of the system, OpenSSL on most Linux systems.
private enum TLSLibrary {
  /// Prevents the library from cleaning up at the end of the process while threads of `URLSession`
  /// use it. Call it before the first session is created.
  ///
  /// It has no effect if the program has created sessions before.
  static func prepareForExit() {
    #if os(Linux)
      _ = libcurl_is_available()
    #endif
  }
}

/// A `URLSession` with a safe interface: it creates ``SessionTransfer`` values only.
final class TransferSession: Sendable {
  private let session: URLSession
  private let delegate = TransferDelegate()

  /// Creates a session without cookies, caches, credentials and redirects.
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
    // Running transfers continue to their end. The session is released with the last one.
    session.finishTasksAndInvalidate()
  }

  /// Prepares a transfer without starting it.
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

/// Forwards the callbacks of a session to the transfer they are about.
private final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Lock<[Int: SessionTransfer]>([:])

  func add(_ transfer: SessionTransfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> SessionTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  /// No redirect is followed. The response with the status of the redirect is the result.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(of: task)?.refuseRedirect { completionHandler(nil) }
  }

  /// No credentials are sent except the request's. The system validates certificates.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Without credentials Foundation on Linux never completes the task. Status and body have
      // already arrived: they end the exchange, and the task is cancelled.
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

/// Maps the errors of `URLSession` to errors of an attempt and errors of the request.
enum URLErrorMapping {
  /// The error to throw for an error of a session. It contains the code, but no part of the
  /// request.
  static func error(for error: any Error) -> any Error {
    let error = error as NSError
    guard error.domain == NSURLErrorDomain else {
      return HTTPExchangeError.network("failed with \(error.domain) \(error.code)")
    }
    // Optional on Linux only, where unknown codes have no value.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    return switch code {
    case .timedOut:
      HTTPExchangeError.timedOut
    // Also for responses that are not HTTP. URLs with another scheme were rejected before.
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
    // On Linux both a truncated response and an untrusted certificate have this code.
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
