extension SearchService {
  /// Returns the bytes that the body of a call may have, and those that it probably has.
  func bodySize(
    of request: ServiceRequest, for endpoint: Endpoint
  ) throws(ServiceError) -> (maximum: Int, expected: Int) {
    // Events need no right to write.
    let maximum =
      endpoint.callType == .write && endpoint != .events
      ? configuration.maximumBodySize : configuration.maximumReadBodySize
    let length = request.headers.firstValue(named: "Content-Length").flatMap { Int($0) }
    if let length, length > maximum { throw .bodyTooLarge }
    if request.headers.firstValue(named: "Content-Encoding") != nil { return (maximum, maximum) }
    // A body that was read is as long as it is.
    if !request.body.isEmpty { return (maximum, request.body.count) }
    let isStreamed =
      ["POST", "PUT"].contains(request.method)
      || request.headers.firstValue(named: "Transfer-Encoding") != nil
    return (maximum, length ?? (isStreamed ? maximum : 0))
  }

  /// Reads the body of a request, in the time of the call.
  ///
  /// - Parameter reservation: What the reader holds, also if it does not end with its cancellation.
  /// - Throws: Status 413 for a body that is too large, 408 for one that takes too long, and 400
  ///   for one that the reader failed to read: it is cut off, or malformed.
  func receive(
    _ maximumSize: Int, _ reservation: BodyReservation, until deadline: Deadline?,
    from read: @escaping @Sendable (_ maximumSize: Int) async throws -> [UInt8]?
  ) async throws -> [UInt8] {
    let body: [UInt8]?
    do {
      body = try await Waiter.value(until: deadline) {
        defer { withExtendedLifetime(reservation) {} }
        return try await read(maximumSize)
      }
    } catch let error as SearchError where error.code == .timedOut {
      throw ServiceError(408, "The body did not arrive in time")
    } catch let error where !(error is SearchError || error is CancellationError) {
      throw ServiceError(400, "The body is cut off or malformed")
    }
    guard let body else { throw ServiceError.bodyTooLarge }
    return body
  }

  /// Returns the body of a request, decompressed.
  func body(of request: ServiceRequest, maximumSize: Int) throws -> [UInt8] {
    guard request.body.count <= maximumSize else { throw ServiceError.bodyTooLarge }
    let type = request.headers.firstValue(named: "Content-Type")?.lowercased() ?? ""
    if type.hasPrefix("multipart/") { throw ServiceError(415, "Expected a JSON body") }
    switch request.headers.firstValue(named: "Content-Encoding")?.lowercased() ?? "" {
    case "identity", "": return request.body
    case "gzip":
      guard let decompress = configuration.decompress else {
        throw ServiceError(415, "The Content-Encoding gzip is not supported")
      }
      let body: [UInt8]?
      do {
        body = try decompress(request.body, maximumSize)
      } catch let error where !(error is CancellationError) {
        throw ServiceError(400, "The body is not gzip")
      }
      guard let body, body.count <= maximumSize else { throw ServiceError.bodyTooLarge }
      return body
    default: throw ServiceError(415, "The Content-Encoding is not supported")
    }
  }
}
