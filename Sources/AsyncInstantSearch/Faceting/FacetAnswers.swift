/// What the queries for counts found out, to be put into the page of hits.
struct FacetAnswers: Sendable {
  /// The answer of one query for counts.
  private struct Answer: Sendable {
    var attribute: String
    var facet: Facet?
    var stats: FacetStats?
  }

  private let answers: [Answer]
  /// The selected values of the attributes filtered by OR, to be shown in any case.
  private let selected: [(attribute: String, values: [String])]
  private let isExhaustive: Bool?
  private let processingTimeMS: Int

  /// Reads the answers to the queries for counts, in their order.
  ///
  /// - Parameter keepsSelected: Whether selected values that are in no answer are shown as well.
  init(
    _ contents: some Sequence<HitsContent>,
    to queries: FacetQueries,
    of request: SearchRequest<JSON>,
    keepsSelected: Bool
  ) {
    let pages = contents.map { $0.page(for: request) }
    answers = zip(queries.extras, pages).map { extra, page in
      let attribute = extra.attribute.rawValue
      return Answer(
        attribute: attribute, facet: page.facets[attribute], stats: page.facetStats[attribute])
    }
    selected =
      keepsSelected
      ? queries.disjunctive.map { ($0.rawValue, request.filterGroups.selectedValues(of: $0)) } : []
    let exhaustive = pages.compactMap(\.exhaustive.facetsCount)
    isExhaustive = exhaustive.isEmpty ? nil : exhaustive.allSatisfy(\.self)
    processingTimeMS = pages.reduce(0) { sum, page in
      let (result, isTooLarge) = sum.addingReportingOverflow(page.processingTimeMS)
      return isTooLarge ? .max : result
    }
  }

  /// Puts the counts into the page of hits.
  ///
  /// An answer takes the place of the page's own counts of its attribute. A selected value that it
  /// does not have, because there are many more frequent ones, keeps the page's own count; without
  /// one it has none. The page is exhaustive when all answers are; its time is the sum of all.
  func complete<Record>(_ page: inout HitsPage<Record>) {
    let own = page.facets
    for answer in answers {
      if let facet = answer.facet { page.facets[answer.attribute] = facet }
      if let stats = answer.stats { page.facetStats[answer.attribute] = stats }
    }
    for (attribute, values) in selected {
      var facet = page.facets[attribute] ?? Facet(attribute: attribute)
      let known = Set(facet.values.map(\.value))
      let counts = own[attribute]?.counts ?? [:]
      let missing = values.filter { !known.contains($0) }
        .map { FacetValue(value: $0, count: counts[$0] ?? 0) }
      facet.values += missing.sorted { $0.count > $1.count }
      page.facets[attribute] = facet
    }
    if let isExhaustive {
      page.exhaustive.facetsCount = (page.exhaustive.facetsCount ?? true) && isExhaustive
    }
    let (sum, isTooLarge) = page.processingTimeMS.addingReportingOverflow(processingTimeMS)
    page.processingTimeMS = isTooLarge ? .max : sum
  }
}

extension FilterGroups {
  /// The facet values of an attribute that filters ask for, each once, in the order of the groups.
  fileprivate func selectedValues(of attribute: Attribute) -> [String] {
    var values: [String] = []
    for case .facet(let filter) in filters(for: attribute)
    where !filter.isNegated && !values.contains(filter.value.text) {
      values.append(filter.value.text)
    }
    return values
  }
}
