import AsyncInstantSearch

extension MultiIndexHitsInteractor {
  /// The first state of which that is true; `nil` when there is none any more.
  func state(
    where isWanted: (MultiIndexHitsState) -> Bool
  ) async -> MultiIndexHitsState? {
    for await state in states(buffering: .unbounded) where isWanted(state) {
      return state
    }
    return nil
  }
}
