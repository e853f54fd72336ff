import InstantSearchAPI
import LocalSearch

/// The text of a query as the server reads it: words, phrases and exclusions.
///
/// Its words are the ones of the engine, without case, accents and punctuation, as in the
/// documents.
struct Words: Sendable {
  /// The value of `q`.
  let text: String
  /// Whether the query has words, phrases or exclusions.
  let isEmpty: Bool
  /// Whether the last word matches prefixes.
  let allowsPrefix: Bool

  /// Reads the words of a query.
  ///
  /// - Parameter kept: The words to use. Defaults to all.
  init(_ plan: QueryPlan, keeping kept: Range<Int>? = nil) {
    var parts: [String] = []
    let kept = (kept ?? plan.words.indices).clamped(to: plan.words.indices)
    let isImplied = kept.upperBound == plan.words.endIndex && Self.isLastWordImplied(plan, kept)
    var index = kept.lowerBound
    while index < kept.upperBound {
      let word = plan.words[index]
      if let phrase = word.phrase {
        parts.append("\"\(plan.phrases[phrase].sequence.words.joined(separator: " "))\"")
        index = max(plan.phrases[phrase].range.upperBound, index + 1)
      } else if let pairs = word.pairs {
        parts.append("\"\(pairs.words.joined(separator: " "))\"")
        index += 1
      } else {
        if !isImplied || index + 1 < kept.upperBound { parts.append(word.word) }
        index += 1
      }
    }
    for exclusion in plan.exclusions {
      let words = exclusion.words.joined(separator: " ")
      parts.append(exclusion.words.count > 1 ? "-\"\(words)\"" : "-\(words)")
    }
    isEmpty = parts.isEmpty
    // Without words to find, exclusions go with every record.
    text =
      kept.isEmpty ? (["*"] + parts).joined(separator: " ") : parts.joined(separator: " ")
    allowsPrefix = !isImplied && kept.last.map { plan.words[$0].allowsPrefix } ?? false
  }

  /// Whether every record with the other words has a word that begins with the last one: another
  /// word of the query. The server does not find a word of the record twice.
  private static func isLastWordImplied(_ plan: QueryPlan, _ kept: Range<Int>) -> Bool {
    guard let last = plan.words[kept].last, last.allowsPrefix, last.pairs == nil else {
      return false
    }
    return plan.words[kept].dropLast().contains {
      $0.pairs == nil && $0.word.utf8.starts(with: last.word.utf8)
    }
  }
}
