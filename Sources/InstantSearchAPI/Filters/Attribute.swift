/// The name of an attribute of records, as used in filters. Dots reach into objects:
/// `author.name`.
///
/// Comparing an attribute with a value creates a filter:
///
/// ```swift
/// let price: Attribute = "price"
/// let filter = price < 500
/// let brand = Attribute("brand") == "Apple"
/// ```
///
/// The value can be a number of any type. Numbers are sent as `Double`, the type that the contract
/// compares: an integer beyond 2⁵³ that is not equal to any `Double` is sent as the nearest one.
/// Store longer IDs as text.
public struct Attribute: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public var rawValue: String

  /// Creates an attribute with the given name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates an attribute with the given name.
  public init(_ name: String) { rawValue = name }
}

extension Attribute: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Creates an attribute with the given name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The name.
  public var description: String { rawValue }
}

/// A disjunction (OR) of filters of one kind, as created by `||`.
///
/// ```swift
/// let brand: Attribute = "brand"
/// let brands = brand == "Apple" || brand == "Sony"
/// ```
public struct FilterDisjunction<Element: FilterType>: Sendable, Hashable {
  /// The filters.
  public var filters: FilterList<Element>

  /// Creates a disjunction of filters.
  public init(_ filters: FilterList<Element>) { self.filters = filters }

  /// Creates the disjunction of a disjunction and one more filter.
  public static func || (left: Self, right: Element) -> Self {
    FilterDisjunction(FilterList(Array(left.filters) + [right]))
  }
}

extension FilterType {
  /// Creates the disjunction of two filters of one kind; the contract has no OR of different
  /// kinds.
  public static func || (left: Self, right: Self) -> FilterDisjunction<Self> {
    FilterDisjunction([left, right])
  }
}

/// An operand of AND: a filter, a disjunction, or a conjunction of these.
public protocol FilterExpression: Sendable {
  /// The disjunctions that must all match. In each of them, at least one filter must match.
  var conjunction: [[Filter]] { get }
}

extension FilterExpression {
  /// Creates the conjunction of two expressions.
  public static func && (
    left: Self, right: some FilterExpression
  ) -> FilterConjunction {
    FilterConjunction(conjunction: left.conjunction + right.conjunction)
  }

  /// The expression as the `filters` parameter, with its parts in order. Empty if there are no
  /// filters.
  ///
  /// `("brand":"Apple" OR "brand":"Sony") AND "price" < 500`
  public var text: String {
    conjunction.filter { !$0.isEmpty }.map { part in
      let texts = part.map(\.description)
      return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }
}

/// A conjunction (AND) of filters and disjunctions, as created by `&&`.
///
/// An OR of ANDs is not a valid filter, because the contract has no such filter. Where it compiles
/// at all, as it does for comparisons with text, it compares names and is a `Bool`.
public struct FilterConjunction: FilterExpression, Hashable {
  /// The disjunctions that must all match. In each of them, at least one filter must match.
  public var conjunction: [[Filter]]
}

extension FilterDisjunction: FilterExpression {
  /// One part: this disjunction.
  public var conjunction: [[Filter]] { [filters.map(\.filter)] }
}

extension Filter: FilterExpression {
  /// One part: this filter.
  public var conjunction: [[Filter]] { [[self]] }
}

extension FilterType {
  /// One part: this filter.
  public var conjunction: [[Filter]] { [[filter]] }
}
