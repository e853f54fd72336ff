import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// One search of the contract as searches of the server, and how their results become a response.
struct PlannedSearch {
  let search: ForeignSearch
  /// The collection that is searched.
  let collection: String
  private let fields: [Field]
  private var words: Words
  /// Whether the server drops words until it finds something.
  var dropsWords = false
  private let filter: FilterExpression
  private let order: SortOrder
  private let milliseconds: Int
  private let curation: Curation
  let dialect: Dialect
  private let hasSynonyms: Bool
  /// The number of values of each facet to ask for.
  var valueCount: Int
  /// The parts of the requested range of hits.
  let parts: [PagePart]

  /// More values than a facet has.
  static let allValues = 1_000_000

  /// A page of the server, and the hits of it that are wanted.
  struct PagePart {
    let page: Int
    let length: Int
    let wanted: Range<Int>
  }

  /// Plans a search.
  ///
  /// - Parameters:
  ///   - description: The index that has the records.
  ///   - missingFields: The fields that the collection does not have.
  ///   - milliseconds: The time that the server may take.
  ///   - needsAllValues: Whether all values of the facets are needed.
  /// - Throws: `APIError` for what the server cannot do.
  init(
    _ search: ForeignSearch, in description: IndexDescription, missingFields: Set<String>,
    milliseconds: Int, needsAllValues: Bool = false,
    radius: (center: Point, meters: Int)? = nil, curation: Curation = Curation(),
    dialect: Dialect = Dialect(majorVersion: nil)
  ) throws {
    self.search = search
    self.milliseconds = milliseconds
    self.curation = curation
    self.dialect = dialect
    hasSynonyms = !description.entries.isEmpty(.synonyms)
    collection = description.collection
    words = Words(search.plan)
    try Mapping.check(search.query)
    let compiler = Self.compiler(search, missingFields)
    var filters = [try Self.filter(of: search, missingFields)]
    let optional = FilterExpression.any(of: search.optionalFilters.map(compiler.expression))
    order = try SortOrder(
      ranking: search.query.ranking ?? search.settings.ranking,
      customRanking: search.settings.customRanking, hasWords: !search.plan.words.isEmpty,
      isGrouped: search.hitsPerGroup > 0, point: search.geo?.circle?.center,
      filter: optional == .never ? nil : optional.text(),
      keys: description.formSettings.flatMap { try OrderKey.all(in: $0) },
      textRankings: description.textRankings)
    fields = try Self.fields(of: search)
    if !words.isEmpty, fields.isEmpty { filters.append(.never) }
    if let radius { filters.append(GeoFilter.circle(radius.center, meters: radius.meters)) }
    if description.hasMarks { filters.append(.withoutMarks) }
    filter = .all(of: filters)
    let isAlphabetical = search.facetOrder == .alphabetical
    // Of equally frequent values at the limit, the first by text are returned.
    valueCount =
      needsAllValues || isAlphabetical ? Self.allValues : 2 * search.maxValuesPerFacet + 20
    parts = Self.parts(of: search.window)
  }

  /// The parameters of a search that counts only, without what rules do.
  private func uncurated() throws -> [String: JSON] {
    var search = try common()
    for name in curation.parameters.keys { search[name] = nil }
    return search
  }

  private static func compiler(
    _ search: ForeignSearch, _ missingFields: Set<String>
  ) -> FilterCompiler {
    FilterCompiler(
      equalOnlyNumbers: search.equalOnlyNumbers,
      facets: Set(FacetDeclaration.all(in: search.settings).map(\.attribute)),
      missingFields: missingFields)
  }

  /// Returns the filters and the geographic condition of a search.
  static func filter(
    of search: ForeignSearch, _ missingFields: Set<String>
  ) throws(APIError) -> FilterExpression {
    let compiler = compiler(search, missingFields)
    var filters = search.filters.map(compiler.expression)
    if let geo = search.geo {
      filters.append(try GeoFilter.expression(geo, polygons: search.query.insidePolygon ?? []))
    }
    return .all(of: filters)
  }

  /// Divides a range into pages of the server: one page if possible.
  static func parts(of window: Range<Int>) -> [PagePart] {
    guard !window.isEmpty else { return [] }
    if let length = (window.count...max(Cluster.pageLength, window.count)).first(where: {
      $0 <= Cluster.pageLength && window.lowerBound / $0 == (window.upperBound - 1) / $0
    }) {
      let page = window.lowerBound / length
      let start = window.lowerBound - page * length
      return [PagePart(page: page, length: length, wanted: start..<start + window.count)]
    }
    let length = Cluster.pageLength
    return (window.lowerBound / length...(window.upperBound - 1) / length).map { page in
      let start = max(window.lowerBound - page * length, 0)
      return PagePart(
        page: page, length: length, wanted: start..<min(window.upperBound - page * length, length))
    }
  }

