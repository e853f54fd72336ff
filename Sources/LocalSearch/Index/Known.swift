import AsyncInstantSearch

/// Keeps a value that is worked out when it is first asked for.
final class Known<Value: Sendable>: Sendable {
  private let value = Lock<Value?>(nil)

  /// The value; two calls at once may both work it out, and one that ends early keeps none.
  func value(_ make: () throws -> Value) rethrows -> Value {
    if let known = value.withLock({ $0 }) { return known }
    let made = try make()
    value.withLock { $0 = made }
    return made
  }
}
