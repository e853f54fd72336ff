/// The bytes of the bodies of all calls of a service, with those of their responses, which are
/// bounded together.
final class BodyMemory: Sendable {
  private struct State {
    var used = 0
    var usedByOwner: [String: Int] = [:]
    /// The call that may go beyond the bytes of all, and those beyond the bytes of their owners.
    /// Without them, large calls that grow together would all end, and again when they are made
    /// again.
    var first: ObjectIdentifier?
    var firstOfOwner: [String: ObjectIdentifier] = [:]

    mutating func change(by count: Int, of owner: String) {
      used += count
      let own = (usedByOwner[owner] ?? 0) + count
      usedByOwner[owner] = own > 0 ? own : nil
    }

    /// Takes bytes for a call that has some, and returns whether it can have them.
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

    /// Lets another call go first.
    mutating func end(_ call: ObjectIdentifier, of owner: String) {
      if first == call { first = nil }
      if firstOfOwner[owner] == call { firstOfOwner[owner] = nil }
    }
  }

  private let maximum: Int
  private let state = Lock(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Takes bytes for a call, until the value that is returned is gone. An owner has a quarter of
  /// the bytes, so that one alone does not keep all others from calling, and one call beyond them.
  /// One call of all owners can go beyond all bytes.
  ///
  /// - Throws: Status 503 if there are not as many.
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

  /// Counts bytes that are there, or gives them back. Without any, the call goes last.
  fileprivate func change(
    by count: Int, to size: Int, for call: BodyReservation, of owner: String
  ) {
    state.withLock { state in
      state.change(by: count, of: owner)
      if size == 0 { state.end(ObjectIdentifier(call), of: owner) }
    }
  }

  /// The most bytes that are expected of one response. More could never be taken beside others.
  var maximumExpectation: Int { maximum / 2 }
}

/// Bytes that are taken for a call, and given back at the end of the value.
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

  /// Whether bytes were asked for that were not there.
  var isExceeded: Bool { state.withLock { $0.isExceeded } }

  /// Takes bytes, so that the call has at least as many.
  ///
  /// - Throws: Status 503 if there are not as many.
  func take(_ count: Int) throws(ServiceError) {
    if !takes(count) { throw BodyMemory.isFull }
  }

  /// Takes bytes, so that the call has at least as many, and returns whether there are.
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

  /// Takes bytes for the response that is expected, beside those of the body.
  ///
  /// - Throws: Status 503 if there are not as many.
  func expect(_ bytes: Int) throws(ServiceError) {
    try take(state.withLock { $0.count } + min(bytes, memory.maximumExpectation))
  }

  /// Counts the bytes that the call really has.
  func set(_ bytes: Int) {
    state.withLock { state in
      memory.change(by: bytes - state.count, to: bytes, for: self, of: owner)
      state.count = bytes
    }
  }

  /// Returns a response that counts until it is gone. A small one does not count.
  ///
  /// - Throws: Status 503 if it is larger than expected, and beside others has no space.
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
