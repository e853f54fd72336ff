import InstantSearchAPI
import InstantSearchJSON

extension SearchExecution {
  /// Explains the search for some records.
  func explain(_ objectIDs: [String]) throws -> [Explanation] {
    let (records, radius) = try matchedRecords()
    let ranked = try ranked(records, limit: nil)
    var places: [DocumentPlace: Int] = [:]
    for (place, record) in ranked.enumerated() {
      try cancellation.count(element: place)
      places[DocumentPlace(record)] = place
    }
    let explainer = try SearchExplainer(
      finished: self, records: records, ranked: ranked, automaticRadius: radius,
      groups: search.hitsPerGroup > 0 ? ExplainedGroups(ranked, self) : nil)
    return try objectIDs.map { objectID in
      guard let (segment, document) = snapshot.locate(objectID: objectID) else {
        return Explanation(objectID: objectID, obstacle: .noRecord, ranking: nil)
      }
      let place = places[DocumentPlace(segment: segment, document: document)]
      return try explainer.explanation(objectID, segment, document, place: place)
    }
  }

}

/// Reads why records rank where they do from the results of a search.
struct SearchExplainer {
  let finished: SearchExecution
  let records: MatchedRecords
  let ranked: [RankedDocument]
  let automaticRadius: Int?
  let groups: ExplainedGroups?

  var snapshot: IndexSnapshot { finished.snapshot }
  var search: ResolvedSearch { finished.search }
  var plan: QueryPlan { records.plan }
  var cancellation: CancellationCheck { finished.cancellation }

  func explanation(
    _ objectID: String, _ segment: Int, _ document: Int, place: Int?
  ) throws -> Explanation {
    guard let place else {
      return Explanation(
        objectID: objectID, obstacle: try obstacle(segment, document), ranking: nil)
    }
    return Explanation(
      objectID: objectID, obstacle: try pageObstacle(place), ranking: try ranking(place))
  }

  // MARK: Matching records

  private func objectID(_ record: RankedDocument) -> String {
    snapshot.objectID(segment: record.segment, document: record.document)
  }

  /// Returns what keeps a matching record off the page.
  private func pageObstacle(_ place: Int) throws -> Explanation.Obstacle? {
    let record = ranked[place]
    var shown = place
    var count = ranked.count
    if let groups {
      count = groups.groups.count
      guard let place = groups.place(of: record) else {
        return .distinct(of: groups.best(inGroupOf: record).map { objectID($0) } ?? "")
      }
      shown = place
    }
    if shown >= search.paginationLimit {
      return .paginationLimit(place: shown, limit: search.paginationLimit)
    }
    let page = search.pagination.range(of: count, limit: search.paginationLimit)
    return page.contains(shown) ? nil : .page(place: shown)
  }

  private func ranking(_ place: Int) throws -> Explanation.Ranking {
    let record = ranked[place]
    let criteria = try criteria(of: record)
    // Records that `distinct` removes are no hits.
    let before = groups.map { $0.hitBefore[place] } ?? place - 1
    let previous = before >= 0 ? try previous(to: criteria, ranked[before]) : nil
    return Explanation.Ranking(
      place: place, criteria: criteria, words: try words(of: record),
      filters: try filters(of: record), previous: previous)
  }

  private func previous(
    to criteria: [Explanation.Criterion], _ other: RankedDocument
  ) throws -> Explanation.Previous {
    let others = try self.criteria(of: other)
    let different = zip(criteria, others).first { !Self.isSame($0.value, $1.value) }?.1
    return Explanation.Previous(objectID: objectID(other), criterion: different)
  }

  /// Whether the ranking takes two values for one. It compares the bytes of texts.
  private static func isSame(_ left: JSON, _ right: JSON) -> Bool {
    guard let left = left.stringValue, let right = right.stringValue else { return left == right }
    return left.utf8.elementsEqual(right.utf8)
  }