  // MARK: Other searches

  /// A search with fewer words, for a query that found nothing.
  struct Reduced {
    let planned: PlannedSearch
    /// The query with the removed words in tags.
    let text: String?
  }

  /// The searches with fewer and fewer words.
  func reduced() -> [Reduced] {
    let removal =
      search.query.removeWordsIfNoResults
      ?? (search.query.naturalLanguages?.isEmpty == false ? .allOptional : nil)
      ?? search.settings.removeWordsIfNoResults
    let count = search.plan.words.count
    guard count > 1 else { return [] }
    func keeping(_ kept: Range<Int>) -> Reduced {
      var planned = self
      planned.words = Words(search.plan, keeping: kept)
      planned.valueCount = Self.allValues
      let removed = kept.lowerBound == 0 ? kept.upperBound..<count : 0..<kept.lowerBound
      return Reduced(planned: planned, text: search.text(removing: removed))
    }
    switch removal {
    case .lastWords: return (1..<count).reversed().map { keeping(0..<$0) }
    case .firstWords: return (1..<count).map { keeping($0..<count) }
    case .allOptional:
      var planned = self
      planned.dropsWords = true
      planned.valueCount = Self.allValues
      return [Reduced(planned: planned, text: nil)]
    default: return []
    }
  }

  /// The searches for the distances of the thousandth and of the farthest record, if the search has
  /// an automatic radius.
  func distanceSearches() throws -> [JSON] {
    guard let circle = search.geo?.circle, case .automatic = circle.radius else { return [] }
    let point = GeoFilter.sortPair(circle.center)
    return try [("asc", 1000), ("desc", 1)].map { direction, position in
      var search = try uncurated()
      search["sort_by"] = .string("\(FieldName.points)(\(point)):\(direction)")
      search["per_page"] = 1
      search["page"] = .int(Int64(position))
      search["include_fields"] = "id"
      return .object(search)
    }
  }

  /// The server's distances are those on a sphere whose radius is 1,381 m too short; its filters
  /// are not. A distance has no decimals.
  private static let distanceScale = 6_371_008.8 / 6_369_628

  /// The automatic radius in meters, by the results of ``distanceSearches()``, and whether it
  /// leaves records out.
  func automaticRadius(_ results: [JSONNode]) -> (meters: Int, isLimit: Bool)? {
    guard let circle = search.geo?.circle, case .automatic(let minimum) = circle.radius else {
      return nil
    }
    let distances = results.map { result in
      result.list("hits").first?["geo_distance_meters"].map {
        Int((Double($0.count(of: FieldName.points) + 1) * Self.distanceScale).rounded(.up))
      }
    }
    if let limit = distances.first ?? nil { return (max(limit, minimum), true) }
    return (max(distances.last.flatMap(\.self) ?? 1, minimum), false)
  }

  // MARK: The request

  /// A field to search.
  private struct Field: Sendable {
    let name: String
    let weight: Int
    let allowsTypos: Bool
    let allowsPrefix: Bool
  }

  /// The fields to search.
  private static func fields(of search: ForeignSearch) throws -> [Field] {
    let check = CancellationCheck()
    let (query, settings) = (search.query, search.settings)
    let typoFree = try AttributeList(
      query.disableTypoToleranceOnAttributes ?? settings.disableTypoToleranceOnAttributes, check)
    let prefixFree = try AttributeList(settings.disablePrefixOnAttributes, check)
    let wanted = try AttributeList(restrictingTo: query.restrictSearchableAttributes, check)
    let searchable = search.searchableAttributes
    if searchable.isEmpty {
      guard wanted.isAll, typoFree.paths.isEmpty, prefixFree.paths.isEmpty else {
        throw APIError(
          "restrictSearchableAttributes, disableTypoToleranceOnAttributes and"
            + " disablePrefixOnAttributes need the setting searchableAttributes, because without it"
            + " all texts of a record are in one field")
      }
      return [
        Field(
          name: FieldName.allTexts, weight: maximumWeight, allowsTypos: true, allowsPrefix: true)
      ]
    }
    var seen: Set<String> = []
    return try searchable.paths.compactMap { path in
      guard seen.insert(path).inserted else { return nil }
      guard try wanted.covers(path, check) else {
        guard try !wanted.mayContain(path, check) else {
          throw APIError(
            "restrictSearchableAttributes names a part of \"\(path)\"; name the attributes as"
              + " searchableAttributes does")
        }
        return nil
      }
      let rank = try searchable.role(of: path, check)?.rank ?? 0
      return Field(
        name: FieldName.text(path), weight: max(maximumWeight - rank, 1),
        allowsTypos: try !typoFree.covers(path, check),
        allowsPrefix: try !prefixFree.covers(path, check))
    }
  }

  private static let maximumWeight = 15

