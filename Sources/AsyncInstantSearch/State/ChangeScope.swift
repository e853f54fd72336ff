import Synchronization

/// Identifies a value that callers' closures change: a searcher's request or a state's filters.
final class ChangeOwner: Sendable {}

/// A dynamic scope in which a caller's closure computes a change, or decides whether to search.
///
/// A change is computed again if another change was made during the run. A closure that changes the
/// same value itself would run without end. The scope detects that, so that the owner can give up.
/// A deciding closure runs for every change and must not make one.
final class ChangeScope: Sendable {
  @TaskLocal private static var innermost: ChangeScope?

  /// The owners whose decisions caused the work of this task.
  @TaskLocal private static var causes: [ChangeOwner] = []

  /// The maximum nesting of changes of one owner. Each of them has up to
  /// ``ChangeAttempts/nestedLimit`` attempts for each attempt of the enclosing change.
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
  /// - Returns: The result, and whether the closure, or a task that it created, changed `owner`
  ///   during the run.
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

  /// Runs a closure that decides about a change of `owner`. Neither it, its tasks nor the searches
  /// it causes can change the owner.
  static func decide<Value>(of owner: ChangeOwner, _ decision: () -> Value) -> Value {
    let scope = ChangeScope(owner: owner, outer: enclosing.first, decides: true)
    let value = $innermost.withValue(scope) { decision() }
    scope.hasEnded.store(true, ordering: .relaxed)
    return value
  }

  /// Starts a task outside of the current changes, which records the decisions that caused it.
  static func beginWork<Value>(_ makeTask: () -> Value) -> Value {
    $causes.withValue(causesOfWork) { $innermost.withValue(nil) { makeTask() } }
  }

  /// The owners whose decisions cause work that the caller starts.
  static var causesOfWork: [ChangeOwner] {
    var causes = causes
    for scope in enclosing where scope.decides && causes.allSatisfy({ $0 !== scope.owner }) {
      causes.append(scope.owner)
    }
    return causes
  }

  /// Runs work that was started elsewhere, in a task that was created for other work.
  static func work(causedBy causes: [ChangeOwner], _ body: () async -> Void) async {
    await $causes.withValue(causes) { await $innermost.withValue(nil) { await body() } }
  }

  /// Returns whether the caller is inside a decision about `owner`, or one that it caused.
  static func isDecision(of owner: ChangeOwner) -> Bool {
    let deciders = enclosing.filter(\.decides).map(\.owner)
    return !deciders.isEmpty && (deciders + causes).contains { $0 === owner }
  }

  /// Returns whether another nested change of `owner` would exceed the maximum depth.
  static func isTooDeep(in owner: ChangeOwner) -> Bool {
    enclosing.count { !$0.decides && $0.owner === owner } >= depthLimit
  }

  /// The enclosing scopes that have not ended, the innermost first. A task that was created inside
  /// a scope can outlive it.
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

/// The attempts at one change, whose closure runs again if the value was changed during the run.
///
/// The number of runs is bounded, even if another thread changes the value during each of them.
/// Other threads cannot wait instead, because the closure may be waiting for them.
struct ChangeAttempts {
  /// The maximum number of attempts at a change that contains another change of the same value.
  static let nestedLimit = 8

  /// The maximum number of attempts at any change. Changes that only compete for the processor need
  /// far fewer.
  static let limit = 1000

  private var count = 0
  private var nestedCount = 0
  private var isInDecision = false

  /// Computes the change of `owner` again. `nil` if the change is given up.
  mutating func next<Value>(of owner: ChangeOwner, _ change: () -> Value) -> Value? {
    isInDecision = ChangeScope.isDecision(of: owner)
    return isInDecision ? nil : nextWithin(owner, change)
  }

  /// Computes a value that changes nothing again, also during a decision; see ``next(of:_:)``.
  mutating func nextWithin<Value>(_ owner: ChangeOwner, _ change: () -> Value) -> Value? {
    guard count < Self.limit, nestedCount < Self.nestedLimit, !ChangeScope.isTooDeep(in: owner)
    else { return nil }
    count += 1
    let (value, isNested) = ChangeScope.run(of: owner, change)
    if isNested { nestedCount += 1 }
    return value
  }

  /// Returns the error of a change that was given up.
  ///
  /// - Parameters:
  ///   - value: The value, such as "the request".
  ///   - owner: The owner of the value, such as "searcher".
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