  /// Returns the values that the ranking compared.
  private func criteria(of record: RankedDocument) throws -> [Explanation.Criterion] {
    let options = RankingOptions(query: search.query, settings: search.settings)
    let features = record.features
    var result: [Explanation.Criterion] = []
    func add(_ name: String, _ value: Int?, isDescending: Bool = false) {
      result.append(
        Explanation.Criterion(
          name: name, value: value.map { .int(Int64($0)) } ?? .null, isDescending: isDescending))
    }
    func add(_ sort: SortCriterion) throws {
      let value = try snapshot.segments[record.segment].segment.attributes.rankingValue(
        of: sort.attribute, document: record.document, cancellation)
      result.append(
        Explanation.Criterion(
          name: "\(sort.isAscending ? "asc" : "desc")(\(sort.attribute))", value: value.json,
          isDescending: !sort.isAscending))
    }
    let hasWords = !plan.words.isEmpty
    for criterion in options.criteria where hasWords || !criterion.isTextual {
      switch criterion {
      case .typo: add("typo", features.typos)
      case .geo: if search.geo?.circle != nil { add("geo", features.geoDistance) }
      case .words: add("words", features.words, isDescending: true)
      case .filters: add("filters", features.filters, isDescending: true)
      case .proximity: add("proximity", features.proximity)
      case .attribute: add("attribute", features.attributeKey)
      case .exact: add("exact", features.exact, isDescending: true)
      case .sort(let sort): try add(sort)
      case .custom: for sort in options.customRanking { try add(sort) }
      }
    }
    return result
  }

  /// Returns the filters with a score that a record matches.
  private func filters(of record: RankedDocument) throws -> [String] {
    let evaluator = FilterEvaluator(
      segment: snapshot.segments[record.segment].segment, numericDeclarations: search.numbers,
      cancellation: cancellation)
    return try (search.filters.required + search.filters.optional).filter {
      try evaluator.documents($0)[record.document]
    }.map(\.text)
  }

  // MARK: Words

  /// The maximum number of matches that an explanation lists for a word of the query.
  private static let maximumWordCount = 20

  /// Returns the words that the cheapest alternatives match.
  private func words(of record: RankedDocument) throws -> [Explanation.MatchedWord] {
    let view = snapshot.segments[record.segment]
    let lookup = try WordLookup(options: plan.options, segment: view.segment, cancellation)
    let document = UInt32(truncatingIfNeeded: record.document)
    let matcher = records.segments[record.segment].matcher
    let costs = try matcher.leastCosts(of: document, cancellation)
    var cover = WordCover(wordCount: plan.words.count, units: matcher.units)
    cover.choose { unit in
      costs[unit] ?? MatchLevels.absent
    }
    var result: [Explanation.MatchedWord] = []
    for unit in cover.units {
      let range = matcher.units[unit].words
      let cost = costs[unit]
      guard let span = plan.graph.spans.first(where: { $0.places.contains(range) }) else {
        continue
      }
      // Several sources can have a word.
      var words: Set<Explanation.MatchedWord> = []
      for alternative in span.alternatives {
        for source in try lookup.sources(of: alternative)
        where cost == UInt8(clamping: source.typos) {
          for match in try source.occurrences(in: document, cancellation) {
            let texts =
              source.isSequence
              ? alternative.target.words : [view.segment.text.terms.word(of: match.term)]
            words.insert(
              Explanation.MatchedWord(
                query: plan.words[range].map(\.word),
                kind: source.typos > alternative.cost ? "typo" : alternative.kind.contractName,
                typos: source.typos, words: texts,
                attribute: view.segment.text.fields[match.occurrence.field].path,
                position: match.occurrence.position))
          }
        }
      }
      // In an order that does not depend on the segments.
      var found = Array(words)
      try cancellation.sort(&found) {
        ($0.attribute, $0.position, $0.kind, $0.words.joined(separator: " "))
          < ($1.attribute, $1.position, $1.kind, $1.words.joined(separator: " "))
      }
      result += found.prefix(Self.maximumWordCount)
    }
    return result
  }
}

extension RankingValue {
  /// The value as JSON; `null` if it is missing.
  fileprivate var json: JSON {
    switch self {
    case .missing: .null
    case .bool(let value): .bool(value)
    case .number(let value): .double(value)
    case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}
