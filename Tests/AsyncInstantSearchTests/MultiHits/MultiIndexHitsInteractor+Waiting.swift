import AsyncInstantSearch

extension MultiIndexHitsInteractor {
  /// The first snapshot of which that is true; `nil` when there is none any more.
  func snapshot(
    where isWanted: (MultiIndexHitsSnapshot) -> Bool
  ) async -> MultiIndexHitsSnapshot? {
    for await snapshot in snapshots(buffering: .unbounded) where isWanted(snapshot) {
      return snapshot
    }
    return nil
  }
}
