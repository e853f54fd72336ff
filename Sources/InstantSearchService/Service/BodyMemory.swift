/// The bytes of the bodies of all calls of a service, with those of their responses, which are
/// bounded together.
final class BodyMemory: Sendable {
  private struct State {
    var used = 0
    var usedByOwner: [String: Int] = [:]

    mutating func change(by count: Int, of owner: String) {
      used += count
      let own = (usedByOwner[owner] ?? 0) + count
      usedByOwner[owner] = own > 0 ? own : nil
    }
  }

  private let maximum: Int
  private let state = Lock(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Takes bytes for a call, until the value that is returned is gone. An owner has a quarter of
  /// the bytes, so that one alone does not keep all others from calling.
  ///
  /// - Throws: Status 503 if there are not as many. One call of each owner is possible, if there is
  ///   space for it.
  func take(_ count: Int, for owner: String) throws(ServiceError) -> BodyReservation {
    try add(count, for: owner, besides: 0)
    return BodyReservation(self, count, owner)
  }

  /// Takes bytes for a call that has some already.
  fileprivate func add(_ count: Int, for owner: String, besides own: Int) throws(ServiceError) {
    if count == 0 { return }
    let isTaken = state.withLock { state in
      let others = (state.usedByOwner[owner] ?? 0) - own
      guard others == 0 || others + own + count <= maximum / 4,
        state.used == own || state.used + count <= maximum
      else { return false }
      state.change(by: count, of: owner)
      return true
    }
    guard isTaken else {
      throw ServiceError(
        503, "Too many bodies at one time, try again",
        headers: [HTTPHeader(name: "Retry-After", value: "1")])
    }
  }

  /// Counts bytes that are there, or gives them back.
  fileprivate func change(by count: Int, of owner: String) {
    state.withLock { $0.change(by: count, of: owner) }
  }

  /// The most bytes that are expected of one response. More could never be taken beside others.
  var maximumExpectation: Int { maximum / 2 }
}

/// Bytes that are taken for a call, and given back at the end of the value.
final class BodyReservation: Sendable {
  private let memory: BodyMemory
  private let count: Lock<Int>
  private let owner: String

  fileprivate init(_ memory: BodyMemory, _ count: Int, _ owner: String) {
    self.memory = memory
    self.count = Lock(count)
    self.owner = owner
  }

  /// Takes bytes for the response that is expected.
  ///
  /// - Throws: Status 503 if there are not as many.
  func expect(_ bytes: Int) throws(ServiceError) {
    let bytes = min(bytes, memory.maximumExpectation)
    // Only the call itself changes it.
    try memory.add(bytes, for: owner, besides: count.withLock { $0 })
    count.withLock { $0 += bytes }
  }

  /// Counts the bytes that the call really has.
  func set(_ bytes: Int) {
    let change = count.withLock { count in
      defer { count = bytes }
      return bytes - count
    }
    memory.change(by: change, of: owner)
  }

  /// Returns a response that counts until it is released, or gone. A small one does not count.
  ///
  /// - Throws: Status 503 if it is larger than expected, and beside others has no space.
  func kept(by response: ServiceResponse) throws(ServiceError) -> ServiceResponse {
    let size = response.bytes.count
    guard size > Self.smallSize else {
      set(0)
      return response
    }
    var response = response
    let own = count.withLock { $0 }
    if size > own {
      try memory.add(size - own, for: owner, besides: own)
      count.withLock { $0 = size }
    } else {
      set(size)
    }
    response.reservation = self
    return response
  }

  private static let smallSize = 1 << 16

  deinit { memory.change(by: -count.withLock { $0 }, of: owner) }
}
