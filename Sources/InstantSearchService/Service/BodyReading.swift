extension SearchService {
  /// Returns the maximum size of the body of a call, in bytes.
  ///
  /// - Throws: Status 413 if the request declares a larger body.
  func maximumBodySize(
    of request: ServiceRequest, for endpoint: Endpoint
  ) throws(ServiceError) -> Int {
    // Events need no right to write.
    let maximum =
      endpoint.callType == .write && endpoint != .events
      ? configuration.maximumBodySize : configuration.maximumReadBodySize
    let length = request.headers.firstValue(named: "Content-Length").flatMap { Int($0) }
    if let length, length > maximum { throw .bodyTooLarge }
    return maximum
  }

  /// Reads the body of a request within the timeout of the call.
  ///
  /// - Parameter reservation: The memory of the reader, which stays reserved even if the reader
  ///   does not end when cancelled.
  /// - Throws: Status 413 for a body that is too large, 408 for one that takes too long, and 400
  ///   for one that the reader failed to read: it is cut off, or malformed.
  func receive(
    _ maximumSize: Int, _ reservation: BodyReservation, until deadline: Deadline?,
    from read: @escaping BodyReader
  ) async throws -> [UInt8] {
    do {
      return try await Waiter.value(until: deadline) { try await read(maximumSize, reservation) }
    } catch let error as ServiceError {
      throw error
    } catch let error as SearchError where error.code == .timedOut {
      throw ServiceError(408, "The body did not arrive in time")
    } catch let error where !(error is SearchError || error is CancellationError) {
      throw ServiceError(400, "The body is cut off or malformed")
    }
  }

  /// Returns the body of a request, decompressed.
  func body(
    of request: ServiceRequest, maximumSize: Int, _ reservation: BodyReservation
  ) throws -> [UInt8] {
    guard request.body.count <= maximumSize else { throw ServiceError.bodyTooLarge }
    let type = request.headers.firstValue(named: "Content-Type")?.lowercased() ?? ""
    if type.hasPrefix("multipart/") { throw ServiceError(415, "Expected a JSON body") }
    switch request.headers.firstValue(named: "Content-Encoding")?.lowercased() ?? "" {
    case "identity", "": return request.body
    case "gzip":
      guard let decompress = configuration.decompress else {
        throw ServiceError(415, "The Content-Encoding gzip is not supported")
      }
      let size = min(Self.decompressedSize(of: request.body), maximumSize)
      try reservation.take(request.body.count + size)
      let body: [UInt8]?
      do {
        body = try decompress(request.body, size)
      } catch let error where !(error is CancellationError) {
        throw ServiceError(400, "The body is not gzip")
      }
      guard let body, body.count <= size else { throw ServiceError.bodyTooLarge }
      return body
    default: throw ServiceError(415, "The Content-Encoding is not supported")
    }
  }

  /// The decompressed size that the gzip trailer states; 0 if it is missing.
  ///
  /// Source: RFC 1952, section 2.3.1.
  private static func decompressedSize(of bytes: [UInt8]) -> Int {
    bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
