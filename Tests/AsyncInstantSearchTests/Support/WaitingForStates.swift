@testable import AsyncInstantSearch

extension MultiIndexHitsInteractor {
  /// The first state that meets the condition; `nil` if the stream ends.
  func state(
    where isWanted: (MultiIndexHitsState) -> Bool
  ) async -> MultiIndexHitsState? {
    for await state in states(buffering: .unbounded) where isWanted(state) {
      return state
    }
    return nil
  }
}

extension HitsInteractor {
  /// The first state that meets the condition; `nil` if the stream ends.
  func state(
    where isWanted: (HitsState<Record>) -> Bool
  ) async -> HitsState<Record>? {
    for await state in states(buffering: .unbounded) where isWanted(state) {
      return state
    }
    return nil
  }
}
