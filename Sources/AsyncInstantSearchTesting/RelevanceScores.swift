#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How well the first hits of a query agree with the judgments, each from 0 to 1.
///
/// A record is relevant if its grade is above 0. *k* is the depth of the report.
public struct RelevanceScores: Sendable, Hashable {
  /// Precision at *k*: the relevant records among the first *k* hits, divided by *k*.
  public var precision = 0.0
  /// Recall at *k*: the relevant records among the first *k* hits, divided by all relevant ones.
  public var recall = 0.0
  /// The reciprocal rank: 1 divided by the rank of the first relevant hit, and 0 without one among
  /// the first *k*. Its mean is known as MRR.
  public var reciprocalRank = 0.0
  /// The normalized discounted cumulative gain at *k*: the sum of (2^grade - 1) / log₂(rank + 1)
  /// over the first *k* hits, divided by the sum for the best possible order.
  public var nDCG = 0.0

  /// Creates scores of 0.
  init() {}

  /// Computes the scores of hits.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs of the hits. An ID that occurs again counts once.
  ///   - grades: The grades, at least one of them above 0.
  ///   - depth: The number of hits that count.
  init(_ objectIDs: [String], grades: [String: Int], depth: Int) {
    var seen: Set<String> = []
    let found = objectIDs.prefix(depth).map { seen.insert($0).inserted ? grades[$0] ?? 0 : 0 }
    let relevant = found.filter { $0 > 0 }.count
    let best = grades.values.sorted(by: >)
    precision = Double(relevant) / Double(depth)
    recall = Double(relevant) / Double(best.filter { $0 > 0 }.count)
    reciprocalRank = found.firstIndex { $0 > 0 }.map { 1 / Double($0 + 1) } ?? 0
    nDCG = Self.gain(of: found[...]) / Self.gain(of: best.prefix(depth))
  }

  private static func gain(of grades: ArraySlice<Int>) -> Double {
    grades.enumerated().reduce(0) { sum, grade in
      sum + (exp2(Double(grade.element)) - 1) / log2(Double(grade.offset + 2))
    }
  }

  /// Returns the means.
  static func mean(of all: [RelevanceScores]) -> RelevanceScores {
    func mean(_ score: (RelevanceScores) -> Double) -> Double {
      all.isEmpty ? 0 : all.reduce(0) { $0 + score($1) } / Double(all.count)
    }
    var result = RelevanceScores()
    result.precision = mean(\.precision)
    result.recall = mean(\.recall)
    result.reciprocalRank = mean(\.reciprocalRank)
    result.nDCG = mean(\.nDCG)
    return result
  }

  /// The scores in the order of ``columns``.
  var cells: [String] { [precision, recall, reciprocalRank, nDCG].map(\.score) }
  static let columns = ["precision", "recall", "MRR", "nDCG"]
}

extension Double {
  /// The number with three decimals.
  var score: String {
    let thousandths = Int((abs(self) * 1000).rounded())
    let decimals = "\(thousandths % 1000)"
    return (self < 0 && thousandths > 0 ? "-" : "") + "\(thousandths / 1000)."
      + String(repeating: "0", count: 3 - decimals.count) + decimals
  }
}
