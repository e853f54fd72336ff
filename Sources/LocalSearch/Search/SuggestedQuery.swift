import InstantSearchAPI

/// A query that a user may have meant, with the number of its hits.
///
/// Get it from ``LocalSearch/LocalSearch/suggestedQuery(for:in:deadline:)``.
public struct SuggestedQuery: Sendable, Hashable {
  /// The text, with words of the index in place of the ones that it does not have.
  public let text: String
  /// The number of hits of the text, with the other parameters of the query. At least 1.
  public let hitCount: Int
}

extension SearchExecution {
  /// Returns the nearest text that finds a record, or `nil` if the index has each word, or nothing
  /// near.
  func suggestedQuery() throws -> SuggestedQuery? {
    var tolerant = search.query
    tolerant.typoTolerance = .enabled(true)
    let plan = try execution(of: tolerant).matchedRecords().records.plan
    let drafts = try SuggestionDrafts(
      plan, VisibleWords(plan, snapshot, cancellation), cancellation)
    for text in drafts.texts {
      var query = search.query
      query.query = text
      query.offset = nil
      query.length = nil
      query.hitsPerPage = 0
      query.facets = []
      // A record has the words themselves, and not only others near them.
      var exact = query
      exact.typoTolerance = .enabled(false)
      guard try execution(of: exact).result().hitCount > 0 else { continue }
      return try SuggestedQuery(text: text, hitCount: execution(of: query).result().hitCount)
    }
    return nil
  }

  private func execution(of query: SearchQuery) throws -> SearchExecution {
    try SearchExecution(
      snapshot: snapshot,
      search: ResolvedSearch(
        query, indexName: search.indexName, settings: search.settings, cancellation),
      cancellation: cancellation)
  }
}

/// Texts of words that an index has, nearest first.
private struct SuggestionDrafts {
  /// Some words of the query, and the text in their place.
  private struct Replacement {
    let words: Range<Int>
    /// `nil` keeps the words.
    let text: String?
    let typos: Int
    /// The number of records with the text.
    let recordCount: Int
  }

  /// The first words of the query, replaced.
  private struct Draft {
    var replacements: [Replacement] = []
    var typos = 0
    var leastCount = Int.max

    func adding(_ replacement: Replacement) -> Draft {
      var copy = self
      copy.replacements.append(replacement)
      copy.typos += replacement.typos
      copy.leastCount = min(leastCount, replacement.recordCount)
      return copy
    }
  }

  /// The texts, none of which is the query.
  private(set) var texts: [String] = []

  /// The maximum number of texts whose hits are counted, and of replacements of a word.
  private static let maximumCount = 10

  init(
    _ plan: QueryPlan, _ index: VisibleWords, _ cancellation: CancellationCheck
  ) throws {
    let replacements = try Self.replacements(plan, index, cancellation)
    guard replacements.joined().contains(where: { $0.text != nil }) else { return }
    var drafts: [[Draft]] = [[Draft()]]
    for end in plan.words.indices.map({ $0 + 1 }) {
      var ending: [Draft] = []
      for replacement in replacements[end - 1] {
        ending += drafts[replacement.words.lowerBound].map { $0.adding(replacement) }
      }
      try cancellation.sort(&ending) {
        $0.typos == $1.typos ? $0.leastCount > $1.leastCount : $0.typos < $1.typos
      }
      drafts.append(Array(ending.prefix(Self.maximumCount)))
    }
    for draft in drafts[plan.words.count] where draft.typos > 0 {
      texts.append(Self.text(of: draft, plan))
    }
  }

  /// Returns the replacements that end with each word.
  private static func replacements(
    _ plan: QueryPlan, _ index: VisibleWords, _ cancellation: CancellationCheck
  ) throws -> [[Replacement]] {
    // A word of a phrase, an optional word, or a run of characters without spaces stays.
    var result = plan.words.indices.map { number -> [Replacement] in
      let word = plan.words[number]
      return word.phrase != nil || word.isOptional || word.pairs != nil
        ? [Replacement(words: number..<number + 1, text: nil, typos: 0, recordCount: .max)] : []
    }
    var isKnown = result.map { !$0.isEmpty }
    for span in plan.graph.spans where span.isWord {
      let words = span.places.map(\.lowerBound).filter { result[$0].isEmpty }
      guard let first = words.first else { continue }
      try cancellation.count()
      // A word without records is known if it has a synonym, a form or parts that records have.
      let same = span.alternatives.filter { $0.cost == 0 }
      if try same.contains(where: { try index.has($0) }) {
        for word in words {
          isKnown[word] = true
          result[word].append(
            Replacement(words: word..<word + 1, text: nil, typos: 0, recordCount: .max))
        }
        continue
      }
      var texts: [(text: String, typos: Int, recordCount: Int)] = []
      let whole = Alternative(
        .original, .word(plan.words[first].word), maximumTypos: plan.words[first].maximumTypos)
      for near in try index.words(near: whole, countsRecords: true).prefix(maximumCount) {
        texts.append((near.word, near.typos, near.recordCount))
      }
      for split in span.alternatives where try split.kind == .split && index.has(split) {
        texts.append((split.target.words.joined(separator: " "), split.cost, 0))
      }
      for word in words {
        result[word] += texts.map {
          Replacement(
            words: word..<word + 1, text: $0.text, typos: $0.typos, recordCount: $0.recordCount)
        }
      }
    }
    for span in plan.graph.spans {
      guard let joined = span.alternatives.first(where: { $0.kind == .concatenation }),
        let text = joined.target.words.first, try index.has(joined)
      else { continue }
      for place in span.places where !place.allSatisfy({ isKnown[$0] }) {
        result[place.upperBound - 1].append(
          Replacement(words: place, text: text, typos: joined.cost, recordCount: 0))
      }
    }
    return result
  }

  private static func text(of draft: Draft, _ plan: QueryPlan) -> String {
    let text = Array(plan.options.text.utf8)
    var result: [UInt8] = []
    var position = 0
    for replacement in draft.replacements {
      guard let new = replacement.text else { continue }
      let range =
        plan.words[replacement.words.lowerBound].range
        .lowerBound..<plan.words[
          replacement.words.upperBound - 1
        ].range.upperBound
      guard range.lowerBound >= position, range.upperBound <= text.count else { continue }
      result += text[position..<range.lowerBound]
      result += new.utf8
      position = range.upperBound
    }
    result += text[position...]
    return String(decoding: result, as: UTF8.self)
  }
}
