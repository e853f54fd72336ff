/// The same judged queries with two settings, side by side.
///
/// ```swift
/// print(RelevanceComparison(before, after))
/// ```
public struct RelevanceComparison: Sendable, Hashable {
  /// A query whose gain differs.
  public struct Change: Sendable, Hashable {
    /// The query.
    public let query: JudgedQuery
    /// The result with the first settings.
    public let before: RelevanceReport.Result
    /// The result with the second settings.
    public let after: RelevanceReport.Result

    /// The difference of ``RelevanceScores/nDCG``: positive if the query became better.
    public var gain: Double { after.scores.nDCG - before.scores.nDCG }
  }

  /// The means of the scores with the first settings.
  public let before: RelevanceScores
  /// The means of the scores with the second settings.
  public let after: RelevanceScores
  /// The queries that became worse, worst first, then the ones that became better.
  public let changes: [Change]

  /// Compares two reports. Queries of only one of them count in its means alone.
  public init(_ before: RelevanceReport, _ after: RelevanceReport) {
    self.before = before.mean
    self.after = after.mean
    var results: [JudgedQuery: RelevanceReport.Result] = [:]
    for result in before.results { results[result.query] = result }
    changes = after.results.compactMap { result in
      results[result.query].map { Change(query: result.query, before: $0, after: result) }
    }.filter { $0.gain != 0 }.sorted { $0.gain < $1.gain }
  }
}

extension RelevanceComparison: CustomStringConvertible {
  /// A table of the means, and a row for each query that changed.
  public var description: String {
    let means = table(of: [
      ["mean"] + RelevanceScores.columns, ["before"] + before.cells, ["after"] + after.cells,
    ])
    let rows = changes.map { change in
      [
        change.query.title, change.before.scores.nDCG.score, change.after.scores.nDCG.score,
        (change.gain > 0 ? "+" : "") + change.gain.score,
      ]
    }
    let moved = rows.isEmpty ? [] : table(of: [["nDCG", "before", "after", "change"]] + rows)
    return (means + moved).joined(separator: "\n")
  }
}
