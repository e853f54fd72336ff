/// The condition of a filter on one attribute.
package enum FilterPredicate: Sendable, Hashable {
  /// The attribute has a value, ignoring case.
  case facet(attribute: String, value: String)
  /// The attribute has a number in a relation to the operand.
  case numeric(attribute: String, comparison: NumericComparison, operand: Double)
  /// The attribute has a number between the bounds, both included.
  case range(attribute: String, lower: Double, upper: Double)
  /// The record has a tag, matching case.
  case tag(String)

  /// The kinds of filters. An OR group can contain one kind only.
  package enum Kind: String, Sendable, Hashable {
    case facet, numeric, tag
  }

  /// The kind of this filter. A range is numeric.
  package var kind: Kind {
    switch self {
    case .facet: .facet
    case .numeric, .range: .numeric
    case .tag: .tag
    }
  }

  /// Returns a filter by value, or by tag if the attribute is `_tags`.
  package static func value(_ value: String, of attribute: String) -> FilterPredicate {
    attribute == "_tags" ? .tag(value) : .facet(attribute: attribute, value: value)
  }
}

/// One filter with its score, possibly negated.
package struct FilterLiteral: Sendable, Hashable {
  /// The condition.
  package var predicate: FilterPredicate
  /// Whether the filter is negated.
  package var isNegated = false
  /// The score of a match, 0 to 65,535.
  package var score = 1

  /// Creates a filter, with score 1.
  package init(predicate: FilterPredicate, isNegated: Bool = false) {
    self.predicate = predicate
    self.isNegated = isNegated
  }
}

/// Filters combined by AND and OR, to any depth.
package indirect enum FilterTree: Sendable, Hashable {
  /// One filter.
  case literal(FilterLiteral)
  /// All parts must match. An empty list matches.
  case all([FilterTree])
  /// At least one part must match. An empty list does not match.
  case any([FilterTree])

  /// The filter, if the tree is a single one.
  package var literal: FilterLiteral? {
    if case .literal(let literal) = self { literal } else { nil }
  }

  /// Whether the tree is a single filter.
  package var isLiteral: Bool { literal != nil }
}

/// The relation of a number to the operand of a filter.
package enum NumericComparison: String, Sendable, Hashable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "="
  case notEqual = "!="
  case greaterOrEqual = ">="
  case greater = ">"
}

/// The syntax of numbers in filters: an optional sign, digits, a fraction, an exponent.
package enum FilterNumber {
  /// Reads a whole text as a finite number.
  package static func parse(_ text: some StringProtocol) -> Double? {
    guard
      let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || first == UInt8(ascii: "."),
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
      let number = Double(String(text)), number.isFinite
    else { return nil }
    return number
  }
}

extension FilterTree {
  /// The tree as the `filters` parameter, with every name and value in quotes, so that nothing in
  /// them is parsed as part of the expression.
  ///
  /// The tree is an AND of ORs, as ``FilterParser`` returns it.
  package var text: String {
    switch self {
    case .literal(let literal): literal.text
    case .all(let parts): parts.map(\.text).joined(separator: " AND ")
    case .any(let parts): "(" + parts.map(\.text).joined(separator: " OR ") + ")"
    }
  }
}

extension FilterLiteral {
  fileprivate var text: String {
    let condition =
      switch predicate {
      case .facet(let attribute, let value): "\(attribute.quoted):\(value.quoted)"
      case .numeric(let attribute, let comparison, let operand):
        "\(attribute.quoted) \(comparison.rawValue) \(operand.plainNumber)"
      case .range(let attribute, let lower, let upper):
        "\(attribute.quoted):\(lower.plainNumber) TO \(upper.plainNumber)"
      case .tag(let tag): "\("_tags".quoted):\(tag.quoted)"
      }
    let suffix = score == 1 ? "" : "<score=\(score)>"
    return (isNegated ? "NOT " : "") + condition + suffix
  }
}
