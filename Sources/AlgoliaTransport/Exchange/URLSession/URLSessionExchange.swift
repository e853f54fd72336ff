import AsyncInstantSearch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes HTTP exchanges with `URLSession`.
///
/// It holds one session for all of its exchanges, so connections are kept and shared. Cookies and
/// caches are off, and redirects are not followed: the API key goes to the host it was meant for.
/// Exchanges beyond the limit of connections to a host wait for their turn; the time they wait counts.
///
/// A cancelled exchange ends at once with `CancellationError`. On Linux the transfer beneath it is
/// not cancelled but left to end by itself, and its late answer is dropped: there, cancelling a
/// `URLSessionTask` can deadlock or end the process. A transfer left alone ends by its timeout at
/// the latest once its server is silent; until then it occupies a connection. ``CurlExchange``, which
/// is the one that a transport takes by default on Linux, has no such limits.
///
/// `URLSession` counts whole seconds of silence. The transport enforces the exact time itself.
public final class URLSessionExchange: Sendable {
  /// An exchange that transports can share; its session lives as long as the process.
  public static let shared = URLSessionExchange()

  private let session: TransferSession
  private let line: TransferLine
  /// Starts the transfers: for a session that takes long enough for other callers to have to wait.
  private let starter = DispatchQueue(label: "URLSessionExchange")

  /// Creates an exchange with a session of its own.
  ///
  /// - Parameter maximumConnectionsPerHost: How many exchanges with one host may go on at once,
  ///   those left alone on Linux included; 64 by default. HTTP/2 needs one connection for them.
  public init(maximumConnectionsPerHost: Int = 64) {
    TLSLibrary.prepareForExit()
    session = TransferSession(maximumConnectionsPerHost: maximumConnectionsPerHost)
    line = TransferLine(limit: maximumConnectionsPerHost)
  }

  /// Makes one exchange; as a closure it is an ``HTTPExchange``.
  ///
  /// - Throws: `CancellationError`, ``HTTPExchangeError``, or `SearchError` with the code
  ///   `invalidRequest` for a request that no host could be sent.
  public func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
    let urlRequest = try URLRequest(request)
    let host = request.origin
    return try await PendingAnswer.wait { answer in
      let turn = line.enter(host: host) { [session, line, starter] in
        starter.async {
          if answer.isAbandoned { return line.leave(host: host) }
          let transfer = session.transfer(urlRequest) { data, response, error in
            line.leave(host: host)
            answer.end(with: Self.result(data: data, response: response, error: error))
          }
          #if !canImport(FoundationNetworking)
            answer.onAbandonment { transfer.cancel() }
          #endif
          transfer.start()
        }
      }
      answer.onAbandonment { [line] in line.withdraw(turn) }
    }
  }

  private static func result(
    data: Data?, response: URLResponse?, error: (any Error)?
  ) -> Result<HTTPExchangeResponse, any Error> {
    if let error { return .failure(URLErrorMapping.error(for: error)) }
    guard let response = response as? HTTPURLResponse else {
      return .failure(HTTPExchangeError.network("the answer was not HTTP"))
    }
    return .success(
      HTTPExchangeResponse(
        status: response.statusCode, headers: headers(of: response), body: [UInt8](data ?? Data())))
  }

  /// The headers, sorted by name, as a session gives them in no order.
  ///
  /// Encoding and length describe the compressed body, which is decompressed here: they are left
  /// out then, as they would be wrong.
  private static func headers(of response: HTTPURLResponse) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers.append(HTTPHeader(name: name, value: value))
    }
    return headers.describingDecodedBody.sorted { $0.name < $1.name }
  }
}

extension URLRequest {
  fileprivate init(_ request: HTTPExchangeRequest) throws(SearchError) {
    guard let url = URL(string: request.url) else {
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
