import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

// What the results of the server say.
extension PlannedSearch {
  /// Whether the results say too little about the facets, so that all values must be asked for.
  func needsMoreValues(_ results: [JSONNode]) -> Bool {
    guard valueCount < Self.allValues, search.maxValuesPerFacet > 0 else { return false }
    return results.contains { result in
      result.list("facet_counts").contains { facet in
        let numbers = facet.list("counts").map { $0.count(of: "count") }
        return facet["field_name"]?.string?.hasPrefix(FieldName.facetPrefix) == true
          && numbers.count >= valueCount && numbers[search.maxValuesPerFacet - 1] == numbers.last
      }
    }
  }

  /// Returns what the server found.
  func findings(_ results: [JSONNode]) throws -> ForeignSearch.Findings {
    var findings = ForeignSearch.Findings()
    guard let first = results.first else { return findings }
    findings.hitCount = first.count(of: "found")
    findings.isCountExact =
      first["search_cutoff"]?.bool != true
      && (search.hitsPerGroup == 0 || dialect.countsGroupsExactly)
    findings.processingTime = results.reduce(0) { $0 + $1.count(of: "search_time_ms") }
    for (part, result) in zip(parts, results) {
      let groups: [[JSONNode]] =
        search.hitsPerGroup > 0
        ? result.list("grouped_hits").map {
          $0.list("hits")
        } : result.list("hits").map { [$0] }
      for group in groups.dropFirst(part.wanted.lowerBound).prefix(part.wanted.count) {
        for (number, hit) in group.enumerated() {
          // A deleted record has left a document without one.
          guard let record = hit["document"]?.record else { continue }
          findings.hits.append(
            (record, search.hitsPerGroup > 0 ? number : nil))
        }
      }
    }
    let counted = results.flatMap { $0.list("facet_counts") }
    findings.facets = search.facets.compactMap { FacetAnswer($0.attribute, in: counted, search) }
      .map(\.facet)
    return findings
  }

  /// Returns the numbers of records with each value of a facet, in no order.
  static func allValues(of attribute: String, _ results: [JSONNode]) -> [(text: String, count: Int)]
  {
    let counted = results.flatMap { $0.list("facet_counts") }
    return FacetAnswer.counts(FieldName.facet(attribute), in: counted)
  }
}

/// One facet of the server's answer.
private struct FacetAnswer {
  let facet: ForeignSearch.Findings.Facet

  /// Reads a facet, or returns `nil` if no record has a value.
  init?(_ attribute: String, in counted: [JSONNode], _ search: ForeignSearch) {
    // Forms of a text that are equal in Unicode are one value.
    var merged: [String: (text: String, count: Int)] = [:]
    for (text, count) in Self.counts(FieldName.facet(attribute), in: counted) {
      let known = merged[text]
      let isShorter = known.map { text.utf8.count < $0.text.utf8.count } ?? true
      merged[text] = (isShorter ? text : known?.text ?? text, (known?.count ?? 0) + count)
    }
    guard !merged.isEmpty else { return nil }
    let isAlphabetical = search.facetOrder == .alphabetical
    let values = merged.values.sorted {
      isAlphabetical || $0.count == $1.count ? $0.text < $1.text : $0.count > $1.count
    }
    facet = ForeignSearch.Findings.Facet(
      attribute: attribute,
      values: values.prefix(search.maxValuesPerFacet).map { ($0.text, $0.count) },
      statistics: Self.statistics(FieldName.statistics(attribute), in: counted))
  }

  static func counts(_ field: String, in counted: [JSONNode]) -> [(text: String, count: Int)] {
    guard let node = counted.first(where: { $0["field_name"]?.isString(field) ?? false }) else {
      return []
    }
    return node.list("counts").compactMap { value in
      guard let text = value["value"]?.string.flatMap(FacetValue.value),
        value["count"]?.int64 != nil
      else { return nil }
      return (text, value.count(of: "count"))
    }
  }

  private static func statistics(
    _ field: String, in counted: [JSONNode]
  ) -> (minimum: Double, maximum: Double, sum: Double, count: Int)? {
    guard let node = counted.first(where: { $0["field_name"]?.isString(field) ?? false }),
      node["counts"]?.count ?? 0 > 0, let stats = node["stats"],
      let minimum = stats["min"]?.double, let maximum = stats["max"]?.double,
      let sum = stats["sum"]?.double, let average = stats["avg"]?.double
    else { return nil }
    // The server gives the average in place of the number of values.
    let count = Int(exactly: (sum / average).rounded()).map { max($0, 1) } ?? 1
    return (minimum / 1000, maximum / 1000, sum / 1000, count)
  }
}
