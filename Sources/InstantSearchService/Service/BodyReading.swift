/// The bytes of the bodies of all calls of a service, which are bounded together.
final class BodyMemory: Sendable {
  private struct State {
    var used = 0
    var usedByOwner: [String: Int] = [:]
  }

  private let maximum: Int
  private let state = Lock(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Takes bytes for a body, until the value that is returned is gone. An owner has a quarter of
  /// the bytes, so that one alone does not keep all others from calling.
  ///
  /// - Throws: Status 503 if there are not as many. One body of each owner is possible, if there is
  ///   space for it.
  func take(_ count: Int, for owner: String) throws(ServiceError) -> BodyReservation? {
    if count == 0 { return nil }
    let isTaken = state.withLock { state in
      let own = state.usedByOwner[owner] ?? 0
      guard own == 0 || count <= maximum / 4 - own, state.used == 0 || count <= maximum - state.used
      else { return false }
      state.used += count
      state.usedByOwner[owner] = own + count
      return true
    }
    guard isTaken else {
      throw ServiceError(
        503, "Too many bodies at one time, try again",
        headers: [HTTPHeader(name: "Retry-After", value: "1")])
    }
    return BodyReservation(self, count, owner)
  }

  fileprivate func giveBack(_ count: Int, of owner: String) {
    state.withLock { state in
      state.used -= count
      let own = (state.usedByOwner[owner] ?? 0) - count
      state.usedByOwner[owner] = own > 0 ? own : nil
    }
  }
}

/// Bytes that are taken for a body, and given back at the end of the value.
final class BodyReservation: Sendable {
  private let memory: BodyMemory
  private let count: Int
  private let owner: String

  fileprivate init(_ memory: BodyMemory, _ count: Int, _ owner: String) {
    self.memory = memory
    self.count = count
    self.owner = owner
  }

  deinit { memory.giveBack(count, of: owner) }
}

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
    let isStreamed =
      ["POST", "PUT"].contains(request.method)
      || request.headers.firstValue(named: "Transfer-Encoding") != nil
    return (maximum, max(length ?? (isStreamed ? maximum : 0), request.body.count))
  }

  /// Reads the body of a request, in the time of the call.
  ///
  /// - Parameter reservation: What the reader holds, also if it does not end with its cancellation.
  /// - Throws: Status 413 for a body that is too large; `timedOut` for one that takes too long.
  func receive(
    _ maximumSize: Int, _ reservation: BodyReservation?, until deadline: Deadline?,
    from read: @escaping @Sendable (_ maximumSize: Int) async throws -> [UInt8]?
  ) async throws -> [UInt8] {
    let body = try await Waiter.value(until: deadline) {
      defer { withExtendedLifetime(reservation) {} }
      return try await read(maximumSize)
    }
    guard let body else {
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
