@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport

/// One search of a random world, with what its filters mean.
struct OracleRequest {
  var query: SearchQuery
  /// The groups of `filters`, and of the lists of filters.
  var required: [FilterGroups] = []
  var optional: [OptionalFilterTree] = []

  func holds(_ record: JSON) -> Bool { required.allSatisfy { $0.holds(record) } }

  func score(of record: JSON) -> Int {
    let isSummed = query.sumOrFiltersScores == true
    return required.reduce(0) { $0 + $1.score(of: record, isSummed: isSummed) }
      + optional.reduce(0) {
        $0 + ($1.score(of: record, isAnd: false, isSummed: isSummed) ?? 0)
      }
  }
}

/// The whole answer to a search, found by brute force.
struct OracleAnswer {
  private typealias Item = OracleOrder.Item

  private let request: OracleRequest
  private let search: OracleSearch
  private let geo: GeoOracle
  private var query: SearchQuery { request.query }
  private var settings: IndexSettings { search.settings }

  init(
    _ request: OracleRequest, documents: [OracleDocument], settings: IndexSettings,
    synonyms: [Synonym] = []
  ) throws {
    self.request = request
    let geo = GeoOracle(query: request.query)
    self.geo = geo
    var search = try OracleSearch(
      documents: documents, query: request.query, settings: settings, synonyms: synonyms)
    search.conditions.isAllowed = { request.holds($0.members) && geo.holds($0.members) }
    search.conditions.filterScore = { request.score(of: $0.members) }
    search.conditions.distance = geo.steps.map { steps in { steps($0.members) } }
    self.search = search
  }

  /// The members of the answer that are compared. Facets are lists, because they have an order.
  func json() throws -> JSON {
    let (items, removed) = search.found()
    let hitsPerGroup =
      settings.attributeForDistinct == nil
      ? 0 : (query.distinct ?? settings.distinct).hitsPerGroup
    let groups = hitsPerGroup > 0 ? self.groups(items, hitsPerGroup) : items.map { [$0] }
    var answer: JSON = ["nbHits": .int(Int64(groups.count))]
    let page = page(groups.count, &answer)
    let order = OracleOrder(search)
    let highlights = OracleHighlights(search)
    answer["hits"] = .array(
      try groups[page].flatMap { group in
        try group.enumerated().map { sequence, item in
          var hit = item.document.members
          hit["_highlightResult"] = try highlights.tree(of: hit)
          if hitsPerGroup > 0 { hit["_distinctSeqID"] = .int(Int64(sequence)) }
          if query.getRankingInfo == true { hit["_rankingInfo"] = rankingInfo(item, order) }
          return hit
        }
      })
    addFacets(items, kept: hitsPerGroup > 0 ? groups.flatMap(\.self) : items, to: &answer)
    if !items.isEmpty, !removed.isEmpty { answer["queryAfterRemoval"] = marked(removed) }
    if let radius = geo.automaticRadius(of: items.map(\.document.members)) {
      answer["automaticRadius"] = .string(String(radius))
    }
    return answer
  }

  // MARK: Groups and pages

  /// The best records of each value of the attribute, in the order of the best.
  private func groups(_ items: [Item], _ size: Int) -> [[Item]] {
    var groups: [(key: [String], items: [Item])] = []
    for item in items {
      let key = item.document.members.values(at: settings.attributeForDistinct ?? "").compactMap {
        if let text = $0.stringValue { return text }
        return $0.doubleValue.map { String(Int($0.rounded())) }
      }
      if let known = groups.firstIndex(where: { $0.key == key && !key.isEmpty }) {
        if groups[known].items.count < size { groups[known].items.append(item) }
      } else {
        groups.append((key, [item]))
      }
    }
    return groups.map(\.items)
  }

