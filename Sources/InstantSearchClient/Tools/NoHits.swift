/// Finds why a search has no hits, with one more request, and says what to change.
struct NoHits {
  private let search: IndexSearch
  private let question: IndexSearch.Question

  /// The most filters that are left out one by one.
  private static let maximumFilterCount = 10
  /// The most values of a facet that are read to know which ones exist.
  private static let maximumValueCount = 1_000

  init(_ search: IndexSearch, _ question: IndexSearch.Question) {
    self.search = search
    self.question = question
  }

  private var given: [FilterArguments.Given] { question.given }
  private var hasText: Bool { question.text.contains { !$0.isWhitespace } }

  /// Returns the result of a search without hits.
  func output(
    _ page: HitsPage<Hit<JSON>>, _ options: RequestOptions
  ) async throws -> JSON {
    // All values of the facets that are filtered by.
    let filtered = given.filter { !$0.values.isEmpty }.map(\.argument.attribute)
    var requests = [
      request("", [], counting: filtered, Self.maximumValueCount), request(question.text, []),
      request("", given), similarRequest(given), similarRequest([]),
    ]
    // The search without each of the filters.
    let positions = given.indices.prefix(Self.maximumFilterCount)
    for position in positions {
      var others = given
      let filter = others.remove(at: position)
      requests.append(
        request(question.text, others, counting: filter.isFacet ? [filter.argument.attribute] : []))
    }
    let pages: [HitsPage<Hit<JSON>>]
    do {
      pages = try await search.client.search(requests, options: options)
    } catch {
      // A key may allow the search and none of these.
      guard [.invalidRequest, .unauthorized, .rateLimited].contains(error.code) else { throw error }
      let hint = ToolHint(.noHits, "There are no hits. Use other words, or leave out filters.")
      return IndexSearch.output(page, hits: [], facets: [:], hints: [hint])
    }
    guard pages.count == requests.count else {
      throw SearchError(.decoding, "The response does not have one result for each query.")
    }
    let finding = Finding(
      all: pages[0], text: pages[1].nbHits, filters: pages[2].nbHits,
      similar: hasText ? pages[3].hits : [], similarOutside: hasText ? pages[4].hits : [],
      without: Dictionary(uniqueKeysWithValues: zip(positions, pages.dropFirst(5))))
    var facets: [String: JSON] = [:]
    let hints = hints(finding, &facets)
    let similar = finding.mostSimilar.map { JSON.object(ToolRecord($0, .hit).members) }
    return IndexSearch.output(page, hits: [], facets: facets, similarHits: similar, hints: hints)
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

  /// What the additional queries found.
  private struct Finding {
    /// All records, with the values of the facets that are filtered by.
    var all: HitsPage<Hit<JSON>>
    /// The number of records that match the text without filters.
    var text: Int
    /// The number of records that match the filters without text.
    var filters: Int
    /// Records that match the filters and have some of the words.
    var similar: [Hit<JSON>]
    /// Records that have some of the words, with any filters.
    var similarOutside: [Hit<JSON>]
    /// The search without one of the filters, by its position.
    var without: [Int: HitsPage<Hit<JSON>>]

    /// Whether records that do not match the filters have more of the words.
    var isBetterOutside: Bool { Self.words(in: similarOutside) > Self.words(in: similar) }

    /// The records that have most of the words.
    var mostSimilar: [Hit<JSON>] { isBetterOutside ? similarOutside : similar }

    private static func words(in hits: [Hit<JSON>]) -> Int {
      hits.first.map { $0.rankingInfo?.words ?? 1 } ?? 0
    }
  }

  /// Returns what to change.
  ///
  /// - Parameter facets: Receives the values that hints refer to.
  private func hints(_ finding: Finding, _ facets: inout [String: JSON]) -> [ToolHint] {
    guard finding.all.nbHits > 0 else { return [ToolHint(.noRecords, "There are no records.")] }
    var hints = unknownValues(in: finding.all.facets, &facets)
    if hasText, finding.text == 0 {
      hints.append(
        ToolHint(
          .unknownText, argument: "query",
          "No record matches the text\(given.isEmpty ? "" : ", with or without filters")."
            + " Use fewer or other words."
            + (finding.mostSimilar.isEmpty ? "" : " similarHits has records with some of them.")))
      if hints.count == 1, finding.isBetterOutside, let filter = given.first {
        hints.append(
          ToolHint(
            .filtersExclude, argument: filter.argument.name,
            "Records that do not match the filters have more of the words. Leave out "
              + given.map(\.argument.name).joined(separator: ", ") + "."))
      }
    }
    // A value that no record has excludes everything, with any text.
    if !hints.isEmpty || given.isEmpty { return hints }
    let helping = finding.without.filter { $0.value.nbHits > 0 }.sorted { first, second in
      (second.value.nbHits, first.key) < (first.value.nbHits, second.key)
    }
    for (position, page) in helping.prefix(3) {
      hints.append(exclusion(by: given[position], page, &facets))
    }
    if !hints.isEmpty { return hints }
    let names = given.map(\.argument.name).joined(separator: ", ")
    guard finding.filters == 0 else {
      return [
        ToolHint(
          .filtersExclude, argument: given.first?.argument.name,
          "\(finding.text) records match the text, and \(finding.filters) others the filters. Leave"
            + " out several of \(names), or use other words.")
      ]
    }
    return [
      ToolHint(
        .filtersMatchNothing, argument: given.first?.argument.name,
        "No record matches the filters, with any text. Leave out several of \(names).")
    ]
  }

  /// A hint for a filter without which there are hits.
  private func exclusion(
    by filter: FilterArguments.Given, _ page: HitsPage<Hit<JSON>>, _ facets: inout [String: JSON]
  ) -> ToolHint {
    var message = "Without \(filter.argument.name) there are \(page.nbHits) hits."
    if filter.isFacet {
      let attribute = filter.argument.attribute
      if let values = IndexSearch.values(of: page.facets)[attribute] { facets[attribute] = values }
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

  // MARK: Values

  /// A hint for each filter with a value that no record has.
  private func unknownValues(in facets: Facets, _ values: inout [String: JSON]) -> [ToolHint] {
    var hints: [ToolHint] = []
    for filter in given where !filter.values.isEmpty {
      let attribute = filter.argument.attribute
      let known = facets[attribute]?.values ?? []
      // Otherwise there are more values than these.
      guard known.count < Self.maximumValueCount else { continue }
      let folded = Set(known.map { $0.value.lowercased() })
      let unknown = filter.values.filter { !folded.contains($0.lowercased()) }
      if unknown.isEmpty { continue }
      let likely = SimilarValues.of(unknown, among: known)
      values[attribute] = IndexSearch.object(of: likely)
      hints.append(
        ToolHint(
          .unknownValue, argument: filter.argument.name,
          "No record has \(unknown.map(ToolArguments.quoted).joined(separator: ", ")) in"
            + " \(attribute). facets.\(attribute) has values like it; use one of them."))
    }
    return hints
  }
}

/// Values of a facet that are like a text.
enum SimilarValues {
  /// The most values that are returned.
  static let maximumCount = 10

  /// Returns the values that are like one of some texts, most alike first; the most frequent values
  /// if none is.
  static func of(_ texts: [String], among values: [FacetValue]) -> [FacetValue] {
    var ranked: [(rank: Int, value: FacetValue)] = []
    for value in values {
      let best = texts.map { rank(of: value.value, like: $0) }.min() ?? notAlike
      if best < notAlike { ranked.append((best, value)) }
    }
    if ranked.isEmpty { return Array(values.prefix(maximumCount)) }
    // Stable, so equally similar values stay in the order of their counts.
    let order = ranked.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    return order.prefix(maximumCount).map(\.element.value)
  }

  private static let notAlike = 100
  /// Longer texts are not compared letter by letter.
  private static let maximumLength = 40

  /// How far a value is from a text: 0 for the same letters, more for one that contains the other,
  /// shares its words, or differs in some letters.
  private static func rank(of value: String, like text: String) -> Int {
    let (value, text) = (letters(value), letters(text))
    if value == text { return 0 }
    if value.isEmpty || text.isEmpty { return notAlike }
    let (first, second) = (value.joined(), text.joined())
    if first == second { return 1 }
    if first.contains(second) || second.contains(first) { return 2 }
    let distance = changes(first, second)
    if distance <= max(1, min(first.count, second.count) / 3) { return 2 + distance }
    if !Set(value).isDisjoint(with: text) { return 20 }
    // One word begins like another: Sci-Fi and Science Fiction.
    for word in text where word.count >= 3 {
      if value.contains(where: { $0.hasPrefix(word) || word.hasPrefix($0) && $0.count >= 3 }) {
        return 30
      }
    }
    return notAlike
  }

  /// The words of a text in lower case.
  private static func letters(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The number of letters to change, add or remove; a large number for long texts.
  private static func changes(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard first.count <= maximumLength, second.count <= maximumLength else { return notAlike }
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let change = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
