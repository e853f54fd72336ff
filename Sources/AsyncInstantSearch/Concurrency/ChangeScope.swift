import Synchronization

/// The time during which a caller's closure computes a change of some owner's value.
///
/// Such a change is made again when another one came in between. A closure that changes the same
/// value itself would be run without end: the scope notices that, so that the owner can give up.
final class ChangeScope: Sendable {
  @TaskLocal private static var innermost: ChangeScope?

  /// How often a change that contains another one is tried.
  static let limit = 8

  private let owner: ObjectIdentifier
  private let outer: ChangeScope?
  private let hasNestedChange = Atomic(false)

  private init(owner: ObjectIdentifier, outer: ChangeScope?) {
    self.owner = owner
    self.outer = outer
  }

  /// Computes a change of `owner`.
  ///
  /// - Returns: The result, and whether `owner` was changed while it was computed, by the closure itself
  ///   or by a task that it has made.
  static func run<Value>(
    of owner: AnyObject, _ change: () -> Value
  ) -> (value: Value, isNested: Bool) {
    let owner = ObjectIdentifier(owner)
    var outer = innermost
    let scope = ChangeScope(owner: owner, outer: outer)
    while let enclosing = outer {
      if enclosing.owner == owner { enclosing.hasNestedChange.store(true, ordering: .relaxed) }
      outer = enclosing.outer
    }
    let value = $innermost.withValue(scope) { change() }
    return (value, scope.hasNestedChange.load(ordering: .relaxed))
  }
}
