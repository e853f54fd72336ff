@testable import InstantSearchAPI
@testable import LocalSearch

/// The comparison of one record with the query.
struct OracleMatch {
  /// A way to match consecutive query words at one cost, with its occurrences.
  struct Unit {
    var words: Range<Int>
    var cost: Int
    var occurrences: [(start: OracleDocument.Occurrence, span: Int)]
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

  /// The ranking values of the record, or `nil` if it does not match.
  var result: OracleSearch.Result? {
    var result = OracleSearch.Result(objectID: document.record.objectID)
    for exclusion in search.plan.exclusions {
      let isCharacter = OracleUnspaced.sequence(exclusion.words).isCharacter
      let found =
        isCharacter && exclusion.span == 0
        ? document.occurrences.filter { starts($0.word, exclusion.words[0]) }
        : document.sequences(exclusion.words, offsets: exclusion.offsets)
      if found.contains(where: { search.isSearched($0.path) }) { return nil }
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
    var chained: [Unit] = []
    for unit in cover where !chained.contains(where: { isRepetition(unit, of: $0) }) {
      chained.append(unit)
    }
    let best = chain(chained[...], before: nil)
    result.proximity = best.sum
    result.attributeKey =
      usesKeyOfNearest
      ? best.key : cover.flatMap { $0.occurrences.map { key($0.start) } }.min() ?? 0
    result.exact = exact
    return result
  }

  // MARK: Units

  private typealias Found = (cost: Int, start: OracleDocument.Occurrence, span: Int)

  /// The places of the synonyms of a range of words.
  private func synonyms(of range: Range<Int>) -> [Found] {
    search.alternatives.filter { $0.range == range }.flatMap { alternative in
      places(of: alternative.words).filter { search.isSearched($0.start.path) }.map {
        (alternative.cost, $0.start, $0.span)
      }
    }
  }

  /// The places of a row of words, each with the distance to its last position. A row of one
  /// character of a script without spaces begins words.
  private func places(
    of row: [String]
  ) -> [(start: OracleDocument.Occurrence, span: Int)] {
    let pairs = OracleUnspaced.sequence(row)
    guard !pairs.isCharacter else {
      return document.occurrences.filter { starts($0.word, row[0]) }.map { ($0, 0) }
    }
    return document.sequences(pairs.words, offsets: pairs.offsets).map { ($0, pairs.span) }
  }

  /// The places of the parts of a compound word, and of compound words with the word as a part.
  private func compounds(with word: QueryWord) -> [Found] {
    var found: [Found] = []
    let occurrences = document.occurrences.filter { search.isSearched($0.path) }
    for parts in search.compounds.parts(of: word).map(\.words) {
      let paths = parts.map { part in Set(occurrences.filter { $0.word == part }.map(\.path)) }
      let common = paths.dropFirst().reduce(paths[0]) { $0.intersection($1) }
      for occurrence in occurrences
      where common.contains(occurrence.path) && parts.contains(occurrence.word) {
        found.append((0, occurrence, 0))
      }
    }
    for occurrence in occurrences
    where search.compounds.place(of: word, in: occurrence.word, at: occurrence.path) != nil {
      found.append((0, occurrence, 0))
    }
    return found
  }

  private var units: [Unit] {
    var units: [Unit] = []
    for (index, word) in words.enumerated() where word.phrase == nil {
      var found: [Found] = synonyms(of: index..<index + 1)
      if OracleUnspaced.isUnspaced(word.word) {
        found += places(of: [word.word]).filter { search.isSearched($0.start.path) }
          .map { (0, $0.start, $0.span) }
        add(found, index..<index + 1, to: &units)
        continue
      }
      found += compounds(with: word)
      for occurrence in document.occurrences where search.isSearched(occurrence.path) {
        for cost in costs(of: word, at: occurrence) { found.append((cost, occurrence, 0)) }
      }
      if let parts = splits[index] {
        for occurrence in document.sequences(parts)
        where search.isSearched(occurrence.path) && search.allowsTypos(in: occurrence.path) {
          found.append((1, occurrence, 1))
        }
      }
      add(found, index..<index + 1, to: &units)
    }
    for phrase in search.phrases {
      let occurrences = document.sequences(phrase.sequence.words, offsets: phrase.sequence.offsets)
      add(
        occurrences.filter { search.isSearched($0.path) }.map {
          (0, $0, phrase.sequence.span)
        },
        phrase.range, to: &units)
    }
    var joined: [Range<Int>] = []
    for concatenation in WordConcatenation.all(of: search.words, options: search.plan.options) {
      joined.append(concatenation.range)
      var found: [Found] = synonyms(of: concatenation.range)
      for occurrence in document.occurrences
      where search.isSearched(occurrence.path) && search.allowsTypos(in: occurrence.path) {
        let isPrefix = concatenation.allowsPrefix && search.allowsPrefixes(in: occurrence.path)
        if occurrence.word == concatenation.word
          || (isPrefix && starts(occurrence.word, concatenation.word))
        {
          found.append((1, occurrence, 0))
        }
      }
      add(found, concatenation.range, to: &units)
    }
    for range in Set(search.alternatives.map(\.range))
    where range.count > 1 && !joined.contains(range) {
      add(synonyms(of: range), range, to: &units)
    }
    return units
  }

  private func add(
    _ found: [Found], _ words: Range<Int>, to units: inout [Unit]
  ) {
    guard let cost = found.map(\.cost).min() else { return }
    units.append(
      Unit(
        words: words, cost: cost,
        occurrences: found.filter { $0.cost == cost }.map { ($0.start, $0.span) }))
  }

  private func costs(of word: QueryWord, at occurrence: OracleDocument.Occurrence) -> [Int] {
    let isPrefix = word.allowsPrefix && search.allowsPrefixes(in: occurrence.path)
    let allowsTypos = search.allowsTypos(in: occurrence.path)
    var costs: [Int] = []
    if let cost = DamerauLevenshtein.cost(
      word.scalars, occurrence.word.unicodeScalars.map(\.value), maximumTypos: word.maximumTypos,
      matchesPrefixes: isPrefix), cost == 0 || allowsTypos
    {
      costs.append(cost)
    }
    if let part = word.longPart, word.allowsSplitting, allowsTypos,
      occurrence.word == part || (isPrefix && starts(occurrence.word, part))
    {
      costs.append(1)
    }
    return costs
  }

  private func starts(_ word: String, _ prefix: String) -> Bool {
    word.unicodeScalars.starts(with: prefix.unicodeScalars)
  }

  /// The cheapest units that cover all words that can be covered; of equal ones the fewest, and
  /// then the earlier in the list.
  private func cover(_ units: [Unit], upTo end: Int) -> [Unit] {
    guard end > 0 else { return [] }
    var best: [Unit]?
    for unit in units where unit.words.contains(end - 1) {
      let candidate = cover(units, upTo: unit.words.lowerBound) + [unit]
      let isBetter = best.map { (cost(candidate), candidate.count) < (cost($0), $0.count) }
      if isBetter ?? true { best = candidate }
    }
    return best ?? cover(units, upTo: end - 1)
  }

  private func cost(_ units: [Unit]) -> Int { units.reduce(0) { $0 + $1.cost } }

  // MARK: Proximity

  /// Whether a unit is the same word, or the same phrase, at a later place of the query.
  private func isRepetition(_ unit: Unit, of other: Unit) -> Bool {
    let (word, earlier) = (words[unit.words.lowerBound], words[other.words.lowerBound])
    let phrases = search.phrases
    if let phrase = word.phrase {
      return earlier.phrase.map { phrases[$0].sequence } == phrases[phrase].sequence
    }
    return unit.words.count == 1 && other.words.count == 1 && earlier.phrase == nil
      && word.word == earlier.word && word.longPart == earlier.longPart
      && word.allowsPrefix == earlier.allowsPrefix
      && word.allowsSplitting == earlier.allowsSplitting
      && word.maximumTypos == earlier.maximumTypos
  }

  private var minimumProximity: Int { search.query.minProximity ?? search.settings.minProximity }

  private var usesKeyOfNearest: Bool {
    let ranking = search.query.ranking ?? search.settings.ranking
    let attribute = ranking.firstIndex(of: "attribute") ?? .max
    let proximity = ranking.firstIndex(of: "proximity") ?? .max
    return search.query.attributeCriteriaComputedByMinProximity
      ?? search.settings.attributeCriteriaComputedByMinProximity || proximity < attribute
  }

  private func key(_ occurrence: OracleDocument.Occurrence) -> Int {
    occurrence.rank << 20 | (occurrence.isOrdered ? occurrence.position : 0)
  }

  /// Tries every choice of one occurrence per unit.
  private func chain(
    _ units: ArraySlice<Unit>,
    before: (unit: Unit, occurrence: (start: OracleDocument.Occurrence, span: Int))?
  ) -> (sum: Int, key: Int) {
    guard let unit = units.first else { return (0, .max) }
    var best = (sum: Int.max, key: Int.max)
    let step = max(1, minimumProximity)
    for occurrence in unit.occurrences {
      var sum = (unit.words.count - 1) * step
      if let before {
        if unit.words.lowerBound < before.unit.words.upperBound {
          sum = max(0, unit.words.upperBound - before.unit.words.upperBound) * step
        } else {
          sum += max(minimumProximity, distance(before.occurrence, occurrence))
        }
      }
      let rest = chain(units.dropFirst(), before: (unit, occurrence))
      let candidate = (sum: sum + rest.sum, key: min(key(occurrence.start), rest.key))
      if candidate < best { best = candidate }
    }
    return best
  }

  private func distance(
    _ left: (start: OracleDocument.Occurrence, span: Int),
    _ right: (start: OracleDocument.Occurrence, span: Int)
  ) -> Int {
    guard left.start.path == right.start.path else { return 8 }
    let forward = right.start.position - (left.start.position + left.span)
    if forward > 0 { return min(8, forward) }
    return min(8, max(0, left.start.position - (right.start.position + right.span)) + 1)
  }

  // MARK: Exact

  /// The synonyms by which a word is exact.
  private func exactSynonyms(of word: Int) -> [[String]] {
    search.alternatives.filter { $0.isExact && $0.range.contains(word) }.map(\.words)
  }

  /// The places of whole words, where they are exact. A character of a script without spaces is
  /// one at the end of a run.
  private func exactPlaces(of row: [String]) -> [OracleDocument.Occurrence] {
    let pairs = OracleUnspaced.sequence(row)
    return document.sequences(pairs.words, offsets: pairs.offsets).filter {
      search.allowsExact(in: $0.path)
    }
  }

  private var exact: Int {
    if words.count == 1 {
      let texts = [words[0].word] + exactSynonyms(of: 0).filter { $0.count == 1 }.joined()
      let occurrences = texts.flatMap { exactPlaces(of: [$0]) }
      switch search.query.exactOnSingleWordQuery ?? search.settings.exactOnSingleWordQuery {
      case .none: return 0
      case .word:
        let isFound =
          !occurrences.isEmpty || exactSynonyms(of: 0).contains { !exactPlaces(of: $0).isEmpty }
        let isStopWord =
          search.query.queryLanguages?.contains(OracleWorld.language) == true
          && OracleWorld.stopWords.contains(words[0].word)
        return isFound && words[0].scalars.count >= 3 && !isStopWord ? 1 : 0
      default: return occurrences.contains(where: \.isWholeValue) ? 1 : 0
      }
    }
    var count = 0
    for (index, word) in words.enumerated() where word.phrase == nil {
      let rows = [[word.word]] + exactSynonyms(of: index)
      if rows.contains(where: { !exactPlaces(of: $0).isEmpty }) { count += 1 }
    }
    for phrase in search.phrases {
      let occurrences = document.sequences(phrase.sequence.words, offsets: phrase.sequence.offsets)
      if occurrences.contains(where: { search.allowsExact(in: $0.path) }) {
        count += phrase.range.count
      }
    }
    return count
  }
}
