import AsyncInstantSearch
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
  private let line: TransferLine
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
    line = TransferLine(limit: maximumConnectionsPerHost)
  }

  /// Makes one exchange; as a closure it is an ``HTTPExchange``.
  ///
  /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
  ///   `invalidRequest` for a request that no host could be sent.
  public func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
    let urlRequest = try URLRequest(request)
    let host = request.origin
    return try await PendingAnswer.wait(timeout: request.timeout) { answer in
      let turn = line.enter(host: host) { [self] in
        starter.async { [self] in begin(urlRequest, host: host, answer: answer) }
      }
      answer.onAbandonment { [line] in line.withdraw(turn) }
    }
  }

  private func begin(_ request: URLRequest, host: String, answer: PendingAnswer) {
    if answer.hasEnded { return line.leave(host: host) }
    #if canImport(FoundationNetworking)
      // The libcurl in it repeats a request when a kept connection turns out to be closed, and goes
      // on using one that is dead. A session for one request has no kept connection; it goes with
      // the request.
      let session = TransferSession(maximumConnectionsPerHost: 1)
    #endif
    let transfer = session.transfer(
      request, maximumBodySize: maximumBodySize,
      completion: SessionTransfer.Completion(
        answered: { answer.end(with: $0) }, isOver: { [line] in line.leave(host: host) }))
    answer.onAbandonment { transfer.stop(error: CancellationError()) }
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
