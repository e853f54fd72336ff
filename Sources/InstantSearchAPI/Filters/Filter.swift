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

extension Filter {
  /// A value of a facet: the records that have it, compared as the engine does, without case.
  public struct Facet: FilterType {
    /// What a facet value is.
    public enum Value: Sendable, Hashable {
      /// Text.
      case string(String)
      /// A number.
      case number(Double)
      /// A boolean.
      case bool(Bool)

      /// The value as a facet's values are shown: an integer without a fraction.
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
    /// The value that records must have.
    public var value: Value
    /// Whether records must not have it.
    public var isNegated: Bool
    /// How much the filter counts when it is optional: 0 to 65,535; `nil` counts as 1.
    public var score: Int?

    /// A filter on a value.
    public init(
      _ attribute: Attribute, _ value: Value, isNegated: Bool = false, score: Int? = nil
    ) {
      self.attribute = attribute
      self.value = value
      self.isNegated = isNegated
      self.score = score
    }

    /// A filter on text.
    public init(
      attribute: Attribute, stringValue: String, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .string(stringValue), isNegated: isNegated, score: score)
    }

    /// A filter on a number that is a facet value.
    public init(
      attribute: Attribute, floatValue: Double, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .number(floatValue), isNegated: isNegated, score: score)
    }

    /// A filter on a boolean.
    public init(
      attribute: Attribute, boolValue: Bool, isNegated: Bool = false, score: Int? = nil
    ) {
      self.init(attribute, .bool(boolValue), isNegated: isNegated, score: score)
    }

    /// The same filter with a score.
    public func scored(_ score: Int?) -> Facet {
      var copy = self
      copy.score = score
      return copy
    }
  }

  /// A comparison with a number, or a range of numbers.
  public struct Numeric: FilterType {
    /// How numbers are compared.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
      /// Smaller.
      case less = "<"
      /// Smaller or equal.
      case lessOrEqual = "<="
      /// Equal.
      case equal = "="
      /// Not equal.
      case notEqual = "!="
      /// Greater or equal.
      case greaterOrEqual = ">="
      /// Greater.
      case greater = ">"
    }

    /// What numbers fulfil the condition.
    public enum Value: Sendable, Hashable {
      /// Those that compare so with a number.
      case comparison(Operator, Double)
      /// Those in a range, its bounds included.
      case range(ClosedRange<Double>)
    }

    /// The attribute.
    public var attribute: Attribute
    /// What numbers fulfil the condition.
    public var value: Value
    /// Whether the condition is turned round.
    public var isNegated: Bool

    /// A comparison.
    public init(
      _ attribute: Attribute, _ operator: Operator, _ number: Double, isNegated: Bool = false
    ) {
      self.attribute = attribute
      self.value = .comparison(`operator`, number)
      self.isNegated = isNegated
    }

    /// A range, its bounds included.
    public init(_ attribute: Attribute, _ range: ClosedRange<Double>, isNegated: Bool = false) {
      self.attribute = attribute
      self.value = .range(range)
      self.isNegated = isNegated
    }
  }

  /// A tag: the records that have it in the list `_tags`, compared with case.
  public struct Tag: FilterType, ExpressibleByStringInterpolation {
    /// The tag.
    public var value: String
    /// Whether records must not have it.
    public var isNegated: Bool

    /// A filter on a tag.
    public init(_ value: String, isNegated: Bool = false) {
      self.value = value
      self.isNegated = isNegated
    }

    /// A filter on a tag.
    public init(stringLiteral value: String) { self.init(value) }
  }
}

// MARK: - Each kind among the others

extension Filter.Facet {
  /// The kind of these filters.
  public static var kind: Filter.Kind { .facet }
  /// The filter among the other kinds.
  public var filter: Filter { .facet(self) }
  /// The filter when it is on a facet.
  public init?(_ filter: Filter) {
    guard case .facet(let facet) = filter else { return nil }
    self = facet
  }
}

extension Filter.Numeric {
  /// The kind of these filters.
  public static var kind: Filter.Kind { .numeric }
  /// The filter among the other kinds.
  public var filter: Filter { .numeric(self) }
  /// The filter when it is on numbers.
  public init?(_ filter: Filter) {
    guard case .numeric(let numeric) = filter else { return nil }
    self = numeric
  }
}

extension Filter.Tag {
  /// The kind of these filters.
  public static var kind: Filter.Kind { .tag }
  /// Always `_tags`.
  public var attribute: Attribute { "_tags" }
  /// The filter among the other kinds.
  public var filter: Filter { .tag(self) }
  /// The filter when it is on a tag.
  public init?(_ filter: Filter) {
    guard case .tag(let tag) = filter else { return nil }
    self = tag
  }
}
