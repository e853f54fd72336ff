/// What the filters of a query add to the score of each document of one segment.
struct FilterScores: Sendable {
  /// An expression with the documents that fulfil each of its filters.
  private indirect enum Part: Sendable {
    case literal(score: Int, documents: Bitmap)
    case all([Part])
    case any([Part])
  }

  /// The score that every matching document has.
  private let constant: Int
  private let parts: [Part]
  private let sumsOrScores: Bool

  /// Prepares the scores; filters that score every match alike cost nothing per document.
  init(_ filters: FilterSet, _ evaluator: FilterEvaluator, _ checkpoint: Checkpoint) throws {
    var constant = 0
    var parts: [Part] = []
    for expression in filters.required {
      if expression.hasConstantScore(sumsOrScores: filters.sumsOrScores) {
        constant += expression.minimumScore
      } else {
        parts.append(try Self.part(expression, evaluator, checkpoint))
      }
    }
    for expression in filters.optional {
      parts.append(try Self.part(expression, evaluator, checkpoint))
    }
    self.constant = constant
    self.parts = parts
    sumsOrScores = filters.sumsOrScores
  }

  /// Whether all documents have the same score.
  var isConstant: Bool { parts.isEmpty }

  /// The score of a document that fulfils the required filters.
  func score(of document: Int) -> Int {
    parts.reduce(constant) { $0 + (score($1, document) ?? 0) }
  }

  private static func part(
    _ expression: FilterExpression, _ evaluator: FilterEvaluator, _ checkpoint: Checkpoint
  ) throws -> Part {
    try checkpoint.check()
    switch expression {
    case .literal(let literal):
      return .literal(score: literal.score, documents: evaluator.documents(literal))
    case .all(let parts): return .all(try parts.map { try part($0, evaluator, checkpoint) })
    case .any(let parts): return .any(try parts.map { try part($0, evaluator, checkpoint) })
    }
  }

  /// The score of one part; `nil` when the document does not fulfil it.
  private func score(_ part: Part, _ document: Int) -> Int? {
    switch part {
    case .literal(let score, let documents):
      return documents[document] ? score : nil
    case .all(let parts):
      var sum = 0
      for part in parts {
        guard let score = score(part, document) else { return nil }
        sum += score
      }
      return sum
    case .any(let parts):
      var best: Int?
      for case let score? in parts.lazy.map({ self.score($0, document) }) {
        best = sumsOrScores ? (best ?? 0) + score : max(best ?? 0, score)
      }
      return best
    }
  }
}
