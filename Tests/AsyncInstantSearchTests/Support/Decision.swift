@testable import InstantSearchAPI

/// A `shouldSearch` that counts its runs and makes a change in each, with a new number.
final class Decision: Sendable {
  private let state = Lock<(runs: Int, change: (@Sendable (Int) -> Void)?)>((0, nil))

  var runs: Int { state.withLock { $0.runs } }

  func set(_ change: (@Sendable (Int) -> Void)?) {
    state.withLock { $0.change = change }
  }

  @Sendable func run(_: some Any) -> Bool {
    let (number, change) = state.withLock { state in
      state.runs += 1
      return (state.runs, state.change)
    }
    // Turns an endless loop into a failing test.
    if number <= 300 { change?(number) }
    return true
  }
}
