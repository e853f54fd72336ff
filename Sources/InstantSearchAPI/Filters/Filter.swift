/// A condition on records: a facet value, a number or a tag.
public enum Filter: Sendable, Hashable {
  /// A value of a facet.
  case facet(Facet)
  /// A comparison with a number, or a range of numbers.
  case numeric(Numeric)
  /// A tag.
  case tag(Tag)

  /// The attribute of the condition; `_tags` for a tag.
  public var attribute: Attribute {
    switch self {
    case .facet(let filter): filter.attribute
    case .numeric(let filter): filter.attribute
    case .tag(let filter): filter.attribute
    }
  }

  /// Whether the filter is negated.
  public var isNegated: Bool {
    switch self {
    case .facet(let filter): filter.isNegated
    case .numeric(let filter): filter.isNegated
    case .tag(let filter): filter.isNegated
    }
  }

  /// The kinds of filters. Filters joined by OR must be of one kind.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Values of facets.
    case facet
    /// Numbers.
    case numeric
    /// Tags.
    case tag
  }

  /// The kind of the filter.
  public var kind: Kind {
    switch self {
    case .facet: .facet
    case .numeric: .numeric
    case .tag: .tag
    }
  }

  /// Returns the negated filter.
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

/// An element of filter groups: a ``Filter``, or a filter of one kind.
public protocol FilterElement: Sendable, Hashable {
  /// The attribute of the condition.
  var attribute: Attribute { get }
  /// Whether the filter is negated.
  var isNegated: Bool { get }
  /// The filter as a ``Filter``.
  var filter: Filter { get }
}

/// A filter of one kind: ``Filter/Facet``, ``Filter/Numeric`` or ``Filter/Tag``.
public protocol FilterType: FilterElement, FilterExpression, CustomStringConvertible {
  /// The kind of the filter.
  static var kind: Filter.Kind { get }
  /// Whether the filter is negated.
  var isNegated: Bool { get set }
  /// Creates a filter of this kind; `nil` for a filter of another kind.
  init?(_ filter: Filter)
}

extension FilterType {
  /// Returns the negated filter.
  public static prefix func ! (filter: Self) -> Self {
    var copy = filter
    copy.isNegated.toggle()
    return copy
  }

  /// The filter in the syntax of the `filters` parameter.
  public var description: String { filter.description }
}

extension Filter {
  /// A filter on a facet value, which is compared without regard to case.
  public struct Facet: FilterType {
    /// The value of a facet filter.
    public enum Value: Sendable, Hashable {
      /// Text.
      case string(String)
      /// A number.
      case number(Double)
      /// A boolean.
      case bool(Bool)

      /// The value as text. An integer has no fraction.
      public var text: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.plainNumber
        case .bool(let bool): bool ? "true" : "false"
        }
      }
    }

    /// The attribute.
    public var attribute: Attribute
    /// The value that matching records have.
    public var value: Value
    /// Whether matching records do not have the value.
    public var isNegated: Bool
    /// The weight of the filter as an optional filter, 0 to 65,535; `nil` counts as 1.
    public var score: Int?

    /// Creates a filter on a value.
    public init(
      _ attribute: Attribute, _ value: Value, isNegated: Bool = false, score: Int? = nil
    ) {
      self.attribute = attribute
      self.value = value
      self.isNegated = isNegated
      self.score = score
    }

    /// Creates a filter on text.
    public init(
      attribute: Attribute, stringValue: String, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .string(stringValue), isNegated: isNegated, score: score)
    }

    /// Creates a filter on a number that is a facet value.
    public init(
      attribute: Attribute, floatValue: Double, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .number(floatValue), isNegated: isNegated, score: score)
    }

    /// Creates a filter on a Boolean.
    public init(
      attribute: Attribute, boolValue: Bool, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .bool(boolValue), isNegated: isNegated, score: score)
    }

    /// Returns the filter with a score.
    public func scored(_ score: Int?) -> Facet {
      var copy = self
      copy.score = score
      return copy
    }
  }

  /// A comparison with a number, or a range of numbers.
  public struct Numeric: FilterType {
    /// The operator of a comparison.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
      /// Less than.
      case less = "<"
      /// Less than or equal to.
      case lessOrEqual = "<="
      /// Equal to.
      case equal = "="
      /// Not equal to.
      case notEqual = "!="
      /// Greater than or equal to.
      case greaterOrEqual = ">="
      /// Greater than.
      case greater = ">"
    }

    /// The numbers that match.
    public enum Value: Sendable, Hashable {
      /// Numbers for which the comparison is true.
      case comparison(Operator, Double)
      /// Numbers in a range, bounds included.
      case range(ClosedRange<Double>)
    }

    /// The attribute.
    public var attribute: Attribute
    /// The numbers that match.
    public var value: Value
    /// Whether the filter is negated.
    public var isNegated: Bool

    /// Creates a comparison.
    public init(
      _ attribute: Attribute, _ operator: Operator, _ number: Double, isNegated: Bool = false
    ) {
      self.attribute = attribute
      self.value = .comparison(`operator`, number)
      self.isNegated = isNegated
    }

    /// Creates a filter on a range, bounds included.
    public init(_ attribute: Attribute, _ range: ClosedRange<Double>, isNegated: Bool = false) {
      self.attribute = attribute
      self.value = .range(range)
      self.isNegated = isNegated
    }
  }

  /// A filter on a tag in the `_tags` attribute, which is compared with case.
  public struct Tag: FilterType, ExpressibleByStringInterpolation {
    /// The tag.
    public var value: String
    /// Whether matching records do not have the tag.
    public var isNegated: Bool

    /// Creates a filter on a tag.
    public init(_ value: String, isNegated: Bool = false) {
      self.value = value
      self.isNegated = isNegated
    }

    /// Creates a filter on a tag.
    public init(stringLiteral value: String) { self.init(value) }
  }
}

// MARK: - Conversions

extension Filter.Facet {
  /// The kind `facet`.
  public static var kind: Filter.Kind { .facet }
  /// The filter as a ``Filter``.
  public var filter: Filter { .facet(self) }
  /// Creates the facet filter of a ``Filter``; `nil` for another kind.
  public init?(_ filter: Filter) {
    guard case .facet(let facet) = filter else { return nil }
    self = facet
  }
}

extension Filter.Numeric {
  /// The kind `numeric`.
  public static var kind: Filter.Kind { .numeric }
  /// The filter as a ``Filter``.
  public var filter: Filter { .numeric(self) }
  /// Creates the numeric filter of a ``Filter``; `nil` for another kind.
  public init?(_ filter: Filter) {
    guard case .numeric(let numeric) = filter else { return nil }
    self = numeric
  }
}

extension Filter.Tag {
  /// The kind `tag`.
  public static var kind: Filter.Kind { .tag }
  /// Always `_tags`.
  public var attribute: Attribute { "_tags" }
  /// The filter as a ``Filter``.
  public var filter: Filter { .tag(self) }
  /// Creates the tag filter of a ``Filter``; `nil` for another kind.
  public init?(_ filter: Filter) {
    guard case .tag(let tag) = filter else { return nil }
    self = tag
  }
}
