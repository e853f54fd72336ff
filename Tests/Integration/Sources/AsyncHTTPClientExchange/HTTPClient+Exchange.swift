public import AlgoliaTransport
public import AsyncHTTPClient
import AsyncInstantSearch

// snippet.exchange
extension HTTPClient {
  /// This client as the exchange of a transport.
  public var exchange: HTTPExchange {
    { request in
      var message = HTTPClientRequest(url: request.url)
      message.method = .init(rawValue: request.method.rawValue)
      message.headers = .init(request.headers.map { ($0.name, $0.value) })
      if !request.body.isEmpty { message.body = .bytes(request.body) }
      do {
        let answer = try await self.execute(message, timeout: .init(request.timeout))
        let body = try await answer.body.collect(upTo: 256 << 20)
        return HTTPExchangeResponse(
          status: Int(answer.status.code),
          headers: answer.headers.map { HTTPHeader(name: $0.name, value: $0.value) },
          body: Array(body.readableBytesView))
      } catch let error as HTTPClientError {
        let timeouts: [HTTPClientError] = [
          .deadlineExceeded, .connectTimeout, .readTimeout, .tlsHandshakeTimeout,
          .getConnectionFromPoolTimeout,
        ]
        throw timeouts.contains(error)
          ? HTTPExchangeError.timedOut : .network(error.shortDescription)
      }
    }
  }
}
// snippet.end
