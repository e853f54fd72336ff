import AsyncInstantSearch

extension IndexSettings {
  /// The settings of an index of places.
  ///
  /// ```swift
  /// try await engine.setSettings(.places, of: "places")
  /// ```
  ///
  /// A place's own names count most, then its city, postcode, county, region and country. Equally
  /// good places come by distance, where a point is searched around; then popular ones, then the
  /// more important, then the more populous.
  public static let places = IndexSettings {
    $0.searchableAttributes = [
      "unordered(locale_names)", "city,suburb,village", "unordered(postcode)", "unordered(county)",
      "unordered(administrative)", "unordered(country)",
    ]
    $0.attributesForFaceting = ["filterOnly(country_code)"]
    $0.allowTyposOnNumericTokens = false
    $0.ranking = [
      "words", "typo", "attribute", "proximity", "exact", "geo", "filters", "custom",
    ]
    $0.customRanking = ["desc(is_popular)", "asc(importance)", "desc(population)"]
  }
}

extension Snapshot {
  /// Refuses to search places without the settings on which that depends.
  func checkPlaces(_ indexName: String, _ checkpoint: Checkpoint) throws {
    let missing: String
    let facets = FacetDeclaration.all(in: settings).map(\.attribute)
    let searched = try lists(checkpoint).searchable
    if try searched.isEmpty || searched.role(of: "locale_names", checkpoint) == nil {
      missing = "locale_names is not in searchableAttributes"
    } else if !facets.contains("country_code") {
      missing = "country_code is not in attributesForFaceting"
    } else {
      return
    }
    throw APIError(
      "Index \(indexName) cannot be searched for places: \(missing);"
        + " set its settings to IndexSettings.places")
  }
}
