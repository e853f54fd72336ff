/// One step of the comparison of two records; later steps only decide between equals.
package enum RankingCriterion: Sendable, Hashable {
  /// Fewer typos first.
  case typo
  /// Nearer records first, in searches around a point.
  case geo
  /// More matched words first.
  case words
  /// Higher filter scores first.
  case filters
  /// Words nearer to each other first.
  case proximity
  /// More important attributes first, then earlier words.
  case attribute
  /// More exact words first.
  case exact
  /// The order of `customRanking`.
  case custom
  /// The values of an attribute.
  case sort(SortCriterion)

  /// The criteria an index has when it names none.
  package static let standard: [RankingCriterion] = [
    .typo, .geo, .words, .filters, .proximity, .attribute, .exact, .custom,
  ]

  /// Reads an entry of `ranking`; an unknown one is `nil`.
  package init?(_ text: String) {
    switch text {
    case "typo": self = .typo
    case "geo": self = .geo
    case "words": self = .words
    case "filters": self = .filters
    case "proximity": self = .proximity
    case "attribute": self = .attribute
    case "exact": self = .exact
    case "custom": self = .custom
    default:
      guard let sort = SortCriterion(text) else { return nil }
      self = .sort(sort)
    }
  }

  /// Whether the criterion needs the places of the words, which are costly to read.
  package var needsPlaces: Bool {
    switch self {
    case .proximity, .attribute, .exact: true
    case .typo, .geo, .words, .filters, .custom, .sort: false
    }
  }

  /// Whether the criterion compares words, so that records of a query without words tie.
  package var isTextual: Bool { needsPlaces || self == .typo || self == .words }
}