  private func page(_ count: Int, _ answer: inout JSON) -> Range<Int> {
    let reachable = min(count, settings.paginationLimitedTo)
    let size = query.hitsPerPage ?? settings.hitsPerPage
    func range(_ start: Int, _ length: Int) -> Range<Int> {
      min(start, reachable)..<min(start + length, reachable)
    }
    if let offset = query.offset {
      answer["offset"] = .int(Int64(offset))
      answer["length"] = .int(Int64(query.length ?? size))
      return range(offset, query.length ?? size)
    }
    answer["page"] = .int(Int64(query.page ?? 0))
    answer["hitsPerPage"] = .int(Int64(size))
    answer["nbPages"] = .int(size == 0 ? 0 : Int64((reachable + size - 1) / size))
    return range((query.page ?? 0) * size, size)
  }

  // MARK: Facets

  private func addFacets(_ items: [Item], kept: [Item], to answer: inout JSON) {
    let tolerance = query.typoTolerance ?? settings.typoTolerance
    var facets: [JSON] = []
    var statistics: [String: JSON] = [:]
    var names = query.facets ?? []
    let declared = settings.attributesForFaceting.filter { !$0.hasPrefix("filterOnly(") }
    func name(_ declaration: String) -> String {
      declaration.split(whereSeparator: { "()".contains($0) }).last.map(String.init) ?? ""
    }
    if names.contains("*") { names = declared.map(name) }
    for facet in names {
      guard let declaration = declared.first(where: { name($0) == facet }) else { continue }
      let isAfter = query.facetingAfterDistinct ?? declaration.hasPrefix("afterDistinct(")
      let isIgnored = tolerance == .min || tolerance == .strict
      let counted = (isAfter && !isIgnored ? kept : items).map {
        $0.document.members.values(at: facet)
      }
      var counts: [String: Int] = [:]
      for values in counted {
        for value in Set(values.map(\.facetText)) { counts[value, default: 0] += 1 }
      }
      let isAlphabetical =
        (query.sortFacetValuesBy ?? settings.sortFacetValuesBy) == .alphabetical
      let sorted = counts.sorted { left, right in
        if !isAlphabetical, left.value != right.value { return left.value > right.value }
        return left.key < right.key
      }
      if sorted.isEmpty { continue }
      let limit = query.maxValuesPerFacet ?? settings.maxValuesPerFacet
      facets.append([
        .string(facet),
        .array(sorted.prefix(limit).map { [.string($0.key), .int(Int64($0.value))] }),
      ])
      let numbers = counted.flatMap { Set($0.compactMap(\.doubleValue)) }
      if let least = numbers.min(), let greatest = numbers.max() {
        let sum = numbers.reduce(0, +)
        statistics[facet] = [
          "min": .double(least), "max": .double(greatest), "sum": .double(sum),
          "avg": .double(sum / Double(numbers.count)),
        ]
      }
    }
    answer["facets"] = .array(facets)
    if !statistics.isEmpty { answer["facets_stats"] = .object(statistics) }
  }

  // MARK: Details

  private func rankingInfo(_ item: Item, _ order: OracleOrder) -> JSON {
    let result = item.result
    let meters = geo.meters(item.document.members)
    let distance = meters.map { Int($0) / geo.band(at: $0).size } ?? 0
    let hasKey = !search.words.isEmpty
    let worse =
      settings.customRanking.isEmpty
      ? 0
      : search.documents.count { order.isFirstByCustom(item.document, $0) == true }
    let numbers = [
      "nbTypos": result.typos, "words": result.words, "proximityDistance": result.proximity,
      "nbExactWords": result.exact, "filters": request.score(of: item.document.members),
      "geoDistance": distance, "userScore": worse,
      "firstMatchedWord": hasKey
        ? (result.attributeKey >> 20) * 1000 + result.attributeKey & 0xFFFFF : 0,
    ]
    return .object(numbers.mapValues { .int(Int64($0)) })
  }

  private func marked(_ removed: [Int]) -> JSON {
    var text = Array((query.query ?? "").utf8)
    var last = text.count
    for word in removed.sorted().reversed() {
      let range = search.words[word].range
      guard range.upperBound <= last else { continue }
      last = range.lowerBound
      text.insert(contentsOf: Array("</em>".utf8), at: range.upperBound)
      text.insert(contentsOf: Array("<em>".utf8), at: range.lowerBound)
    }
    return .string(String(decoding: text, as: UTF8.self))
  }
}