  /// The parameters that all searches have in common.
  private func common() throws -> [String: JSON] {
    var search: [String: JSON] = [
      "collection": .string(collection), "q": .string(words.text),
      "include_fields": .string(FieldName.record), "highlight_fields": "none",
      "enable_highlight_v1": false, "enable_overrides": false,
      "search_cutoff_ms": .int(Int64(milliseconds)),
    ]
    if let filter = try filter.text() { search["filter_by"] = .string(filter) }
    if !words.isEmpty, !fields.isEmpty { addWords(to: &search) }
    search.merge(curation.parameters) { $1 }
    if hasSynonyms { search.merge(try dialect.synonymParameters(self.search, collection)) { $1 } }
    return search
  }

  private func addWords(to search: inout [String: JSON]) {
    func list(_ values: [String]) -> JSON { .string(values.joined(separator: ",")) }
    let (query, settings) = (self.search.query, self.search.settings)
    let tolerance = query.typoTolerance ?? settings.typoTolerance
    let hasTypos = tolerance != .enabled(false)
    search["query_by"] = list(fields.map(\.name))
    search["query_by_weights"] = list(fields.map { String($0.weight) })
    search["num_typos"] = list(fields.map { hasTypos && $0.allowsTypos ? "2" : "0" })
    search["prefix"] = list(fields.map { String(words.allowsPrefix && $0.allowsPrefix) })
    search["split_join_tokens"] = hasTypos ? "fallback" : "off"
    search["typo_tokens_threshold"] = .int(tolerance == .min ? 1 : 1_000_000)
    search["drop_tokens_threshold"] = dropsWords ? 1_000_000 : 0
    search["max_candidates"] = 10_000
    search["min_len_1typo"] = .int(
      Int64(query.minWordSizefor1Typo ?? settings.minWordSizefor1Typo))
    search["min_len_2typo"] = .int(
      Int64(query.minWordSizefor2Typos ?? settings.minWordSizefor2Typos))
    let exactness = query.exactOnSingleWordQuery ?? settings.exactOnSingleWordQuery
    search["prioritize_exact_match"] = .bool(exactness != .none)
  }

  /// The facets that are counted with the hits: all, or with groups the ones after grouping.
  private func facets(afterDistinct isAfter: Bool) -> [String] {
    let isGrouped = search.hitsPerGroup > 0
    return search.facets.filter {
      !isGrouped && isAfter || isGrouped && $0.isAfterDistinct == isAfter
    }
    .map(\.attribute)
  }

  private func add(_ facets: [String], to search: inout [String: JSON]) {
    guard !facets.isEmpty else { return }
    let fields = facets.flatMap { [FieldName.facet($0), FieldName.statistics($0)] }
    search["facet_by"] = .string(fields.joined(separator: ","))
    search["max_facet_values"] = .int(Int64(max(valueCount, 1)))
  }

  /// The searches of the server.
  func searches() throws -> [JSON] {
    var result: [[String: JSON]] = []
    let common = try common()
    for (number, part) in (parts.isEmpty ? [nil] : parts.map { $0 }).enumerated() {
      var search = common
      search["page"] = .int(Int64((part?.page ?? 0) + 1))
      search["per_page"] = .int(Int64(part?.length ?? 0))
      if let order = order.text { search["sort_by"] = .string(order) }
      if let attribute = self.search.settings.attributeForDistinct, self.search.hitsPerGroup > 0 {
        search["group_by"] = .string(FieldName.group(attribute))
        search["group_limit"] = .int(Int64(self.search.hitsPerGroup))
      }
      if number == 0 { add(facets(afterDistinct: true), to: &search) }
      result.append(search)
    }
    let before = facets(afterDistinct: false)
    if !before.isEmpty {
      var search = common
      search["per_page"] = 0
      add(before, to: &search)
      result.append(search)
    }
    return result.map { .object($0) }
  }

  /// The search that reads matching records from a position on, and the one that counts them all.
  func searches(from position: ReadPosition) throws -> [JSON] {
    var search = try common()
    let order = FilterExpression.term("\(FieldName.order):>=\(position.order)")
    let filter = try FilterExpression.all(of: [order, filter]).text()
    var all = search
    all["per_page"] = 0
    search["filter_by"] = filter.map { .string($0) }
    search["sort_by"] = .string("\(FieldName.order):asc")
    search["per_page"] = .int(Int64(Cluster.pageLength))
    search["include_fields"] = .string("\(FieldName.record),\(FieldName.order)")
    return [.object(search), .object(all)]
  }

  /// The search that counts all values of a facet among the matching records.
  func searchForAllValues(of attribute: String) throws -> JSON {
    var search = try common()
    search["per_page"] = 0
    search["facet_by"] = .string(FieldName.facet(attribute))
    search["max_facet_values"] = .int(Int64(Self.allValues))
    return .object(search)
  }
}
