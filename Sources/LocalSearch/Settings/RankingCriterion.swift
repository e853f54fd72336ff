import InstantSearchJSON

/// One criterion for comparing two records. Later criteria only break ties.
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

  /// The default criteria of an index.
  package static let standard: [RankingCriterion] = [
    .typo, .geo, .words, .filters, .proximity, .attribute, .exact, .custom,
  ]

  /// Reads an entry of `ranking`. Unknown entries are `nil`.
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

  /// Whether it sorts by an attribute that the ranking names.
  var isSort: Bool {
    if case .sort = self { true } else { false }
  }

  /// Whether the criterion compares words, so that all records of a query without words tie.
  package var isTextual: Bool {
    switch self {
    case .typo, .words, .proximity, .attribute, .exact: true
    case .geo, .filters, .custom, .sort: false
    }
  }
}

extension SortCriterion {
  /// Whether a record with value `left` ranks before one with value `right`, or `nil` for a tie.
  ///
  /// Missing values are last in either direction. Booleans are less than numbers, and numbers less
  /// than strings. Strings compare by their bytes.
  func precedes(_ left: RankingValue, _ right: RankingValue) -> Bool? {
    let leftKind = Self.kind(of: left)
    let rightKind = Self.kind(of: right)
    if leftKind != rightKind {
      if leftKind == Self.missingKind { return false }
      if rightKind == Self.missingKind { return true }
      return isAscending == (leftKind < rightKind)
    }
    let isLess: Bool
    switch (left, right) {
    case (.bool(let left), .bool(let right)):
      if left == right { return nil }
      isLess = right
    case (.number(let left), .number(let right)):
      if left == right { return nil }
      isLess = left < right
    case (.string(let left), .string(let right)):
      if left == right { return nil }
      isLess = left.lexicographicallyPrecedes(right)
    default:
      return nil
    }
    return isAscending == isLess
  }

  /// Returns a number that orders numbers as the criterion does: smaller ones come first. NaN, for
  /// a missing value, comes last.
  @inline(__always)
  func key(of number: Double) -> Int {
    if number.isNaN { return .max }
    // The sum is not -0, which equals 0. The bits of negative numbers are in the opposite order.
    let bits = Int(truncatingIfNeeded: Int64(bitPattern: (number + 0).bitPattern))
    let key = bits < 0 ? bits ^ .max : bits
    return isAscending ? key : -key
  }

  private static let missingKind = 3

  private static func kind(of value: RankingValue) -> Int {
    switch value {
    case .bool: 0
    case .number: 1
    case .string: 2
    case .missing: missingKind
    }
  }
}

/// The value by which a document is ordered in `asc(attribute)` and `desc(attribute)`.
enum RankingValue: Sendable, Hashable {
  /// Absent, `null`, an array or an object. Last in either direction.
  case missing
  case bool(Bool)
  case number(Double)
  /// The first 50 bytes of a text.
  case string([UInt8])

  /// The number of bytes of a text that count.
  static let maximumLength = 50

  /// Creates the value of a scalar. Other nodes are missing values.
  init(_ node: JSONNode) {
    switch node.kind {
    case .bool: self = node.bool.map(Self.bool) ?? .missing
    case .number: self = node.double.map(Self.number) ?? .missing
    case .string:
      self = node.string.map { .string(Array($0.utf8.prefix(Self.maximumLength))) } ?? .missing
    case .null, .array, .object: self = .missing
    }
  }
}
