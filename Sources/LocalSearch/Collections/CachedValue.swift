/// Keeps a value that is created on first use.
final class CachedValue<Value: Sendable>: Sendable {
  private let value = Lock<Value?>(nil)

  /// Returns the value. Two concurrent calls may both create it. If `make` throws, nothing is kept.
  func value(_ make: () throws -> Value) rethrows -> Value {
    if let known = value.withLock({ $0 }) { return known }
    let made = try make()
    value.withLock { $0 = made }
    return made
  }
}
