import Synchronization

/// The time during which a caller's closure computes a change of some owner's value.
///
/// Such a change is made again when another one came in between. A closure that changes the same
/// value itself would be run without end: the scope notices that, so that the owner can give up.
final class ChangeScope: Sendable {
  @TaskLocal private static var innermost: ChangeScope?

  /// How many changes of one owner may contain one another. Each is tried
  /// ``ChangeTries/nestedLimit`` times for each try of the one around it.
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
  /// - Returns: The result, and whether `owner` was changed while it was computed, by the closure
  ///   itself or by a task that it has made.
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

  /// The scopes around this place that have not ended, the innermost first. A task that was made
  /// inside a scope may go on after its end.
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

/// The tries of one change: its closure runs again when the value was changed during the run.
///
/// The number of runs is bounded, also when another thread changes the value during each of them.
/// Others cannot be made to wait instead: the closure may be waiting for them.
struct ChangeTries {
  /// How often a change is tried that contains another one of the same value.
  static let nestedLimit = 8

  /// How often a change is tried at all. Changes that only compete for the processor never come
  /// near.
  static let limit = 1000

  private var count = 0
  private var nestedCount = 0

  /// Computes the change of `owner` once more; `nil` when the change is given up.
  mutating func next<Value>(of owner: AnyObject, _ change: () -> Value) -> Value? {
    guard count < Self.limit, nestedCount < Self.nestedLimit, !ChangeScope.isTooDeep(in: owner)
    else { return nil }
    count += 1
    let (value, isNested) = ChangeScope.run(of: owner, change)
    if isNested { nestedCount += 1 }
    return value
  }

  /// Why the change was given up.
  ///
  /// - Parameters:
  ///   - value: What was to be changed, such as "the request".
  ///   - owner: What it belongs to, such as "searcher".
  func error(of value: String, in owner: String) -> SearchError {
    let isNested = count < Self.limit
    let reason =
      isNested
      ? """
      because its closure changes \(value) of the same \(owner). Change the closure's argument instead.
      """
      : """
      because \(value) of the \(owner) was changed by other threads during each of \(count) runs of \
      its closure. Do not make or wait for other changes in the closure.
      """
    return SearchError(.invalidRequest, "A change of \(value) was not made, \(reason)")
  }
}
