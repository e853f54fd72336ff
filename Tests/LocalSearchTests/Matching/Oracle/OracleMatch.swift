import AsyncInstantSearch
import LocalSearch

/// One record compared with the query.
struct OracleMatch {
  /// A way to match a run of query words at one cost, and where.
  struct Unit {
    var words: Range<Int>
    var cost: Int
    var spots: [(place: OracleDocument.Place, span: Int)]
  }

  let search: OracleSearch
  let document: OracleDocument
  let words: [QueryWord]
  let splits: [Int: [String]]

  init(
    _ search: OracleSearch, _ document: OracleDocument, words: [QueryWord], splits: [Int: [String]]
  ) {
    self.search = search
    self.document = document
    self.words = words
    self.splits = splits
  }

  /// What the record is ranked by, or `nil` if it does not match.
  var result: OracleSearch.Result? {
    var result = OracleSearch.Result(objectID: document.record.objectID)
    for exclusion in search.plan.exclusions
    where !document.sequences(exclusion.words, offsets: exclusion.offsets).filter({
      search.isSearched($0.path)
    }).isEmpty {
      return nil
    }
    guard !words.isEmpty else { return result }
    let units = self.units
    let matched = Set(units.flatMap { Array($0.words) })
    let required = words.indices.filter { !words[$0].isOptional }
    guard required.isEmpty ? !matched.isEmpty : required.allSatisfy(matched.contains) else {
      return nil
    }
    let cover = self.cover(units, upTo: words.count)
    result.typos = cover.reduce(0) { $0 + $1.cost }
    result.words = matched.count
    let best = chain(cover[...], before: nil)
    result.proximity = best.sum
    result.place =
      isPlaceOfNearest ? best.key : cover.flatMap { $0.spots.map { key($0.place) } }.min() ?? 0
    result.exact = exact
    return result
  }

  // MARK: Units

  private var units: [Unit] {
    var units: [Unit] = []
    for (index, word) in words.enumerated() where word.phrase == nil {
      var found: [(cost: Int, place: OracleDocument.Place, span: Int)] = []
      for place in document.places where search.isSearched(place.path) {
        for cost in costs(of: word, at: place) { found.append((cost, place, 0)) }
      }
      if let parts = splits[index] {
        for place in document.sequences(parts)
        where search.isSearched(place.path) && search.allowsTypos(in: place.path) {
          found.append((1, place, 1))
        }
      }
      add(found, index..<index + 1, to: &units)
    }
    for phrase in search.plan.phrases {
      let places = document.sequences(phrase.sequence.words, offsets: phrase.sequence.offsets)
      add(
        places.filter { search.isSearched($0.path) }.map {
          (0, $0, phrase.sequence.offsets.last ?? 0)
        },
        phrase.range, to: &units)
    }
    for concatenation in search.plan.concatenations {
      var found: [(cost: Int, place: OracleDocument.Place, span: Int)] = []
      for place in document.places
      where search.isSearched(place.path) && search.allowsTypos(in: place.path) {
        let isPrefix = concatenation.allowsPrefix && search.allowsPrefixes(in: place.path)
        if place.word == concatenation.word || (isPrefix && starts(place.word, concatenation.word))
        {
          found.append((1, place, 0))
        }
      }
      add(found, concatenation.range, to: &units)
    }
    return units
  }

  private func add(
    _ found: [(cost: Int, place: OracleDocument.Place, span: Int)], _ words: Range<Int>,
    to units: inout [Unit]
  ) {
    guard let cost = found.map(\.cost).min() else { return }
    units.append(
      Unit(
        words: words, cost: cost,
        spots: found.filter { $0.cost == cost }.map { ($0.place, $0.span) }))
  }

  private func costs(of word: QueryWord, at place: OracleDocument.Place) -> [Int] {
    let isPrefix = word.allowsPrefix && search.allowsPrefixes(in: place.path)
    let allowsTypos = search.allowsTypos(in: place.path)
    var costs: [Int] = []
    if let cost = DamerauLevenshtein.cost(
      word.scalars, place.word.unicodeScalars.map(\.value), maximumTypos: word.maximumTypos,
      matchesPrefixes: isPrefix), cost == 0 || allowsTypos
    {
      costs.append(cost)
    }
    if let part = word.longPart, word.allowsSplitting, allowsTypos,
      place.word == part || (isPrefix && starts(place.word, part))
    {
      costs.append(1)
    }
    return costs
  }

  private func starts(_ word: String, _ prefix: String) -> Bool {
    word.unicodeScalars.starts(with: prefix.unicodeScalars)
  }

  /// The cheapest units that cover all words that can be covered; of equal ones the earlier in the
  /// list.
  private func cover(_ units: [Unit], upTo end: Int) -> [Unit] {
    guard end > 0 else { return [] }
    var best: [Unit]?
    for unit in units where unit.words.contains(end - 1) {
      let candidate = cover(units, upTo: unit.words.lowerBound) + [unit]
      if best == nil || cost(candidate) < cost(best ?? []) { best = candidate }
    }
    return best ?? cover(units, upTo: end - 1)
  }

