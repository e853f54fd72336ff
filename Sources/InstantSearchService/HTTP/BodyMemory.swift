/// The memory for the request and response bodies of all calls of a service, which have a common
/// limit.
final class BodyMemory: Sendable {
  private struct State {
    var used = 0
    var usedByOwner: [String: Int] = [:]
    /// The call that may exceed the total limit, and for each owner the call that may exceed the
    /// owner's limit. Otherwise, large calls that grow at the same time would all fail, and fail
    /// again when retried.
    var first: ObjectIdentifier?
    var firstOfOwner: [String: ObjectIdentifier] = [:]

    mutating func change(by count: Int, of owner: String) {
      used += count
      let own = (usedByOwner[owner] ?? 0) + count
      usedByOwner[owner] = own > 0 ? own : nil
    }

    /// Takes more bytes for a call, and returns whether they are available.
    mutating func take(
      _ count: Int, for call: ObjectIdentifier, of owner: String, besides own: Int, of maximum: Int
    ) -> Bool {
      // Large calls do not keep small ones out.
      if own + count > BodyMemory.smallSize {
        if (usedByOwner[owner] ?? 0) + count > maximum / 4 {
          guard (firstOfOwner[owner] ?? call) == call else { return false }
          firstOfOwner[owner] = call
        }
        if used + count > maximum {
          guard (first ?? call) == call else { return false }
          first = call
        }
      }
      change(by: count, of: owner)
      return true
    }

    /// Lets another call exceed the limits.
    mutating func end(_ call: ObjectIdentifier, of owner: String) {
      if first == call { first = nil }
      if firstOfOwner[owner] == call { firstOfOwner[owner] = nil }
    }
  }

  private let maximum: Int
  private let state = Lock(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Takes bytes for a call, until the returned reservation is released. An owner has a quarter of
  /// the bytes, so that it cannot block all other owners, and one call that may exceed them. One
  /// call of all owners may exceed the total.
  ///
  /// - Throws: Status 503 if the memory is exhausted.
  func take(_ count: Int, for owner: String) throws(ServiceError) -> BodyReservation {
    let reservation = BodyReservation(self, owner)
    try reservation.take(count)
    return reservation
  }

  /// Takes bytes for a call that has some already.
  fileprivate func add(
    _ count: Int, for call: BodyReservation, of owner: String, besides own: Int
  ) -> Bool {
    if count == 0 { return true }
    return state.withLock {
      $0.take(count, for: ObjectIdentifier(call), of: owner, besides: own, of: maximum)
    }
  }

  /// A call with less is small.
  static let smallSize = 1 << 16

  static let isFull = ServiceError(
    503, "Too many bodies at one time, try again",
    headers: [HTTPHeader(name: "Retry-After", value: "1")])

  /// Counts allocated bytes, or gives them back. A call without bytes may no longer exceed the
  /// limits.
  fileprivate func change(
    by count: Int, to size: Int, for call: BodyReservation, of owner: String
  ) {
    state.withLock { state in
      state.change(by: count, of: owner)
      if size == 0 { state.end(ObjectIdentifier(call), of: owner) }
    }
  }

  /// The maximum number of bytes to expect of one response. A larger number could never be taken
  /// next to other calls.
  var maximumExpectation: Int { maximum / 2 }
}

/// Bytes that are taken for a call, and given back when the reservation is released.
final class BodyReservation: Sendable {
  private struct State {
    var count = 0
    var isExceeded = false
  }

  private let memory: BodyMemory
  private let state = Lock(State())
  private let owner: String

  fileprivate init(_ memory: BodyMemory, _ owner: String) {
    self.memory = memory
    self.owner = owner
  }

  /// Whether a request for bytes was rejected.
  var isExceeded: Bool { state.withLock { $0.isExceeded } }

  /// Takes bytes until the call has at least `count`.
  ///
  /// - Throws: Status 503 if the memory is exhausted.
  func take(_ count: Int) throws(ServiceError) {
    if !takes(count) { throw BodyMemory.isFull }
  }

  /// Takes bytes until the call has at least `count`, and returns whether they are available.
  ///
  /// A call that has ended for its caller can still be at work.
  func takes(_ count: Int) -> Bool {
    state.withLock { state in
      guard count > state.count else { return true }
      guard memory.add(count - state.count, for: self, of: owner, besides: state.count) else {
        state.isExceeded = true
        return false
      }
      state.count = count
      return true
    }
  }

  /// Takes bytes for the expected response, in addition to the bytes of the body.
  ///
  /// - Throws: Status 503 if the memory is exhausted.
  func expect(_ bytes: Int) throws(ServiceError) {
    try take(state.withLock { $0.count } + min(bytes, memory.maximumExpectation))
  }

  /// Sets the number of bytes that the call really has.
  func set(_ bytes: Int) {
    state.withLock { state in
      memory.change(by: bytes - state.count, to: bytes, for: self, of: owner)
      state.count = bytes
    }
  }

  /// Returns a response that counts until it is released. A small response does not count.
  ///
  /// - Throws: Status 503 if it is larger than expected and does not fit next to other calls.
  func kept(by response: ServiceResponse) throws(ServiceError) -> ServiceResponse {
    let size = response.bytes.count
    guard size > BodyMemory.smallSize else {
      set(0)
      return response
    }
    try take(size)
    set(size)
    var response = response
    response.reservation = self
    return response
  }

  deinit { set(0) }
}
