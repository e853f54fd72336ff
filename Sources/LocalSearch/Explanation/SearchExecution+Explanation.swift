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
      groups: search.hitsPerGroup > 0
        ? DistinctGroups(
          ranked, size: search.hitsPerGroup, numbering: snapshot.groups(cancellation),
          cancellation) : nil)
    return try objectIDs.map { objectID in
      guard let (segment, document) = snapshot.locate(objectID: objectID) else {
        return Explanation(objectID: objectID, obstacle: .noRecord, ranking: nil)
      }
      let place = places[DocumentPlace(segment: segment, document: document)]
      return try explainer.explanation(objectID, segment, document, place: place)
    }
  }

  private struct DocumentPlace: Hashable {
    let segment: Int
    let document: Int

    init(segment: Int, document: Int) { (self.segment, self.document) = (segment, document) }
    init(_ record: RankedDocument) {
      (segment, document) = (record.segment, record.document)
    }
  }
}

/// Reads why records rank where they do from the results of a search.
private struct SearchExplainer {
  let finished: SearchExecution
  let records: MatchedRecords
  let ranked: [RankedDocument]
  let automaticRadius: Int?
  let groups: DistinctGroups?

  private var snapshot: IndexSnapshot { finished.snapshot }
  private var search: ResolvedSearch { finished.search }
  private var plan: QueryPlan { records.plan }
  private var cancellation: CancellationCheck { finished.cancellation }

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
      count = groups.count
      func isSame(_ other: RankedDocument) -> Bool {
        other.segment == record.segment && other.document == record.document
      }
      let number = (0..<count).first { groups[$0..<$0 + 1].contains { isSame($0.record) } }
      guard let number else {
        let numbering = try snapshot.groups(cancellation)
        let group = numbering.group(segment: record.segment, document: record.document)
        let better = groups.all.first {
          numbering.group(segment: $0.record.segment, document: $0.record.document) == group
        }
        return .distinct(of: better.map { objectID($0.record) } ?? "")
      }
      shown = number
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
    let previous = try place > 0 ? previous(to: criteria, ranked[place - 1]) : nil
    return Explanation.Ranking(
      place: place, criteria: criteria, words: try words(of: record),
      filters: try filters(of: record), previous: previous)
  }

  private func previous(
    to criteria: [Explanation.Criterion], _ other: RankedDocument
  ) throws -> Explanation.Previous {
    let others = try self.criteria(of: other)
    let different = zip(criteria, others).first { $0.value != $1.value }?.1
    return Explanation.Previous(objectID: objectID(other), criterion: different)
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

  /// Returns the words that the cheapest alternatives match.
  private func words(of record: RankedDocument) throws -> [Explanation.MatchedWord] {
    let view = snapshot.segments[record.segment]
    let lookup = try WordLookup(options: plan.options, segment: view.segment, cancellation)
    let document = UInt32(truncatingIfNeeded: record.document)
    let matcher = records.segments[record.segment].matcher
    var cover = WordCover(wordCount: plan.words.count, units: matcher.units)
    cover.choose { unit in
      matcher.expansions[matcher.units[unit].expansion].cost(of: document) ?? MatchLevels.absent
    }
    var result: [Explanation.MatchedWord] = []
    for unit in cover.units {
      let range = matcher.units[unit].words
      let cost = matcher.expansions[matcher.units[unit].expansion].cost(of: document)
      guard let span = plan.graph.spans.first(where: { $0.places.contains(range) }) else {
        continue
      }
      for alternative in span.alternatives {
        for source in try lookup.sources(of: alternative)
        where cost == UInt8(clamping: source.typos) {
          guard let found = source.firstOccurrence(in: document) else { continue }
          let texts =
            source.isSequence
            ? alternative.target.words : [view.segment.text.terms.word(of: found.term)]
          result.append(
            Explanation.MatchedWord(
              query: plan.words[range].map(\.word), kind: alternative.kind.rawValue,
              typos: source.typos, words: texts,
              attribute: view.segment.text.fields[found.occurrence.field].path,
              position: found.occurrence.position))
        }
      }
    }
    return result
  }

  // MARK: Records that do not match

  /// Returns what kept a record out, in the order of the search.
  private func obstacle(_ segment: Int, _ document: Int) throws -> Explanation.Obstacle {
    let view = snapshot.segments[segment]
    let evaluator = FilterEvaluator(
      segment: view.segment, numericDeclarations: search.numbers, cancellation: cancellation)
    for filter in search.filters.required where try !evaluator.documents(filter)[document] {
      return .filter(filter.text)
    }
    if let geo = search.geo {
      let near = try geo.documents(
        in: view.segment.attributes.geo, count: view.segment.count, cancellation)
      if !near[document] { return .place }
    }
    let number = UInt32(truncatingIfNeeded: document)
    let lookup = try WordLookup(options: plan.options, segment: view.segment, cancellation)
    for exclusion in plan.exclusions {
      let sources = try lookup.sources(excluding: exclusion)
      if sources.contains(where: { $0.firstOccurrence(in: number) != nil }) {
        return .excluded(exclusion.words.joined(separator: " "))
      }
    }
    let matcher = records.segments[segment].matcher
    let costs = matcher.units.map { matcher.expansions[$0.expansion].cost(of: number) }
    var matchedWords: Set<Int> = []
    for (unit, cost) in zip(matcher.units, costs) where cost != nil {
      matchedWords.formUnion(unit.words)
    }
    for (index, word) in plan.words.enumerated()
    where !word.isOptional && !matchedWords.contains(index) {
      return try missing(word.word, view, document)
    }
    if matchedWords.count < max(records.requiredWordCount, plan.words.isEmpty ? 0 : 1) {
      if matchedWords.isEmpty, plan.words.count == 1 {
        return try missing(plan.words[0].word, view, document)
      }
      return .tooFewWords(matchedWords.count, required: max(1, records.requiredWordCount))
    }
    if let allowed = records.maximumTypos {
      var cover = WordCover(wordCount: plan.words.count, units: matcher.units)
      cover.choose { costs[$0] ?? MatchLevels.absent }
      if cover.cost > allowed { return .typos(cover.cost, allowed: allowed) }
    }
    return .automaticRadius(automaticRadius ?? 0)
  }

  /// Describes a word that nothing in a record matches.
  private func missing(
    _ word: String, _ view: SegmentView, _ document: Int
  ) throws -> Explanation.Obstacle {
    guard
      let root = try cancellation.record(view.segment.records.bytes(of: document))
    else { return .word(word, nearest: nil, attribute: nil) }
    let tokenizer = try snapshot.tokenizer(cancellation)
    let lists = try snapshot.lists(cancellation)
    var words: Set<String> = []
    var unsearched: String?
    func read(_ node: JSONNode, _ path: String) throws {
      try cancellation.count()
      switch node.kind {
      case .object:
        for member in node.currentMembers {
          try read(member.value, path.isEmpty ? member.key : path + "." + member.key)
        }
      case .array: for element in node.elements { try read(element, path) }
      case .string:
        let found = try tokenizer.tokens(of: node.string ?? "", cancellation).map(\.word)
        let isSearched =
          try lists.searchable.role(of: path, cancellation) != nil
          && plan.options.restrictedAttributes.covers(path, cancellation)
        if isSearched {
          words.formUnion(found)
        } else if unsearched == nil, found.contains(word) {
          unsearched = path
        }
      default: break
      }
    }
    try read(root, "")
    let nearest = NearestName.find(word, among: words.sorted()) { _ in true }
    return .word(word, nearest: nearest, attribute: unsearched)
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

extension Expansion {
  /// The least cost in a document, or `nil` if it does not match.
  fileprivate func cost(of document: UInt32) -> UInt8? {
    sources.first { $0.firstOccurrence(in: document) != nil }.map { UInt8(clamping: $0.typos) }
  }
}

extension PostingSource {
  /// Returns the first occurrence in a document, and its term.
  func firstOccurrence(in document: UInt32) -> (occurrence: Occurrence, term: Int)? {
    for term in terms {
      let range = lists.postings(of: term)
      let posting = lists.firstPosting(in: range, notBefore: document)
      guard posting < range.upperBound, lists.documents[posting] == document else { continue }
      var first: Occurrence?
      lists.forEachOccurrence(in: lists.encodedOccurrences[posting]) { occurrence in
        if first == nil, fields?[occurrence.field] ?? true { first = occurrence }
      }
      if let first { return (first, term) }
    }
    return nil
  }
}
