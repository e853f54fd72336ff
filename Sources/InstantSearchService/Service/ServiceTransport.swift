extension SearchService {
  /// Returns a transport that makes calls of this service in process, as a client with a key makes
  /// them over HTTP: with the same rights, limits and errors.
  ///
  /// Use it in tests of keys, and for a part of a program that should have the rights of a key
  /// only.
  ///
  /// ```swift
  /// let client = SearchClient(transport: service.transport(apiKey: "films-only"))
  /// ```
  ///
  /// - Parameters:
  ///   - apiKey: A key of the service, a secured key, or the admin key.
  ///   - applicationID: The application ID, if the service has one. Defaults to none.
  ///   - address: The address of the client, for the limits that depend on it. Defaults to none.
  public func transport(
    apiKey: String, applicationID: String? = nil, from address: String? = nil
  ) -> some SearchTransport {
    var headers = [HTTPHeader(name: "x-algolia-api-key", value: apiKey)]
    if let applicationID {
      headers.append(HTTPHeader(name: "x-algolia-application-id", value: applicationID))
    }
    return ServiceTransport(service: self, headers: headers, address: address)
  }
}

/// A transport over a service in process.
private struct ServiceTransport: SearchTransport {
  let service: SearchService
  let headers: [HTTPHeader]
  let address: String?

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let items = request.queryItems.map { item in
      PercentEncoding.encode(item.name) + "=" + PercentEncoding.encode(item.value)
    }
    let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    let response = await service.respond(
      to: ServiceRequest(
        method: request.endpoint.method.rawValue, target: request.endpoint.path + query,
        headers: headers + request.headers, body: request.body, peerAddress: address))
    return TransportResponse(
      status: response.status, headers: response.headers, body: response.bytes)
  }
}
