/// Words that follow each other in a text in place of query words: a synonym of several words, or
/// the pairs of a run in a script without spaces.
struct MatchedPhrase: Sendable {
  /// The normalized words.
  let words: [[UInt8]]
  /// The distance of each word from the first, in positions.
  let offsets: [Int]
  /// The indices of the query words.
  let queryWords: [Int]
  /// The text to show instead, or `nil` for the words.
  let replacement: [UInt8]?

  /// Returns the phrases of a query.
  static func all(of graph: QueryGraph) -> [MatchedPhrase] {
    var phrases: [MatchedPhrase] = []
    for span in graph.spans {
      for alternative in span.alternatives {
        guard case .sequence(let sequence) = alternative.target,
          alternative.matchesInOrder(wordCount: span.places.first?.count ?? 0)
        else { continue }
        phrases.append(
          MatchedPhrase(
            words: sequence.words.map { Array($0.utf8) }, offsets: sequence.offsets,
            queryWords: span.places.flatMap(\.self).sorted(),
            replacement: alternative.replacement.map { Array($0.utf8) }))
      }
    }
    return phrases
  }
}

extension Alternative {
  /// Whether highlights mark the words only where they follow each other. The words of a phrase in
  /// quotes are marked everywhere, unless they are pairs of characters.
  func matchesInOrder(wordCount: Int) -> Bool {
    guard case .sequence(let sequence) = target else { return false }
    switch kind {
    case .synonym, .correction, .original: return true
    case .phrase: return sequence.words.count != wordCount || sequence.isUnspaced
    case .part, .split, .concatenation, .plural, .compound: return false
    }
  }
}

extension WordSequence {
  /// Whether some words are pairs of a script without spaces.
  fileprivate var isUnspaced: Bool {
    words.contains { $0.unicodeScalars.first.map { ScalarClass($0) == .unspaced } ?? false }
  }
}
