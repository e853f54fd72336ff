private import Synchronization

/// A run of a caller's closure that computes a change, or decides whether to search.
///
/// A change is computed again if the value was changed during the run, so a closure that changes
/// the same value would run without end. The owner rejects such a change; see ``ChangeOwner``.
private final class ChangeScope: Sendable {
  /// The innermost run. A task that is created in a closure inherits it, and can outlive it.
  @TaskLocal static var innermost: ChangeScope?

  /// The owners of the values that are changed; `nil` for a decision.
  private let owners: [ChangeOwner]?
  private let outer: ChangeScope?
  private let hasEnded = Atomic(false)

  private init(owners: [ChangeOwner]?) {
    self.owners = owners
    // A task that was created in a closure can create the next one in a closure, and so on.
    var outer = Self.innermost
    while let scope = outer, scope.hasEnded.load(ordering: .relaxed) { outer = scope.outer }
    self.outer = outer
  }

  static func run<Value>(of owners: [ChangeOwner]?, _ body: () -> Value) -> Value {
    let scope = ChangeScope(owners: owners)
    defer { scope.hasEnded.store(true, ordering: .relaxed) }
    return $innermost.withValue(scope) { body() }
  }

  /// Returns whether a run that has not ended encloses the caller.
  static func contains(_ owner: ChangeOwner?) -> Bool {
    var next = innermost
    while let scope = next {
      if scope.isRun(of: owner), !scope.hasEnded.load(ordering: .relaxed) { return true }
      next = scope.outer
    }
    return false
  }

  private func isRun(of owner: ChangeOwner?) -> Bool {
    guard let owner else { return owners == nil }
    return owners?.contains { $0 === owner } == true
  }
}

/// The owner of a value that callers' closures change: a searcher's request or a state's filters.
///
/// It rejects a change that is made inside another change of the same value, or inside a closure
/// that decides whether to search. Both are mistakes of the program.
final class ChangeOwner: Sendable {
  /// The maximum number of runs of one change. Changes that only compete for the processor need far
  /// fewer. Other threads cannot wait instead, because the closure may be waiting for them.
  static let limit = 1000

  private let value: String
  private let owner: String

  /// Creates an owner.
  ///
  /// - Parameters:
  ///   - value: The value, such as "the request".
  ///   - owner: The owner of the value, such as "searcher".
  init(of value: String, in owner: String) {
    self.value = value
    self.owner = owner
  }

  /// Changes the value.
  ///
  /// - Parameters:
  ///   - compute: Computes the change from the current value, with the caller's closures.
  ///   - commit: Makes the change. If it returns `nil`, because the value was changed during the
  ///     run, the change is computed again.
  /// - Throws: `invalidRequest` if the change is rejected, or if other threads change the value
  ///   during each of ``limit`` runs.
  func change<Change, Value>(
    _ compute: () -> Change, commit: (Change) -> Value?
  ) throws(SearchError) -> Value {
    try checkIsAllowed()
    for _ in 0..<Self.limit {
      if let value = commit(ChangeScope.run(of: [self], compute)) { return value }
    }
    throw error(
      """
      because \(value) was changed by other threads during each of \(Self.limit) runs of its closure. \
      Do not make or wait for other changes in the closure.
      """)
  }

  /// Runs a closure of the caller that computes a change before it is made.
  func preview<Value, Failure>(_ compute: () throws(Failure) -> Value) throws(Failure) -> Value {
    try Self.preview([self], compute)
  }

  /// Runs a closure that may change no value of several owners.
  static func preview<Value, Failure>(
    _ owners: [ChangeOwner], _ compute: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ChangeScope.run(of: owners) { () -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try compute())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Whether the current code runs inside a change of the value.
  var isChanging: Bool { ChangeScope.contains(self) }

  /// Throws if a change is a mistake here.
  func checkIsAllowed() throws(SearchError) {
    if ChangeScope.contains(nil) {
      throw error(
        """
        because the closure that decides what is searched makes the change. `shouldSearch` must only \
        look at its argument.
        """)
    }
    if isChanging {
      throw error(
        """
        because the closure of another change of \(value) of the same \(owner) makes the change. \
        Change the closure's argument instead.
        """)
    }
  }

  /// Runs a closure that decides whether to search. It can make no change of any owner.
  static func decide<Value>(_ decision: () -> Value) -> Value {
    ChangeScope.run(of: nil, decision)
  }

  /// Starts a task that belongs to no closure that is running.
  static func beginWork(_ start: () -> Void) {
    ChangeScope.$innermost.withValue(nil) { start() }
  }

  private func error(_ reason: String) -> SearchError {
    SearchError(.invalidRequest, "A change of \(value) of the \(owner) was not made, \(reason)")
  }
}