  private func cost(_ units: [Unit]) -> Int { units.reduce(0) { $0 + $1.cost } }

  // MARK: Places

  private var minimumProximity: Int { search.query.minProximity ?? search.settings.minProximity }

  private var isPlaceOfNearest: Bool {
    let ranking = search.settings.ranking
    let attribute = ranking.firstIndex(of: "attribute") ?? .max
    let proximity = ranking.firstIndex(of: "proximity") ?? .max
    return search.settings.attributeCriteriaComputedByMinProximity || proximity < attribute
  }

  private func key(_ place: OracleDocument.Place) -> Int {
    place.rank << 20 | (place.isOrdered ? place.position : 0)
  }

  /// Tries every choice of one place per unit.
  private func chain(
    _ units: ArraySlice<Unit>,
    before: (unit: Unit, spot: (place: OracleDocument.Place, span: Int))?
  ) -> (sum: Int, key: Int) {
    guard let unit = units.first else { return (0, .max) }
    var best = (sum: Int.max, key: Int.max)
    let step = max(1, minimumProximity)
    for spot in unit.spots {
      var sum = (unit.words.count - 1) * step
      if let before {
        if unit.words.lowerBound < before.unit.words.upperBound {
          sum = max(0, unit.words.upperBound - before.unit.words.upperBound) * step
        } else {
          sum += max(minimumProximity, distance(before.spot, spot))
        }
      }
      let rest = chain(units.dropFirst(), before: (unit, spot))
      let candidate = (sum: sum + rest.sum, key: min(key(spot.place), rest.key))
      if candidate < best { best = candidate }
    }
    return best
  }

  private func distance(
    _ left: (place: OracleDocument.Place, span: Int),
    _ right: (place: OracleDocument.Place, span: Int)
  ) -> Int {
    guard left.place.path == right.place.path else { return 8 }
    let forward = right.place.position - (left.place.position + left.span)
    if forward > 0 { return min(8, forward) }
    return min(8, max(0, left.place.position - (right.place.position + right.span)) + 1)
  }

  // MARK: Exact

  private var exact: Int {
    if words.count == 1 {
      let places = document.sequences([words[0].word]).filter { search.allowsExact(in: $0.path) }
      switch search.query.exactOnSingleWordQuery ?? search.settings.exactOnSingleWordQuery {
      case .none: return 0
      case .word: return !places.isEmpty && words[0].scalars.count >= 3 ? 1 : 0
      default: return places.contains(where: \.isWholeValue) ? 1 : 0
      }
    }
    var count = 0
    for word in words where word.phrase == nil {
      if document.places.contains(where: { $0.word == word.word && search.allowsExact(in: $0.path) }
      ) {
        count += 1
      }
    }
    for phrase in search.plan.phrases {
      let places = document.sequences(phrase.sequence.words, offsets: phrase.sequence.offsets)
      if places.contains(where: { search.allowsExact(in: $0.path) }) { count += phrase.range.count }
    }
    return count
  }
}

/// The order of results, criterion by criterion.
struct OracleOrder {
  private let ranking: [String]
  private let custom: [String]
  private let hasWords: Bool

  init(_ search: OracleSearch) {
    var ranking = search.query.ranking ?? search.settings.ranking
    let tolerance = search.query.typoTolerance ?? search.settings.typoTolerance
    if tolerance == .min || tolerance == .strict {
      ranking = ["typo"] + ranking.filter { $0 != "typo" }
    }
    self.ranking = ranking
    custom = search.settings.customRanking
    hasWords = !search.plan.words.isEmpty
  }

  func precedes(
    _ left: (OracleDocument, OracleSearch.Result), _ right: (OracleDocument, OracleSearch.Result)
  ) -> Bool {
    for criterion in ranking {
      for (first, second) in zip(keys(criterion, left), keys(criterion, right))
      where first != second {
        return first < second
      }
    }
    return Array(left.1.objectID.utf8).lexicographicallyPrecedes(Array(right.1.objectID.utf8))
  }

  private func keys(_ criterion: String, _ item: (OracleDocument, OracleSearch.Result)) -> [Int] {
    switch criterion {
    case "typo": [item.1.typos]
    case "words": [-item.1.words]
    case "proximity": [item.1.proximity]
    case "attribute": [item.1.place]
    case "exact": [-item.1.exact]
    case "custom": custom.flatMap { keys($0, item) }
    case "asc(score)": [item.0.record.score ?? .max]
    case "desc(score)": [item.0.record.score.map { -$0 } ?? .max]
    case "desc(rank)": [item.0.record.rank.map { -$0 } ?? .max]
    default: []
    }
  }
}
