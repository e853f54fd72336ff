/// The bytes of the bodies of all calls of a service, which are bounded together.
final class BodyMemory: Sendable {
  private let maximum: Int
  private let used = Lock(0)

  init(maximum: Int) { self.maximum = maximum }

  /// Takes bytes for a body, until they are given back.
  ///
  /// - Throws: Status 503 if there are not as many. One body is always possible.
  func take(_ count: Int) throws(ServiceError) {
    let isTaken = used.withLock { used in
      guard used == 0 || count <= maximum - used else { return false }
      used += count
      return true
    }
    guard isTaken else {
      throw ServiceError(
        503, "Too many bodies at one time, try again",
        headers: [HTTPHeader(name: "Retry-After", value: "1")])
    }
  }

  /// Gives bytes back.
  func giveBack(_ count: Int) { used.withLock { $0 -= count } }
}

extension SearchService {
  /// Returns the bytes that the body of a call may have, and those that it probably has.
  func bodySize(
    of request: ServiceRequest, for endpoint: Endpoint
  ) throws(ServiceError) -> (maximum: Int, expected: Int) {
    let maximum =
      endpoint.callType == .write
      ? configuration.maximumBodySize : configuration.maximumReadBodySize
    let length = request.headers.firstValue(named: "Content-Length").flatMap { Int($0) }
    if let length, length > maximum { throw .bodyTooLarge }
    if request.headers.firstValue(named: "Content-Encoding") != nil { return (maximum, maximum) }
    let isStreamed =
      ["POST", "PUT"].contains(request.method)
      || request.headers.firstValue(named: "Transfer-Encoding") != nil
    return (maximum, max(length ?? (isStreamed ? maximum : 0), request.body.count))
  }

  /// Reads the body of a request, in the time of the call.
  ///
  /// - Throws: Status 413 for a body that is too large; `timedOut` for one that takes too long.
  func receive(
    _ maximumSize: Int, until deadline: Deadline?,
    from read: @escaping @Sendable (_ maximumSize: Int) async throws -> [UInt8]?
  ) async throws -> [UInt8] {
    let waiter = Waiter<[UInt8]?>()
    let reading = TaskBag<Int>()
    reading.replace(0) {
      let outcome: Result<[UInt8]?, any Error>
      do {
        outcome = .success(try await read(maximumSize))
      } catch {
        outcome = .failure(error)
      }
      waiter.fulfill(with: outcome)
    }
    defer { reading.cancelAll() }
    guard let body = try await waiter.value(until: deadline) else {
      throw ServiceError.bodyTooLarge
    }
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
      do {
        let body = try decompress(request.body, maximumSize)
        if body.count <= maximumSize { return body }
      } catch {
        throw ServiceError(400, "The body is not gzip, or larger than allowed")
      }
      throw ServiceError.bodyTooLarge
    default: throw ServiceError(415, "The Content-Encoding is not supported")
    }
  }
}
