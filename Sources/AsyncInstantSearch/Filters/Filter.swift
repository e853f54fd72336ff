/// One condition on records: a facet value, a number or a tag.
public enum Filter: Sendable, Hashable {
  /// A value of a facet.
  case facet(Facet)
  /// A comparison with a number, or a range of numbers.
  case numeric(Numeric)
  /// A tag.
  case tag(Tag)

  /// The attribute the condition is on; `_tags` for a tag.
  public var attribute: Attribute {
    switch self {
    case .facet(let filter): filter.attribute
    case .numeric(let filter): filter.attribute
    case .tag(let filter): filter.attribute
    }
  }

  /// Whether the condition is turned round.
  public var isNegated: Bool {
    switch self {
    case .facet(let filter): filter.isNegated
    case .numeric(let filter): filter.isNegated
    case .tag(let filter): filter.isNegated
    }
  }

  /// What kinds of filters there are; the filters joined by OR must be of one kind.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Values of facets.
    case facet
    /// Numbers.
    case numeric
    /// Tags.
    case tag
  }

  /// Which kind the filter is of.
  public var kind: Kind {
    switch self {
    case .facet: .facet
    case .numeric: .numeric
    case .tag: .tag
    }
  }

  /// The opposite condition.
  public static prefix func ! (filter: Filter) -> Filter {
    switch filter {
    case .facet(let filter): .facet(!filter)
    case .numeric(let filter): .numeric(!filter)
    case .tag(let filter): .tag(!filter)
    }
  }
}

extension Filter: FilterElement {
  /// The filter itself.
  public var filter: Filter { self }
}

/// What groups of filters are made of: ``Filter``, or one kind of it.
public protocol FilterElement: Sendable, Hashable {
  /// The attribute the condition is on.
  var attribute: Attribute { get }
  /// Whether the condition is turned round.
  var isNegated: Bool { get }
  /// The filter as one of all kinds.
  var filter: Filter { get }
}

/// One kind of filter: ``Filter/Facet``, ``Filter/Numeric`` or ``Filter/Tag``.
public protocol FilterType: FilterElement, FilterExpression, CustomStringConvertible {
  /// Which kind it is.
  static var kind: Filter.Kind { get }
  /// Whether the condition is turned round.
  var isNegated: Bool { get set }
  /// The filter of this kind; `nil` for another kind.
  init?(_ filter: Filter)
}

extension FilterType {
  /// The opposite condition.
  public static prefix func ! (filter: Self) -> Self {
    var copy = filter
    copy.isNegated.toggle()
    return copy
  }

  /// The filter as it stands in the parameter `filters`.
  public var description: String { filter.description }
}
