/// Works out the scores of groups of filters within groups.
///
/// A filter has one score for all its documents and needs a bitmap only. A group whose documents
/// have different scores borrows a column, which is emptied only where it was filled and then used
/// again: the work is that of the values that the filters name, and there are at most two columns
/// for each level of nesting.
struct NestedFilterScores {
  /// Documents with their scores.
  struct ScoredSet {
    /// The documents that match.
    var documents: Bitmap
    /// What each of them has.
    var constant: Int32 = 0
    /// What each has beyond that, 0 for all other documents; empty when all have the same score.
    var column: [Int32] = []

    /// The score of one of the documents.
    @inline(__always)
    func score(of document: Int) -> Int32 {
      column.isEmpty ? constant : constant &+ column[document]
    }
  }

  private let evaluator: FilterEvaluator
  private let sumsOrScores: Bool
  private let checkpoint: Checkpoint
  /// Columns of zeros that no set uses now.
  private var spareColumns: [[Int32]] = []

  init(evaluator: FilterEvaluator, sumsOrScores: Bool, checkpoint: Checkpoint) {
    self.evaluator = evaluator
    self.sumsOrScores = sumsOrScores
    self.checkpoint = checkpoint
  }

  /// The documents that fulfil a group, with their scores.
  mutating func scored(_ expression: FilterExpression) throws -> ScoredSet {
    try checkpoint.count()
    switch expression {
    case .literal(let literal):
      return ScoredSet(
        documents: try evaluator.documents(literal, checkpoint),
        constant: Int32(clamping: literal.score))
    case .all(let parts): return try all(parts)
    case .any(let parts) where parts.count == 1: return try scored(parts[0])
    case .any(let parts): return sumsOrScores ? try sum(parts) : try highest(parts)
    }
  }

  /// Takes the column of a set back that is not needed any more.
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
      try checkpoint.count(1 + count &>> 4)
      set.column = Array(repeating: 0, count: count)
    }
    return set
  }

  /// The documents that fulfil all parts, with the sums of the scores.
  private mutating func all(_ parts: [FilterExpression]) throws -> ScoredSet {
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

  /// The documents that fulfil some part, with the sums of the scores of these.
  private mutating func sum(_ parts: [FilterExpression]) throws -> ScoredSet {
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

  /// The documents that fulfil some part, each with the highest score.
  private mutating func highest(_ parts: [FilterExpression]) throws -> ScoredSet {
    var result = try emptySet()
    // From the highest score down, a document needs no second look once it has a part's only score.
    var settled = result.documents
    let ordered = parts.map { (part: $0, highest: $0.maximumScore(sumsOrScores: false)) }
      .sorted { $0.highest > $1.highest }
    for (part, _) in ordered {
      var next = try scored(part)
      var open = next.documents
      open.subtract(settled)
      try checkpoint.count(1 + open.cardinality &>> 4)
      open.forEach { result.column[$0] = max(result.column[$0], next.score(of: $0)) }
      if next.column.isEmpty { settled.formUnion(next.documents) }
      result.documents.formUnion(next.documents)
      release(&next)
    }
    return result
  }

  private func countDocuments(of set: ScoredSet) throws {
    try checkpoint.count(1 + set.documents.cardinality &>> 4)
  }
}
