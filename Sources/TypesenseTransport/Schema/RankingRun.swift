import InstantSearchAPI
import LocalSearch

/// A part of a ranking: the words, or criteria that follow each other.
enum RankingRun: Sendable, Hashable {
  case text
  case sort([SortCriterion])

  private enum Criterion: Hashable {
    case sort(SortCriterion)
    case text, custom
  }

  private static let textual: [RankingCriterion] = RankingCriterion.standard.filter {
    $0 != .custom
  }

  /// Returns the criteria of a ranking, with all textual ones as one.
  ///
  /// - Throws: `APIError` if the textual ones have another order than the standard.
  private static func criteria(_ ranking: [String]) throws(APIError) -> [Criterion] {
    let criteria = ranking.compactMap { RankingCriterion($0) }
    let own = criteria.filter { textual.contains($0) }
    guard own == textual || own.isEmpty else { throw otherOrder }
    var result: [Criterion] = []
    for criterion in criteria {
      switch criterion {
      case .sort(let sort): result.append(.sort(sort))
      case .custom: result.append(.custom)
      default: if result.last != .text { result.append(.text) }
      }
    }
    guard result.count(where: { $0 == .text }) < 2 else { throw otherOrder }
    return result
  }

  /// Returns the parts of a ranking.
  ///
  /// - Throws: `APIError` if the textual criteria have another order than the standard.
  static func all(
    in ranking: [String], _ customRanking: [String]
  ) throws(APIError) -> [RankingRun] {
    var runs: [RankingRun] = []
    for criterion in try criteria(ranking) {
      let sorts: [SortCriterion]
      switch criterion {
      case .text:
        runs.append(.text)
        continue
      case .custom: sorts = customRanking.compactMap { SortCriterion($0) }
      case .sort(let sort): sorts = [sort]
      }
      if case .sort(let before)? = runs.last {
        runs[runs.count - 1] = .sort(before + sorts)
      } else if !sorts.isEmpty {
        runs.append(.sort(sorts))
      }
    }
    return runs
  }

  private static var otherOrder: APIError {
    APIError(
      "The server has one score for words, so ranking must have typo, geo, words, filters,"
        + " proximity, attribute and exact in this order, with other criteria before or after all"
        + " of them")
  }
}
