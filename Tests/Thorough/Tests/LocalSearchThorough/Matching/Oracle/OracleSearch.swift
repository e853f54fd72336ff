@testable import InstantSearchAPI
@testable import LocalSearch

/// A naive search: every rule applied to every word of every record, without index or pruning.
struct OracleSearch {
  let settings: IndexSettings
  let query: SearchQuery
  /// The text as it was typed, with its stop words.
  let plan: QueryPlan
  /// The words without stop words, and the phrases among them.
  let words: [QueryWord]
  let phrases: [QueryPhrase]
  let documents: [OracleDocument]
  let compounds: OracleCompounds
  /// The synonyms of the words.
  let alternatives: [OracleSynonyms.Alternative]
  /// What else the search asks for.
  var conditions = Conditions()

  /// The conditions and the order of a search that do not depend on its words.
  struct Conditions {
    var isAllowed: (OracleDocument) -> Bool = { _ in true }
    var filterScore: (OracleDocument) -> Int = { _ in 0 }
    /// The distance in steps, or `nil` without a point to rank by.
    var distance: ((OracleDocument) -> [Int])?
  }

  typealias Result = EngineSearch.Result

  init(
    _ records: [OracleRecord], query: SearchQuery, settings: IndexSettings,
    synonyms: [Synonym] = []
  ) throws {
    try self.init(
      documents: records.map { try OracleDocument($0, settings: settings) }, query: query,
      settings: settings, synonyms: synonyms)
  }

  init(
    documents: [OracleDocument], query: SearchQuery, settings: IndexSettings,
    synonyms: [Synonym] = []
  ) throws {
    self.query = query
    self.settings = settings
    self.documents = documents
    compounds = OracleCompounds(
      query, settings, vocabulary: Set(documents.flatMap { $0.occurrences.map(\.word) }))
    var typed = query
    typed.removeStopWords = false
    plan = try QueryPlan(query: typed, settings: settings, cancellation: CancellationCheck())
    let found = try OracleSynonyms(synonyms, settings: settings)
      .alternatives(of: plan.words, query)
    let dictionary = OracleDictionary(query, settings)
    let typedWords = plan.words
    let kept = dictionary.kept(typedWords, among: found)
    words = kept.map { typedWords[$0] }
    // The place of each word among the ones that stay.
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    func moved(_ range: Range<Int>) -> Range<Int>? {
      guard let first = places[range.lowerBound], let last = places[range.upperBound - 1] else {
        return nil
      }
      return first..<last + 1
    }
    phrases = plan.phrases.compactMap { phrase in
      moved(phrase.range).map { QueryPhrase(range: $0, sequence: phrase.sequence) }
    }
    alternatives =
      dictionary.forms(of: words)
      + compounds.joined(words).map {
        OracleSynonyms.Alternative(
          range: $0.range, words: [$0.word], cost: 0, isExact: false, replacement: nil)
      }
      + found.compactMap { alternative in
        moved(alternative.range).map { range in
          var result = alternative
          result.range = range
          return result
        }
      }
  }

  /// All matching records in order.
  func results() -> [Result] { found().items.map(\.result) }

  /// All matching records in order, and the words that were removed to find some.
  func found() -> (items: [(document: OracleDocument, result: Result)], removed: [Int]) {
    let splits = chosenSplits()
    var words = words
    func matching(_ words: [QueryWord]) -> [(document: OracleDocument, result: Result)] {
      documents.filter(conditions.isAllowed).compactMap { document in
        OracleMatch(self, document, words: words, splits: splits).result.map { (document, $0) }
      }
    }
    var found = matching(words)
    var removed: [Int] = []
    for removal in removals() where found.isEmpty {
      removed = removal
      for word in removal { words[word].isOptional = true }
      found = matching(words)
    }
    let tolerance = query.typoTolerance ?? settings.typoTolerance
    if tolerance == .min || tolerance == .strict, !words.isEmpty {
      let kept = Set(found.map(\.result.typos)).sorted().prefix(tolerance == .min ? 1 : 2)
      found = found.filter { kept.contains($0.result.typos) }
    }
    let order = OracleOrder(self)
    return (found.sorted { order.precedes($0, $1) }, removed)
  }

