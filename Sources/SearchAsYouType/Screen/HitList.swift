import AsyncInstantSearch

/// The rows of the hits as the screen shows them.
struct HitList: Sendable {
  /// The number of rows, loaded or not.
  var rowCount = 0
  /// The number of hits that the engine counts.
  var hitCount = 0
  /// The number of the search.
  var generation: UInt64 = 0
  /// The error of the newest search.
  var failure: String?
  /// The hit of a row; `nil` if it is not loaded.
  var hit: @Sendable (Int) -> Hit<Film>? = { _ in nil }
}

extension HitList {
  init(_ state: HitsState<Hit<Film>>) {
    let rows = state.hits
    rowCount = rows.count
    hitCount = state.nbHits
    generation = state.generation
    failure = state.failure?.message
    hit = { rows.indices.contains($0) ? rows[$0] : nil }
  }
}
