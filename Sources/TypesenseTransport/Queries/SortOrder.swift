import InstantSearchAPI
import LocalSearch

/// The order of the records of a search, in at most three criteria.
struct SortOrder: Sendable, Hashable {
  /// The maximum number of criteria that the server accepts.
  static let maximumCount = 3

  /// The value of `sort_by`, or `nil` if nothing determines an order.
  let text: String?

  /// Creates the order of a search.
  ///
  /// - Parameters:
  ///   - hasWords: Whether the search has words, and so text scores.
  ///   - isGrouped: Whether the hits are grouped.
  ///   - point: The point whose distance ranks, or `nil`.
  ///   - filter: A filter whose matches rank higher, or `nil`.
  ///   - keys: The keys that the documents have. They are used where the values themselves are
  ///     too many criteria, because numbers are compared faster.
  ///   - textRankings: The attributes that have texts, which are two criteria each.
  /// - Throws: `APIError` for more criteria than the server accepts.
  init(
    ranking: [String], customRanking: [String], hasWords: Bool, isGrouped: Bool, point: Point?,
    filter: String?, keys: [OrderKey], textRankings: Set<String>
  ) throws(APIError) {
    let runs = try RankingRun.all(in: ranking, customRanking)
    func written(joined: Bool) -> [[String]] {
      var parts: [[String]] = []
      for run in runs {
        switch run {
        case .text:
          if let point { parts.append(["\(FieldName.points)(\(GeoFilter.sortPair(point))):asc"]) }
          if let filter { parts.append(["_eval(\(filter)):desc"]) }
          if hasWords { parts.append(["_text_match:desc"]) }
        case .sort(let criteria):
          let key = OrderKey(criteria: criteria)
          if joined, keys.contains(key) {
            parts.append(["\(key.field):asc"])
          } else {
            parts += criteria.map { Self.fields($0, textRankings) }
          }
        }
      }
      return parts
    }
    var parts = written(joined: false)
    if parts.reduce(0, { $0 + $1.count }) > Self.maximumCount { parts = written(joined: true) }
    // Without an order, the server counts groups wrongly (typesense/typesense#1970).
    if parts.isEmpty, isGrouped { parts.append(["_text_match:desc"]) }
    guard parts.count <= Self.maximumCount else {
      throw APIError(
        "The search has \(parts.count) criteria of order, and the server accepts"
          + " \(Self.maximumCount): the text, the distance, optionalFilters, and the entries of"
          + " ranking and customRanking that follow each other in the settings. Use fewer")
    }
    // What is left is for the rest of texts.
    var rest = Self.maximumCount - parts.count
    let fields = parts.flatMap { fields in
      let count = min(fields.count - 1, rest)
      rest -= count
      return fields.prefix(1 + count)
    }
    text = fields.isEmpty ? nil : fields.joined(separator: ",")
  }

  /// The fields of a criterion: the value, then the rest of a text.
  private static func fields(
    _ sort: SortCriterion, _ textRankings: Set<String>
  ) -> [String] {
    var names = [FieldName.ranking(sort.attribute)]
    if textRankings.contains(sort.attribute) { names.append(FieldName.textRanking(sort.attribute)) }
    return names.map { "\($0):\(sort.isAscending ? "asc" : "desc")" }
  }

  /// Rejects a ranking that no search could use.
  ///
  /// - Parameter point: The point of the search, whose distance ranks.
  static func check(_ settings: IndexSettings, point: Point? = nil) throws(APIError) {
    _ = try SortOrder(
      ranking: settings.ranking, customRanking: settings.customRanking, hasWords: true,
      isGrouped: false, point: point, filter: nil, keys: OrderKey.all(in: settings),
      textRankings: [])
  }
}