  private func removals() -> [[Int]] {
    let all = Array(words.indices)
    switch query.removeWordsIfNoResults ?? settings.removeWordsIfNoResults {
    case .allOptional: return [all]
    case .lastWords: return all.indices.dropFirst().prefix(5).map { Array(all.suffix($0)) }
    case .firstWords: return all.indices.dropFirst().prefix(5).map { Array(all.prefix($0)) }
    default: return []
    }
  }

  /// The split of each word whose parts are adjacent in most records.
  func chosenSplits() -> [Int: [String]] {
    var splits: [Int: [String]] = [:]
    let minimum = max(2, query.minWordSizefor1Typo ?? settings.minWordSizefor1Typo)
    for (index, word) in words.enumerated() where word.allowsSplitting {
      let letters = Array(word.word.unicodeScalars)
      guard letters.count >= minimum else { continue }
      var best = 0
      for cut in 1..<min(13, letters.count) {
        let parts = [letters[..<cut], letters[cut...]].map { part in
          var text = ""
          text.unicodeScalars.append(contentsOf: part)
          return text
        }
        let count = documents.count { document in
          !document.sequences(parts).filter { allowsTypos(in: $0.path) && isSearched($0.path) }
            .isEmpty
        }
        if count > best {
          best = count
          splits[index] = parts
        }
      }
    }
    return splits
  }

  // MARK: Attributes

  func isSearched(_ path: String) -> Bool {
    let restricted = query.restrictSearchableAttributes ?? []
    return restricted.isEmpty || covers(restricted, path)
  }

  func allowsTypos(in path: String) -> Bool {
    !covers(
      query.disableTypoToleranceOnAttributes ?? settings.disableTypoToleranceOnAttributes, path)
  }

  func allowsPrefixes(in path: String) -> Bool { !covers(settings.disablePrefixOnAttributes, path) }

  func allowsExact(in path: String) -> Bool {
    isSearched(path)
      && !covers(query.disableExactOnAttributes ?? settings.disableExactOnAttributes, path)
  }

  func covers(_ paths: [String], _ path: String) -> Bool {
    paths.contains { path == $0 || path.hasPrefix($0 + ".") }
  }
}

/// The words of one record.
struct OracleDocument {
  struct Occurrence: Hashable {
    var path: String
    var rank: Int
    var isOrdered: Bool
    var position: Int
    var word: String
    var isWholeValue: Bool
  }

  let record: OracleRecord
  /// The whole record.
  let members: JSON
  let occurrences: [Occurrence]

  init(_ record: OracleRecord, settings: IndexSettings) throws {
    self.record = record
    members = try JSON(parsing: record.json)
    let tokenizer = OracleTokens(settings: settings)
    var occurrences: [Occurrence] = []
    for text in record.texts + record.otherTexts {
      guard let (rank, isOrdered) = Self.role(of: text.path, settings) else { continue }
      var base = 0
      for value in text.values {
        let tokens = try tokenizer.tokens(of: value, at: text.path)
        for token in tokens {
          let isWhole = tokens.allSatisfy {
            token.range.lowerBound <= $0.range.lowerBound
              && $0.range.upperBound <= token.range.upperBound
          }
          occurrences.append(
            Occurrence(
              path: text.path, rank: rank, isOrdered: isOrdered, position: base + token.position,
              word: token.word, isWholeValue: isWhole))
        }
        if let last = tokens.map(\.position).max() { base += last + 1 + 8 }
      }
    }
    self.occurrences = occurrences
  }

  static func role(of path: String, _ settings: IndexSettings) -> (Int, Bool)? {
    if settings.searchableAttributes.isEmpty { return (0, false) }
    for (rank, entry) in settings.searchableAttributes.enumerated() {
      let names = entry.split(separator: ",").map(String.init)
      for name in names {
        let isUnordered = name.hasPrefix("unordered(")
        let bare = isUnordered ? String(name.dropFirst(10).dropLast()) : name
        if path == bare || path.hasPrefix(bare + ".") {
          return (rank, !isUnordered && names.count == 1)
        }
      }
    }
    return nil
  }

  /// The sequences of adjacent words, each as the occurrence of its first word.
  func sequences(_ words: [String], offsets: [Int]? = nil) -> [Occurrence] {
    let offsets = offsets ?? Array(words.indices)
    return occurrences.filter { first in
      first.word == words[0]
        && zip(words, offsets).allSatisfy { word, offset in
          occurrences.contains {
            $0.path == first.path && $0.position == first.position + offset && $0.word == word
          }
        }
    }
  }
}
