import AsyncInstantSearch

/// Makes the IDs of records that have none.
final class ObjectIDGenerator: Sendable {
  private let custom: (@Sendable () -> String)?
  private let count = Lock<UInt64>(0)

  /// Creates a generator; without a closure it gives a fixed sequence.
  init(custom: (@Sendable () -> String)?) { self.custom = custom }

  /// The next ID for which the predicate does not hold.
  func next(isTaken: (String) -> Bool) -> String {
    if let custom { return custom() }
    while true {
      let number = count.withLock { count in
        count &+= 1
        return count
      }
      let id = Self.text(number)
      if !isTaken(id) { return id }
    }
  }

  /// 16 hexadecimal digits; different for different numbers, for every step can be undone.
  private static func text(_ number: UInt64) -> String {
    var bits = number &* 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
