/// Finds why a search has no hits, with one more request, and says what to change.
struct NoHits {
  private let search: IndexSearch
  private let question: IndexSearch.Question

  /// The most filters that are left out one by one.
  private static let maximumFilterCount = 10
  /// The most values that are searched one by one.
  private static let maximumValueCount = 10
  /// The most values of a facet among which similar ones are found.
  private static let comparedValueCount = 1_000

  init(_ search: IndexSearch, _ question: IndexSearch.Question) {
    self.search = search
    self.question = question
  }

  private var given: [FilterArguments.Given] { question.given }
  private var hasText: Bool { question.text.contains { !$0.isWhitespace } }

  /// What a query finds out.
  private enum Purpose: Hashable {
    /// All records, with the values of the facets that are filtered by.
    case all
    /// The text without filters, and the filters without text.
    case text, filters
    /// Records that have some of the words, and match the filters or not.
    case similar, similarOutside
    /// The search without the filter at a position.
    case without(Int)
    /// A value of the filter at a position.
    case value(String, of: Int)
  }

  /// Returns the result of a search without hits.
  func output(
    _ page: HitsPage<Hit<JSON>>, _ options: RequestOptions
  ) async throws -> JSON {
    if !hasText, given.isEmpty {
      let hint = ToolHint(.noRecords, "There are no records.")
      return IndexSearch.output(page, hints: [hint])
    }
    let queries = queries
    let pages: [HitsPage<Hit<JSON>>]
    do {
      pages = try await search.client.search(queries.map(\.request), options: options)
    } catch {
      // A key may allow the search and none of these.
      guard [.invalidRequest, .unauthorized, .rateLimited].contains(error.code) else { throw error }
      let hint = ToolHint(.noHits, "There are no hits. Use other words, or leave out filters.")
      return IndexSearch.output(page, hints: [hint])
    }
    guard pages.count == queries.count else {
      throw SearchError(.decoding, "The response does not have one result for each query.")
    }
    let finding = Finding(
      Dictionary(uniqueKeysWithValues: zip(queries.map(\.purpose), pages)))
    var facets = HintFacets()
    let hints = try hints(finding, &facets)
    let similar = finding.mostSimilar.map {
      JSON.object(ToolRecord($0, .hit, search.index).members)
    }
    return IndexSearch.output(page, facets: facets.values, similarHits: similar, hints: hints)
  }

  // MARK: Queries

  /// The queries whose results are needed.
  private var queries: [(purpose: Purpose, request: SearchRequest<Hit<JSON>>)] {
    let filtered = given.filter { !$0.values.isEmpty }.map(\.argument.attribute)
    var queries = [(Purpose.all, request("", [], counting: filtered, Self.comparedValueCount))]
    if hasText {
      queries.append((.similarOutside, similarRequest([])))
      if !given.isEmpty {
        queries.append((.text, request(question.text, [])))
        queries.append((.filters, request("", given)))
        queries.append((.similar, similarRequest(given)))
      }
    }
    for (position, filter) in given.enumerated().prefix(Self.maximumFilterCount) {
      var others = given
      others.remove(at: position)
      let facets = filter.isFacet ? [filter.argument.attribute] : []
      queries.append((.without(position), request(question.text, others, counting: facets)))
    }
    var rest = Self.maximumValueCount
    for (position, filter) in given.enumerated() {
      for value in filter.values.prefix(rest) {
        rest -= 1
        queries.append((.value(value, of: position), request("", [filter.only(value)])))
      }
    }
    return queries
  }

  private func request(
    _ text: String, _ given: [FilterArguments.Given], counting facets: [String] = [],
    _ valueCount: Int = SimilarValues.maximumCount
  ) -> SearchRequest<Hit<JSON>> {
    var query = search.index.makeQuery(text)
    query.hitsPerPage = 0
    query.facets = facets.isEmpty ? nil : facets
    query.maxValuesPerFacet = valueCount
    query.sortFacetValuesBy = .count
    return SearchRequest(question.indexName, query, filterGroups: FilterGroups(given))
  }

  /// The request for records that have some of the words.
  private func similarRequest(
    _ given: [FilterArguments.Given]
  ) -> SearchRequest<Hit<JSON>> {
    var request = request(question.text, given)
    request.query.hitsPerPage = 3
    request.query.getRankingInfo = true
    request.query.removeWordsIfNoResults = .allOptional
    request.query.attributesToRetrieve = question.query.attributesToRetrieve
    return request
  }

  /// What the queries found.
  private struct Finding {
    private let pages: [Purpose: HitsPage<Hit<JSON>>]

    init(_ pages: [Purpose: HitsPage<Hit<JSON>>]) { self.pages = pages }

    /// The number of hits of a query; 0 for one that is the search itself, which has none.
    func count(_ purpose: Purpose) -> Int { pages[purpose]?.nbHits ?? 0 }

    func facets(_ purpose: Purpose) -> Facets { pages[purpose]?.facets ?? [:] }

    /// Whether a value was searched and no record has it.
    func isUnknown(_ value: String, of position: Int) -> Bool {
      pages[.value(value, of: position)]?.nbHits == 0
    }

