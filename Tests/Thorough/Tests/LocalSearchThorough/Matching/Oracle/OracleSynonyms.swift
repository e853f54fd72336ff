@testable import InstantSearchAPI
@testable import LocalSearch

/// The synonyms of the words of a query, from the rules of the contract: every input is compared
/// with every range of words.
struct OracleSynonyms {
  /// Words that stand for adjacent query words.
  struct Alternative {
    var range: Range<Int>
    var words: [String]
    var cost: Int
    var isExact: Bool
    /// What highlights show instead, or `nil`.
    var replacement: String?
    /// Whether it is another form of a word.
    var isForm = false
  }

  private struct Rule {
    var input: String
    var outputs: [String]
    var cost: Int
  }

  private let rules: [Rule]
  private let settings: IndexSettings

  init(_ synonyms: [Synonym], settings: IndexSettings) {
    self.settings = settings
    rules = synonyms.sorted { $0.objectID < $1.objectID }.flatMap { synonym -> [Rule] in
      switch synonym.kind {
      case .equivalent(let words): words.map { Rule(input: $0, outputs: words, cost: 0) }
      case .oneWay(let input, let outputs): [Rule(input: input, outputs: outputs, cost: 0)]
      case .oneTypo(let word, let words): [Rule(input: word, outputs: words, cost: 1)]
      case .twoTypos(let word, let words): [Rule(input: word, outputs: words, cost: 2)]
      case .placeholder: []
      }
    }
  }

  /// The words of a text as a query has them.
  private func row(_ text: String) throws -> [String] {
    var query = SearchQuery(text)
    query.advancedSyntax = false
    return try QueryPlan(query: query, settings: settings, cancellation: CancellationCheck())
      .words.map(\.word)
  }

  func alternatives(of words: [QueryWord], _ query: SearchQuery) throws -> [Alternative] {
    guard query.synonyms ?? true, !words.isEmpty else { return [] }
    let exact = query.alternativesAsExact ?? settings.alternativesAsExact
    let replaces = query.replaceSynonymsInHighlight ?? settings.replaceSynonymsInHighlight
    var found: [(order: [Int], key: String, alternative: Alternative)] = []
    for rule in rules {
      let input = try row(rule.input)
      guard !input.isEmpty else { continue }
      for start in 0..<words.count where start + input.count <= words.count {
        let range = start..<start + input.count
        let typed = words[range]
        guard typed.allSatisfy({ $0.phrase == nil }), let last = typed.last,
          zip(input, typed).dropLast().allSatisfy({ $0 == $1.word })
        else { continue }
        let isWhole = input.last == last.word
        let isBegun = last.allowsPrefix && scalars(input.last).starts(with: scalars(last.word))
        guard isWhole || isBegun else { continue }
        for output in rule.outputs {
          let target = try row(output)
          if target.isEmpty || target == input || (rule.cost > 0 && target.count > 1) { continue }
          let exactness: AlternativeAsExact =
            input.count == 1 && target.count == 1 ? .singleWordSynonym : .multiWordsSynonym
          let key = input.joined(separator: " ")
          found.append(
            (
              [isWhole ? 0 : 1, key.utf8.count], key,
              Alternative(
                range: range, words: target, cost: rule.cost,
                isExact: isWhole && rule.cost == 0 && exact.contains(exactness),
                replacement: replaces && input.count == 1 && rule.cost == 0 ? shown(input) : nil)
            ))
        }
      }
    }
    found.sort { ($0.order[0], $0.order[1], $0.key) < ($1.order[0], $1.order[1], $1.key) }
    // The first way to the same words at the same cost counts.
    var result: [Alternative] = []
    for (_, _, alternative) in found
    where !result.contains(where: {
      $0.range == alternative.range && $0.words == alternative.words
        && $0.cost == alternative.cost
    }) {
      result.append(alternative)
    }
    return result
  }

  /// The first text with the words of an input.
  private func shown(_ input: [String]) -> String? {
    rules.map(\.input).first { (try? row($0)) == input }
  }

  private func scalars(_ word: String?) -> [UInt32] { (word ?? "").unicodeScalars.map(\.value) }
}
