/// The scores of the documents of one segment by the filters of a query.
///
/// Every filter is evaluated once, for the documents with its value, and adds its score to a
/// column. So the cost depends on the occurrences of the values, not on the number of matches.
struct FilterScores: Sendable {
  /// The score of every matching document.
  private let constant: Int
  /// The additional scores of the documents. Empty if all have the same.
  private let column: [Int32]

  /// Calculates the scores. Filters with the same score for every match cost nothing per document.
  init(_ filters: FilterSet, _ evaluator: FilterEvaluator) throws {
    var builder = Builder(evaluator: evaluator, sumsOrScores: filters.sumsOrScores)
    for expression in filters.required {
      if expression.hasConstantScore(sumsOrScores: filters.sumsOrScores) {
        builder.constant += expression.minimumScore
      } else {
        try builder.add(expression)
      }
    }
    for expression in filters.optional { try builder.add(expression) }
    try builder.addLiterals()
    constant = builder.constant
    column = builder.column
  }

  /// Whether all documents have the same score.
  var isConstant: Bool { column.isEmpty }

  /// Returns the score of a document that matches the required filters.
  func score(of document: Int) -> Int {
    column.isEmpty ? constant : constant + Int(column[document])
  }

  /// Adds the scores of filters one by one.
  private struct Builder {
    let evaluator: FilterEvaluator
    let sumsOrScores: Bool
    let cancellation: CancellationCheck
    var constant = 0
    var column: [Int32] = []
    private var nested: NestedFilterScores
    /// The scores of single filters. The scores of filters that match the same documents are added.
    private var literals: [FilterEvaluator.Key: Int] = [:]
    private var order: [(key: FilterEvaluator.Key, literal: FilterLiteral)] = []

    init(evaluator: FilterEvaluator, sumsOrScores: Bool) {
      self.evaluator = evaluator
      self.sumsOrScores = sumsOrScores
      cancellation = evaluator.cancellation
      nested = NestedFilterScores(evaluator: evaluator, sumsOrScores: sumsOrScores)
    }

    /// Adds one filter or group.
    mutating func add(_ expression: FilterTree) throws {
      try cancellation.count()
      switch expression {
      case .literal(let literal): try note(literal)
      case .all(let parts) where parts.count == 1: try add(parts[0])
      case .any(let parts) where parts.count == 1: try add(parts[0])
      case .any(let parts) where sumsOrScores && parts.allSatisfy(\.isLiteral):
        // Each of them adds its score, like a single filter.
        for part in parts { try add(part) }
      case .any(let parts) where parts.allSatisfy(\.isLiteral):
        try addHighest(of: parts.compactMap(\.literal))
      case .all, .any:
        var set = try nested.scored(expression)
        prepare()
        try cancellation.count(1 + set.documents.cardinality &>> 4)
        let documents = set.documents
        documents.forEach { column[$0] &+= set.score(of: $0) }
        nested.release(&set)
      }
    }

    /// Adds the highest score of the filters that a document matches.
    private mutating func addHighest(of literals: [FilterLiteral]) throws {
      prepare()
      var covered = Bitmap(count: evaluator.segment.count)
      for literal in literals.sorted(by: { $0.score > $1.score }) {
        var documents = try evaluator.documents(literal)
        documents.subtract(covered)
        if documents.isEmpty { continue }
        covered.formUnion(documents)
        try add(literal.score, to: documents)
      }
    }

    private mutating func prepare() {
      if column.isEmpty { column = Array(repeating: 0, count: evaluator.segment.count) }
    }

    private mutating func note(_ literal: FilterLiteral) throws {
      let key = try evaluator.key(of: literal)
      if let score = literals[key] {
        literals[key] = score + literal.score
      } else {
        literals[key] = literal.score
        order.append((key, literal))
      }
    }

    /// Adds the single filters that were collected.
    mutating func addLiterals() throws {
      if order.isEmpty { return }
      prepare()
      for (key, literal) in order {
        try cancellation.count()
        guard let score = literals[key], score != 0 else { continue }
        var literal = literal
        var added = score
        if literal.isNegated {
          // Adds the score to all documents, and subtracts it from the matches of the filter, so
          // that only these are visited.
          literal.isNegated = false
          constant += score
          added = -score
        }
        try add(added, to: evaluator.documents(literal))
      }
    }

    private mutating func add(_ score: Int, to documents: Bitmap) throws {
      // At most 10,000 scores below 65,536 are added, which fits an `Int32`.
      let score = Int32(clamping: score)
      try cancellation.count(1 + documents.cardinality &>> 4)
      documents.forEach { column[$0] &+= score }
    }
  }
}

