// A comparison creates a filter of its kind, which `||` can join with other filters of that kind.
// If the context requires a `Filter`, it creates a `Filter`: these operators are disfavored, so
// that they are not used anywhere else.

extension Attribute {
  /// Matches records with the given text among the attribute's values.
  public static func == (attribute: Attribute, value: String) -> Filter.Facet {
    Filter.Facet(attribute, .string(value))
  }

  /// Matches records without the given text among the attribute's values.
  public static func != (attribute: Attribute, value: String) -> Filter.Facet {
    !(attribute == value)
  }

  /// Matches records whose attribute is the given Boolean.
  public static func == (attribute: Attribute, value: Bool) -> Filter.Facet {
    Filter.Facet(attribute, .bool(value))
  }

  /// Matches records with the given text among the attribute's values.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: String) -> Filter {
    .facet(attribute == value)
  }

  /// Matches records without the given text among the attribute's values.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: String) -> Filter {
    .facet(attribute != value)
  }

  /// Matches records whose attribute is the given Boolean.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: Bool) -> Filter {
    .facet(attribute == value)
  }
}

// MARK: - Numbers

extension Attribute {
  /// Matches records whose attribute is equal to the number.
  public static func == (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, value)
  }

  /// Matches records whose attribute is equal to the number.
  public static func == (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, Double(value))
  }

  /// Matches records whose attribute is equal to the number.
  public static func == (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, Double(value))
  }

  /// Matches records whose attribute is a different number.
  public static func != (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, value)
  }

  /// Matches records whose attribute is a different number.
  public static func != (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, Double(value))
  }

  /// Matches records whose attribute is a different number.
  public static func != (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, Double(value))
  }

  /// Matches records whose attribute is less than the number.
  public static func < (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, value)
  }

  /// Matches records whose attribute is less than the number.
  public static func < (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, Double(value))
  }

  /// Matches records whose attribute is less than the number.
  public static func < (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, Double(value))
  }

  /// Matches records whose attribute is less than or equal to the number.
  public static func <= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, value)
  }

  /// Matches records whose attribute is less than or equal to the number.
  public static func <= (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, Double(value))
  }

  /// Matches records whose attribute is less than or equal to the number.
  public static func <= (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, Double(value))
  }

  /// Matches records whose attribute is greater than the number.
  public static func > (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, value)
  }

  /// Matches records whose attribute is greater than the number.
  public static func > (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, Double(value))
  }

  /// Matches records whose attribute is greater than the number.
  public static func > (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, Double(value))
  }

  /// Matches records whose attribute is greater than or equal to the number.
  public static func >= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, value)
  }

  /// Matches records whose attribute is greater than or equal to the number.
  public static func >= (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, Double(value))
  }

  /// Matches records whose attribute is greater than or equal to the number.
  public static func >= (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, Double(value))
  }

}

// MARK: - Numbers, as any filter

extension Attribute {
  /// Matches records whose attribute is equal to the number.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute == value)
  }

  /// Matches records whose attribute is equal to the number.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute == value)
  }

  /// Matches records whose attribute is a different number.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute != value)
  }

  /// Matches records whose attribute is a different number.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute != value)
  }

  /// Matches records whose attribute is less than the number.
  @_disfavoredOverload
  public static func < (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute < value)
  }

  /// Matches records whose attribute is less than the number.
  @_disfavoredOverload
  public static func < (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute < value)
  }

  /// Matches records whose attribute is less than or equal to the number.
  @_disfavoredOverload
  public static func <= (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute <= value)
  }

  /// Matches records whose attribute is less than or equal to the number.
  @_disfavoredOverload
  public static func <= (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute <= value)
  }

  /// Matches records whose attribute is greater than the number.
  @_disfavoredOverload
  public static func > (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute > value)
  }

  /// Matches records whose attribute is greater than the number.
  @_disfavoredOverload
  public static func > (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute > value)
  }

  /// Matches records whose attribute is greater than or equal to the number.
  @_disfavoredOverload
  public static func >= (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute >= value)
  }

  /// Matches records whose attribute is greater than or equal to the number.
  @_disfavoredOverload
  public static func >= (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute >= value)
  }

}

// MARK: - Ranges

extension Attribute {
  /// Matches records whose attribute is in the range, bounds included.
  public static func ~= (range: ClosedRange<Double>, attribute: Attribute) -> Filter.Numeric {
    Filter.Numeric(attribute, range)
  }

  /// Matches records whose attribute is in the range, bounds included.
  public func isIn(_ range: ClosedRange<Double>) -> Filter.Numeric {
    Filter.Numeric(self, range)
  }

  /// Matches records whose attribute is in the range, bounds included.
  public static func ~= <Bound: BinaryInteger>(range: ClosedRange<Bound>, attribute: Attribute)
    -> Filter.Numeric
  {
    Filter.Numeric(attribute, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// Matches records whose attribute is in the range, bounds included.
  public func isIn<Bound: BinaryInteger>(_ range: ClosedRange<Bound>) -> Filter.Numeric {
    Filter.Numeric(self, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// Matches records whose attribute is in the range, bounds included.
  public static func ~= <Bound: BinaryFloatingPoint>(
    range: ClosedRange<Bound>, attribute: Attribute
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// Matches records whose attribute is in the range, bounds included.
  public func isIn<Bound: BinaryFloatingPoint>(_ range: ClosedRange<Bound>) -> Filter.Numeric {
    Filter.Numeric(self, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// Matches records whose attribute is in the range, bounds included.
  @_disfavoredOverload
  public static func ~= <Bound: BinaryInteger>(range: ClosedRange<Bound>, attribute: Attribute)
    -> Filter
  {
    .numeric(range ~= attribute)
  }

  /// Matches records whose attribute is in the range, bounds included.
  @_disfavoredOverload
  public func isIn<Bound: BinaryInteger>(_ range: ClosedRange<Bound>) -> Filter {
    .numeric(isIn(range))
  }

  /// Matches records whose attribute is in the range, bounds included.
  @_disfavoredOverload
  public static func ~= <Bound: BinaryFloatingPoint>(
    range: ClosedRange<Bound>, attribute: Attribute
  ) -> Filter {
    .numeric(range ~= attribute)
  }

  /// Matches records whose attribute is in the range, bounds included.
  @_disfavoredOverload
  public func isIn<Bound: BinaryFloatingPoint>(_ range: ClosedRange<Bound>) -> Filter {
    .numeric(isIn(range))
  }

}
