package import AsyncInstantSearch

extension Ranking {
  /// Creates the ranking of a query; where it leaves a parameter out the index setting counts.
  package init(
    query: SearchQuery, settings: IndexSettings,
    filterScore: ((_ segment: Int, _ document: Int) -> Int)? = nil,
    geoDistance: GeoDistanceOfDocument? = nil
  ) {
    self.init(
      RankingOptions(query: query, settings: settings), filterScore: filterScore,
      geoDistance: geoDistance)
  }
}