/// Calculates the scores of nested groups of filters.
///
/// A filter has one score for all its documents and needs a bitmap only. A group whose documents
/// have different scores borrows a column, which is cleared where it was filled and then reused. So
/// the work depends on the values of the filters, and each level of nesting needs at most two
/// columns.
struct NestedFilterScores {
  /// Documents with their scores.
  struct ScoredSet {
    /// The documents that match.
    var documents: Bitmap
    /// The score of each document.
    var constant: Int32 = 0
    /// The additional scores, 0 for all other documents. Empty if all have the same score.
    var column: [Int32] = []

    /// Returns the score of one of the documents.
    @inline(__always)
    func score(of document: Int) -> Int32 {
      column.isEmpty ? constant : constant &+ column[document]
    }
  }

  private let evaluator: FilterEvaluator
  private let sumsOrScores: Bool
  private let cancellation: CancellationCheck
  /// Columns of zeros that no set uses.
  private var spareColumns: [[Int32]] = []

  init(evaluator: FilterEvaluator, sumsOrScores: Bool) {
    self.evaluator = evaluator
    self.sumsOrScores = sumsOrScores
    cancellation = evaluator.cancellation
  }

  /// Returns the documents that match a group, with their scores.
  mutating func scored(_ expression: FilterTree) throws -> ScoredSet {
    try cancellation.count()
    switch expression {
    case .literal(let literal):
      return ScoredSet(
        documents: try evaluator.documents(literal),
        constant: Int32(clamping: literal.score))
    case .all(let parts): return try all(parts)
    case .any(let parts) where parts.count == 1: return try scored(parts[0])
    case .any(let parts): return sumsOrScores ? try sum(parts) : try highest(parts)
    }
  }

  /// Takes back the column of a set that is no longer needed.
  mutating func release(_ set: inout ScoredSet) {
    guard !set.column.isEmpty else { return }
    var column: [Int32] = []
    swap(&column, &set.column)
    set.documents.forEach { column[$0] = 0 }
    spareColumns.append(column)
  }

  private mutating func emptySet() throws -> ScoredSet {
    let count = evaluator.segment.count
    var set = ScoredSet(documents: Bitmap(count: count))
    if let spare = spareColumns.popLast() {
      set.column = spare
    } else {
      try cancellation.count(1 + count &>> 4)
      set.column = Array(repeating: 0, count: count)
    }
    return set
  }

  /// Returns the documents that match all parts, with the sums of the scores.
  private mutating func all(_ parts: [FilterTree]) throws -> ScoredSet {
    var result = ScoredSet(documents: Bitmap(count: evaluator.segment.count, filledWith: true))
    for part in parts {
      var next = try scored(part)
      try countDocuments(of: next)
      result.constant &+= next.constant
      if !result.column.isEmpty {
        var dropped = result.documents
        dropped.subtract(next.documents)
        dropped.forEach { result.column[$0] = 0 }
      }
      if next.column.isEmpty {
        result.documents.formIntersection(next.documents)
      } else if result.column.isEmpty {
        var dropped = next.documents
        dropped.subtract(result.documents)
        dropped.forEach { next.column[$0] = 0 }
        result.documents.formIntersection(next.documents)
        swap(&result.column, &next.column)
      } else {
        result.documents.formIntersection(next.documents)
        let documents = result.documents
        documents.forEach { result.column[$0] &+= next.column[$0] }
        release(&next)
      }
    }
    return result
  }

  /// Returns the documents that match some part, with the sums of the scores of these parts.
  private mutating func sum(_ parts: [FilterTree]) throws -> ScoredSet {
    var result = try emptySet()
    for part in parts {
      var next = try scored(part)
      try countDocuments(of: next)
      let documents = next.documents
      documents.forEach { result.column[$0] &+= next.score(of: $0) }
      result.documents.formUnion(next.documents)
      release(&next)
    }
    return result
  }

  /// Returns the documents that match some part, each with the highest score.
  private mutating func highest(_ parts: [FilterTree]) throws -> ScoredSet {
    var result = try emptySet()
    // In descending order of scores, a document is done once it has the only score of a part.
    var settled = result.documents
    let ordered = parts.map { (part: $0, highest: $0.maximumScore(sumsOrScores: false)) }
      .sorted { $0.highest > $1.highest }
    for (part, _) in ordered {
      var next = try scored(part)
      var open = next.documents
      open.subtract(settled)
      try cancellation.count(1 + open.cardinality &>> 4)
      open.forEach { result.column[$0] = max(result.column[$0], next.score(of: $0)) }
      if next.column.isEmpty { settled.formUnion(next.documents) }
      result.documents.formUnion(next.documents)
      release(&next)
    }
    return result
  }

  private func countDocuments(of set: ScoredSet) throws {
    try cancellation.count(1 + set.documents.cardinality &>> 4)
  }
}