    /// Whether records that do not match the filters have more of the words.
    var isBetterOutside: Bool { words(.similarOutside) > words(.similar) }

    /// The records that have most of the words.
    var mostSimilar: [Hit<JSON>] {
      pages[isBetterOutside ? .similarOutside : .similar]?.hits ?? []
    }

    private func words(_ purpose: Purpose) -> Int {
      pages[purpose]?.hits.first.map { $0.rankingInfo?.words ?? 1 } ?? 0
    }
  }

  // MARK: Hints

  /// Returns what to change.
  ///
  /// - Parameter facets: Receives the values that hints refer to.
  private func hints(
    _ finding: Finding, _ facets: inout HintFacets
  ) throws -> [ToolHint] {
    guard finding.count(.all) > 0 else { return [ToolHint(.noRecords, "There are no records.")] }
    var hints = try unknownValues(finding, &facets)
    if hasText, finding.count(.text) == 0 { hints += unknownText(finding) }
    // A value that no record has excludes everything, with any text.
    if !hints.isEmpty || given.isEmpty { return hints }
    let helping = given.indices.filter { finding.count(.without($0)) > 0 }.sorted {
      (finding.count(.without($1)), $0) < (finding.count(.without($0)), $1)
    }
    for position in helping.prefix(3) { hints.append(exclusion(at: position, finding, &facets)) }
    if !hints.isEmpty { return hints }
    let names = given.map(\.argument.name).joined(separator: ", ")
    guard finding.count(.filters) == 0 else {
      return [
        ToolHint(
          .filtersExclude, argument: given.first?.argument.name,
          "\(finding.count(.text)) records match the text, and \(finding.count(.filters)) others the"
            + " filters. Leave out several of \(names), or use other words.")
      ]
    }
    return [
      ToolHint(
        .filtersMatchNothing, argument: given.first?.argument.name,
        "No record matches the filters, with any text. Leave out several of \(names).")
    ]
  }

  private func unknownText(_ finding: Finding) -> [ToolHint] {
    let hasSimilar = !finding.mostSimilar.isEmpty
    let hint = ToolHint(
      .unknownText, argument: "query",
      "No record matches the text\(given.isEmpty ? "" : ", with or without filters")."
        + " Use fewer or other words."
        + (hasSimilar ? " similarHits has records with some of them." : ""))
    guard finding.isBetterOutside, let filter = given.first else { return [hint] }
    return [
      hint,
      ToolHint(
        .filtersExclude, argument: filter.argument.name,
        "Records that do not match the filters have more of the words. Leave out "
          + given.map(\.argument.name).joined(separator: ", ") + "."),
    ]
  }

  /// A hint for a filter without which there are hits.
  private func exclusion(
    at position: Int, _ finding: Finding, _ facets: inout HintFacets
  ) -> ToolHint {
    let filter = given[position]
    let count = finding.count(.without(position))
    var message = "Without \(filter.argument.name) there are \(count) hits."
    let attribute = filter.argument.attribute
    let values = finding.facets(.without(position))[attribute]?.values ?? []
    if facets.add(values.prefix(SimilarValues.maximumCount), of: attribute) {
      message += " facets.\(attribute) has their values."
    }
    message += " Leave it out, or change it."
    if filter.filters.count > 1, filter.values.count > 1 {
      message +=
        " For a record with one of the values, put them into a list in the list:"
        + " \(filter.argument.name) [[\"a\", \"b\"]]."
    }
    return ToolHint(.filtersExclude, argument: filter.argument.name, message)
  }

  /// A hint for each filter with values that no record has.
  private func unknownValues(
    _ finding: Finding, _ facets: inout HintFacets
  ) throws -> [ToolHint] {
    var hints: [ToolHint] = []
    for (position, filter) in given.enumerated() {
      let unknown = filter.values.filter { finding.isUnknown($0, of: position) }
      if unknown.isEmpty { continue }
      let attribute = filter.argument.attribute
      let known = finding.facets(.all)[attribute]?.values ?? []
      let similar = try SimilarValues.of(unknown, among: known)
      var message =
        "No record has \(unknown.prefix(3).map(ToolArguments.quoted).joined(separator: ", ")) in"
        + " \(attribute)."
      if facets.add(similar, of: attribute) {
        message += " facets.\(attribute) has values like it; use one of them."
      } else {
        message += " Leave it out."
      }
      hints.append(ToolHint(.unknownValue, argument: filter.argument.name, message))
    }
    return hints
  }
}

/// The values of facets to which hints refer, with a bounded size.
private struct HintFacets {
  private(set) var values: [String: JSON] = [:]
  private var budget = ByteBudget(IndexSearch.maximumFacetByteCount)

  /// Adds values of a facet, and returns whether there are any and they fit.
  mutating func add(_ values: some Collection<FacetValue>, of attribute: String) -> Bool {
    let object = IndexSearch.object(of: values)
    guard !values.isEmpty, budget.takes(object, named: attribute) else { return false }
    self.values[attribute] = object
    return true
  }
}
