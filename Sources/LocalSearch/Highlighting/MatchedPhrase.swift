/// Words that follow each other in a text in place of query words: a synonym of several words.
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
        guard case .sequence(let sequence) = alternative.target, alternative.matchesInOrder else {
          continue
        }
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
  /// Whether highlights mark the words only where they follow each other.
  fileprivate var matchesInOrder: Bool {
    switch kind {
    case .synonym, .correction: true
    case .original, .phrase, .part, .split, .concatenation, .plural: false
    }
  }
}
