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
