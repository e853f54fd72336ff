import Synchronization

/// What is changed by code of the caller: the request of a searcher, or the filters of a state.
final class ChangeOwner: Sendable {}

/// The time during which a caller's closure computes a change of some owner's value, or decides
/// what becomes of it.
///
/// A change is computed again when another one came in between. A closure that changes the same
/// value itself would be run without end: the scope notices that, so that the owner can give up. A
/// closure that decides runs for every change, and must make none.
final class ChangeScope: Sendable {
  @TaskLocal private static var innermost: ChangeScope?

  /// The owners whose decisions caused the work of this task.
  @TaskLocal private static var causes: [ChangeOwner] = []

  /// How many changes of one owner may contain one another. Each is tried
  /// ``ChangeTries/nestedLimit`` times for each try of the one around it.
  private static let depthLimit = 2

  private let owner: ChangeOwner
  private let outer: ChangeScope?
  private let decides: Bool
  private let hasNestedChange = Atomic(false)
  private let hasEnded = Atomic(false)

  private init(owner: ChangeOwner, outer: ChangeScope?, decides: Bool) {
    self.owner = owner
    self.outer = outer
    self.decides = decides
  }

  /// Computes a change of `owner`.
  ///
  /// - Returns: The result, and whether `owner` was changed while it was computed, by the closure
  ///   itself or by a task that it has made.
  static func run<Value>(
    of owner: ChangeOwner, _ change: () -> Value
  ) -> (value: Value, isNested: Bool) {
    let outer = enclosing
    for scope in outer where scope.owner === owner {
      scope.hasNestedChange.store(true, ordering: .relaxed)
    }
    let scope = ChangeScope(owner: owner, outer: outer.first, decides: false)
    let value = $innermost.withValue(scope) { change() }
    scope.hasEnded.store(true, ordering: .relaxed)
    return (value, scope.hasNestedChange.load(ordering: .relaxed))
  }

  /// Decides about a change of `owner`, which the closure cannot change meanwhile, nor a task that
  /// it has made, nor the decisions about searches that it has caused.
  static func decide<Value>(of owner: ChangeOwner, _ decision: () -> Value) -> Value {
    let scope = ChangeScope(owner: owner, outer: enclosing.first, decides: true)
    let value = $innermost.withValue(scope) { decision() }
    scope.hasEnded.store(true, ordering: .relaxed)
    return value
  }

  /// Makes a task whose work is no part of the changes around this place, but caused by the
  /// decisions.
  static func beginWork<Value>(_ makeTask: () -> Value) -> Value {
    $causes.withValue(causesOfWork) { $innermost.withValue(nil) { makeTask() } }
  }

  /// The owners whose decisions cause the work that is begun here.
  static var causesOfWork: [ChangeOwner] {
    var causes = causes
    for scope in enclosing where scope.decides && causes.allSatisfy({ $0 !== scope.owner }) {
      causes.append(scope.owner)
    }
    return causes
  }

  /// Does work that was begun elsewhere, in a task that was made for other work.
  static func work(causedBy causes: [ChangeOwner], _ body: () async -> Void) async {
    await $causes.withValue(causes) { await $innermost.withValue(nil) { await body() } }
  }

  /// Whether this is inside a decision about `owner`, or one that was caused by it.
  static func isDecision(of owner: ChangeOwner) -> Bool {
    let deciders = enclosing.filter(\.decides).map(\.owner)
    return !deciders.isEmpty && (deciders + causes).contains { $0 === owner }
  }

  /// Whether so many changes of `owner` contain one another that another one would be one too many.
  static func isTooDeep(in owner: ChangeOwner) -> Bool {
    enclosing.count { !$0.decides && $0.owner === owner } >= depthLimit
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
  private var isInDecision = false

  /// Computes the change of `owner` once more; `nil` when the change is given up.
  mutating func next<Value>(of owner: ChangeOwner, _ change: () -> Value) -> Value? {
    isInDecision = ChangeScope.isDecision(of: owner)
    return isInDecision ? nil : nextWithin(owner, change)
  }

  /// As ``next(of:_:)``, for what changes nothing: it may be a part of a decision.
  mutating func nextWithin<Value>(_ owner: ChangeOwner, _ change: () -> Value) -> Value? {
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
    let reason =
      if isInDecision {
        """
        because the closure that decides what the \(owner) searches makes it. `shouldSearch` must only \
        look at its argument.
        """
      } else if count < Self.limit {
        """
        because its closure changes \(value) of the same \(owner). Change the closure's argument \
        instead.
        """
      } else {
        """
        because \(value) of the \(owner) was changed by other threads during each of \(count) runs of \
        its closure. Do not make or wait for other changes in the closure.
        """
      }
    return SearchError(.invalidRequest, "A change of \(value) was not made, \(reason)")
  }
}
