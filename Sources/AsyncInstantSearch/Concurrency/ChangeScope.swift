import Synchronization

/// The time during which a caller's closure computes a change of some owner's value.
///
/// Such a change is made again when another one came in between. A closure that changes the same
/// value itself would be run without end: the scope notices that, so that the owner can give up.
final class ChangeScope: Sendable {
  @TaskLocal private static var innermost: ChangeScope?

  /// How often a change that contains another one is tried.
  static let limit = 8

  /// How many changes of one owner may contain one another. Each is tried `limit` times for each try of
  /// the one around it.
  private static let depthLimit = 2

  private let owner: ObjectIdentifier
  private let outer: ChangeScope?
  private let hasNestedChange = Atomic(false)
  private let hasEnded = Atomic(false)

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
    let outer = enclosing
    for scope in outer where scope.owner == ObjectIdentifier(owner) {
      scope.hasNestedChange.store(true, ordering: .relaxed)
    }
    let scope = ChangeScope(owner: ObjectIdentifier(owner), outer: outer.first)
    let value = $innermost.withValue(scope) { change() }
    scope.hasEnded.store(true, ordering: .relaxed)
    return (value, scope.hasNestedChange.load(ordering: .relaxed))
  }

  /// Whether so many changes of `owner` contain one another that another one would be one too many.
  static func isTooDeep(in owner: AnyObject) -> Bool {
    enclosing.count { $0.owner == ObjectIdentifier(owner) } >= depthLimit
  }

  /// The scopes around this place that have not ended, the innermost first. A task that was made inside
  /// a scope may go on after its end.
  private static var enclosing: [ChangeScope] {
    var scopes: [ChangeScope] = []
    var next = innermost
    while let scope = next {
      if !scope.hasEnded.load(ordering: .relaxed) { scopes.append(scope) }
      next = scope.outer
    }
    return scopes
  }
}
