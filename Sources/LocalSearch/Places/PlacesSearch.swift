import InstantSearchJSON

/// A search for places on one snapshot, in the form of searches of the index.
///
/// 1. Words of digits are optional, unless the query has only such words.
/// 2. Around a point, places within 10 km rank first, then places in the country of the place
///    nearest to the point, then all others.
/// 3. Without matches, cities are searched whose names contain any of the words.
struct PlacesSearch {
  /// The parameters.
  let query: PlacesQuery
  /// The name of the index in errors.
  let indexName: String
  /// The state of the index.
  let snapshot: IndexSnapshot
  /// Checks for cancellation and the deadline.
  let cancellation: CancellationCheck

  /// The result of a search.
  struct Found {
    /// The search of the index.
    var search: ResolvedSearch
    /// Its result.
    var result: SearchResult
    /// Whether only cities were searched, by any of the words.
    var isDegraded = false
  }

  /// The maximum and the default number of places in a response.
  static let maximumCount = 20
  /// The maximum distance of a nearby place, in meters.
  private static let nearby = 10_000
  /// Searches by the words.
  func run() throws -> Found {
    try checkQuery()
    var search = search
    if let optional = try numbers() { search.optionalWords = .value(.list(optional)) }
    if let country = try countryAround(search) {
      search.optionalFilters = .group([.filter("country_code:\(country)")])
    }
    let found = try run(search)
    guard found.result.hits.isEmpty, !found.result.plan.isEmpty,
      types.isEmpty || types.contains(.city)
    else { return found }
    search.tagFilters = Self.alternatives(PlaceType.city.tags)
    search.removeWordsIfNoResults = .allOptional
    var degraded = try run(search)
    degraded.isDegraded = true
    return degraded
  }

  /// Returns the places nearest to the point of the query, nearest first.
  func reverseGeocode() throws -> Found {
    guard query.aroundLatLng != nil else {
      throw APIError("Missing \"aroundLatLng\" parameter, expected a point as lat,lng")
    }
    try checkCount()
    return try run(nearest(query.hitsPerPage ?? Self.maximumCount))
  }

  // MARK: Searches of the index

  /// The requested kinds of places. Empty for all.
  private var types: [PlaceType] { query.type ?? [] }

  /// The search for the words of the query.
  private var search: SearchQuery {
    let given = query.searchQuery
    var search = SearchQuery(query.query)
    search.hitsPerPage = query.hitsPerPage ?? Self.maximumCount
    search.aroundLatLng = query.aroundLatLng
    search.aroundRadius = query.aroundRadius ?? .all
    search.aroundPrecision = given.aroundPrecision ?? Self.nearbyBuckets
    search.insideBoundingBox = given.insideBoundingBox
    search.insidePolygon = query.insidePolygon
    search.restrictSearchableAttributes = query.restrictSearchableAttributes
    search.getRankingInfo = query.getRankingInfo
    if !types.isEmpty { search.tagFilters = Self.alternatives(types.flatMap(\.tags)) }
    if let countries = query.countries, !countries.isEmpty {
      search.facetFilters = Self.alternatives(countries.map { "country_code:\($0)" })
    }
    return search
  }

  /// Returns a search for only the places nearest to the point, at any distance.
  private func nearest(_ count: Int) -> SearchQuery {
    var search = SearchQuery()
    search.aroundLatLng = query.aroundLatLng
    search.hitsPerPage = count
    search.ranking = ["geo", "custom"]
    return search
  }

  private func run(_ search: SearchQuery) throws -> Found {
    var search = try ResolvedSearch(
      search, indexName: indexName, settings: snapshot.settings, cancellation)
    search.placeLanguage = query.language.map { PlaceLanguage(code: $0.rawValue) }
    let result = try SearchExecution(snapshot: snapshot, search: search, cancellation: cancellation)
      .result()
    return Found(search: search, result: result)
  }

  private static func alternatives(_ filters: [String]) -> NestedFilters {
    .group([.group(filters.map(NestedFilters.filter))])
  }

  /// Two buckets of distances: nearby, and farther away.
  private static let nearbyBuckets = AroundPrecision.ranges([
    AroundPrecision.Range(from: 0, value: nearby),
    AroundPrecision.Range(from: nearby, value: 100_000_000),
  ])

  // MARK: What the index knows

  /// Returns the words of digits, if there are others too.
  private func numbers() throws -> [String]? {
    let words = try Tokenizer(settings: snapshot.settings)
      .tokens(of: query.query ?? "", cancellation).map(\.word)
    let numbers = words.filter { $0.utf8.allSatisfy { (48...57).contains($0) } }
    return numbers.isEmpty || numbers.count == words.count ? nil : numbers
  }

  /// Returns the country of the place nearest to the point, or `nil` without a point.
  private func countryAround(_ search: SearchQuery) throws -> String? {
    guard try GeoSearch(search, cancellation)?.circle != nil else { return nil }
    guard let hit = try run(nearest(1)).result.hits.first else { return nil }
    let record = snapshot.record(segment: hit.segment, document: hit.document)
    let place = try JSONDocument(Array(record)).root
    return place["country_code"]?.string.flatMap { Self.isCountryCode($0.lowercased()) ? $0 : nil }
  }

  // MARK: Checks

  /// Rejects values that are not part of the contract.
  private func checkQuery() throws(APIError) {
    try checkCount()
    for type in types {
      try ParameterCheck.value(type, "type", among: PlaceType.known)
    }
    for country in query.countries ?? [] where !Self.isCountryCode(country) {
      throw .invalidValue(
        of: "countries", expected: "ISO 3166-1 codes of two letters in lower case",
        got: String(country.prefix(80)))
    }
  }

  private func checkCount() throws(APIError) {
    try ParameterCheck.integer(query.hitsPerPage, "hitsPerPage", 1...Self.maximumCount)
  }

  private static func isCountryCode(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (97...122).contains($0) }
  }
}

extension IndexSettings {
  /// The settings of an index of places.
  ///
  /// ```swift
  /// try await SearchClient(transport: engine).setSettings(.places, of: "places")
  /// ```
  ///
  /// A place's names rank highest, then its city, postcode, county, region and country. Equally
  /// good places are ordered by distance from the point of the search, if it has one. Then popular
  /// places rank first, then the more important ones, then places with a larger population.
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

extension IndexSnapshot {
  /// Rejects searches for places without the required settings.
  func checkPlaces(_ indexName: String, _ cancellation: CancellationCheck) throws {
    let missing: String
    let facets = FacetDeclaration.all(in: settings).map(\.attribute)
    let searched = try lists(cancellation).searchable
    if try searched.isEmpty || searched.role(of: "locale_names", cancellation) == nil {
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
