/// The name of an attribute of records, as filters name it; points lead into objects:
/// `author.name`.
///
/// Comparing an attribute with a value makes a filter:
///
/// ```swift
/// let price: Attribute = "price"
/// let filter = price < 500
/// let brand = Attribute("brand") == "Apple"
/// ```
///
/// Numbers of any type can be compared with. They are sent as a `Double`, which is what the
/// contract compares: an integer beyond 2⁵³ in size that no `Double` is equal to is sent as the
/// nearest one that is. Keep longer IDs as text.
public struct Attribute: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public var rawValue: String

  /// An attribute of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An attribute of that name.
  public init(_ name: String) { rawValue = name }
}

extension Attribute: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// An attribute of that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The name.
  public var description: String { rawValue }
}

/// Filters of one kind, at least one of which must be fulfilled: what `||` makes.
///
/// ```swift
/// let brand: Attribute = "brand"
/// let brands = brand == "Apple" || brand == "Sony"
/// ```
public struct FilterDisjunction<Element: FilterType>: Sendable, Hashable {
  /// The filters.
  public var filters: FilterList<Element>

  /// Filters, at least one of which must be fulfilled.
  public init(_ filters: FilterList<Element>) { self.filters = filters }

  /// One of these filters or that one must be fulfilled.
  public static func || (left: Self, right: Element) -> Self {
    FilterDisjunction(FilterList(Array(left.filters) + [right]))
  }
}

extension FilterType {
  /// One of two filters of one kind must be fulfilled; the contract joins no others by OR.
  public static func || (left: Self, right: Self) -> FilterDisjunction<Self> {
    FilterDisjunction([left, right])
  }
}

/// What can be joined by AND: a filter, alternatives, or such things joined already.
public protocol FilterExpression: Sendable {
  /// The parts that must all be fulfilled; of each, at least one filter must be.
  var conjunction: [[Filter]] { get }
}

extension FilterExpression {
  /// Both must be fulfilled.
  public static func && (
    left: Self, right: some FilterExpression
  ) -> FilterConjunction {
    FilterConjunction(conjunction: left.conjunction + right.conjunction)
  }

  /// The expression as the parameter `filters`, its parts in the order in which they are written;
  /// empty when there is no filter.
  ///
  /// `("brand":"Apple" OR "brand":"Sony") AND "price" < 500`
  public var text: String {
    conjunction.filter { !$0.isEmpty }.map { part in
      let texts = part.map(\.description)
      return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }
}

/// Filters and alternatives that must all be fulfilled: what `&&` makes.
///
/// An OR of ANDs is no filter, because the contract has none. Where it compiles at all, as it does
/// for comparisons with texts, it is a comparison of names, a `Bool`.
public struct FilterConjunction: FilterExpression, Hashable {
  /// The parts that must all be fulfilled; of each, at least one filter must be.
  public var conjunction: [[Filter]]
}

extension FilterDisjunction: FilterExpression {
  /// One part: these alternatives.
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
