/// What the filters of a query add to the score of each document of one segment.
///
/// Every filter is evaluated once, over the documents that have its value, and adds its score to a
/// column; so many filters cost as much as the values they name occur, whatever the number of
/// matches.
struct FilterScores: Sendable {
  /// The score that every matching document has.
  private let constant: Int
  /// The scores of the documents beyond the constant; empty when all have the same.
  private let column: [Int32]

  /// Works out the scores; filters that score every match alike cost nothing per document.
  init(_ filters: FilterSet, _ evaluator: FilterEvaluator, _ checkpoint: Checkpoint) throws {
    var builder = Builder(
      evaluator: evaluator, sumsOrScores: filters.sumsOrScores, checkpoint: checkpoint)
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

  /// The score of a document that fulfils the required filters.
  func score(of document: Int) -> Int {
    column.isEmpty ? constant : constant + Int(column[document])
  }

  /// Adds up the scores of one filter after the other.
  private struct Builder {
    let evaluator: FilterEvaluator
    let sumsOrScores: Bool
    let checkpoint: Checkpoint
    var constant = 0
    var column: [Int32] = []
    private var nested: NestedFilterScores
    /// The scores of single filters, added up for those that find the same documents.
    private var literals: [FilterEvaluator.Key: Int] = [:]
    private var order: [(key: FilterEvaluator.Key, literal: FilterLiteral)] = []

    init(evaluator: FilterEvaluator, sumsOrScores: Bool, checkpoint: Checkpoint) {
      self.evaluator = evaluator
      self.sumsOrScores = sumsOrScores
      self.checkpoint = checkpoint
      nested = NestedFilterScores(
        evaluator: evaluator, sumsOrScores: sumsOrScores, checkpoint: checkpoint)
    }

    /// Adds one filter or group.
    mutating func add(_ expression: FilterTree) throws {
      try checkpoint.count()
      switch expression {
      case .literal(let literal): try note(literal)
      case .all(let parts) where parts.count == 1: try add(parts[0])
      case .any(let parts) where parts.count == 1: try add(parts[0])
      case .any(let parts) where sumsOrScores && parts.allSatisfy(\.isLiteral):
        // Each of them adds its score, as if it stood alone.
        for part in parts { try add(part) }
      case .any(let parts) where parts.allSatisfy(\.isLiteral):
        try addHighest(of: parts.compactMap(\.literal))
      case .all, .any:
        var set = try nested.scored(expression)
        prepare()
        try checkpoint.count(1 + set.documents.cardinality &>> 4)
        let documents = set.documents
        documents.forEach { column[$0] &+= set.score(of: $0) }
        nested.release(&set)
      }
    }

    /// Adds the highest score of the filters that a document fulfils.
    private mutating func addHighest(of literals: [FilterLiteral]) throws {
      prepare()
      var covered = Bitmap(count: evaluator.segment.count)
      for literal in literals.sorted(by: { $0.score > $1.score }) {
        var documents = try evaluator.documents(literal, checkpoint)
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
      let key = try evaluator.key(of: literal, checkpoint)
      if let score = literals[key] {
        literals[key] = score + literal.score
      } else {
        literals[key] = literal.score
        order.append((key, literal))
      }
    }

    /// Adds the single filters that were noted.
    mutating func addLiterals() throws {
      if order.isEmpty { return }
      prepare()
      for (key, literal) in order {
        try checkpoint.count()
        guard let score = literals[key], score != 0 else { continue }
        var literal = literal
        var added = score
        if literal.isNegated {
          // All but those that fulfil it: so that only these have to be visited.
          literal.isNegated = false
          constant += score
          added = -score
        }
        try add(added, to: evaluator.documents(literal, checkpoint))
      }
    }

    private mutating func add(_ score: Int, to documents: Bitmap) throws {
      // At most 10,000 scores below 65,536 are added up, which an `Int32` holds.
      let score = Int32(clamping: score)
      try checkpoint.count(1 + documents.cardinality &>> 4)
      documents.forEach { column[$0] &+= score }
    }
  }
}

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
  mutating func scored(_ expression: FilterTree) throws -> ScoredSet {
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

  /// The documents that fulfil some part, with the sums of the scores of these.
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

  /// The documents that fulfil some part, each with the highest score.
  private mutating func highest(_ parts: [FilterTree]) throws -> ScoredSet {
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
