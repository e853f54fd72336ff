// A comparison makes a filter of its kind, which `||` can join with others of that kind. Where the
// context wants a `Filter`, it makes one of those: these operators are disfavoured, so that they
// count nowhere else.

extension Attribute {
  /// The records that have that text among the attribute's values.
  public static func == (attribute: Attribute, value: String) -> Filter.Facet {
    Filter.Facet(attribute, .string(value))
  }

  /// The records that do not have that text among the attribute's values.
  public static func != (attribute: Attribute, value: String) -> Filter.Facet {
    !(attribute == value)
  }

  /// The records whose attribute is that boolean.
  public static func == (attribute: Attribute, value: Bool) -> Filter.Facet {
    Filter.Facet(attribute, .bool(value))
  }

  /// The records that have that text among the attribute's values.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: String) -> Filter {
    .facet(attribute == value)
  }

  /// The records that do not have that text among the attribute's values.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: String) -> Filter {
    .facet(attribute != value)
  }

  /// The records whose attribute is that boolean.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: Bool) -> Filter {
    .facet(attribute == value)
  }
}

// MARK: - Numbers

extension Attribute {
  /// The records whose attribute is that number.
  public static func == (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, value)
  }

  /// The records whose attribute is that number.
  public static func == (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, Double(value))
  }

  /// The records whose attribute is that number.
  public static func == (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, Double(value))
  }

  /// The records whose attribute is another number.
  public static func != (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, value)
  }

  /// The records whose attribute is another number.
  public static func != (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, Double(value))
  }

  /// The records whose attribute is another number.
  public static func != (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, Double(value))
  }

  /// The records whose attribute is a smaller number.
  public static func < (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, value)
  }

  /// The records whose attribute is a smaller number.
  public static func < (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, Double(value))
  }

  /// The records whose attribute is a smaller number.
  public static func < (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, Double(value))
  }

  /// The records whose attribute is that number or a smaller one.
  public static func <= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, value)
  }

  /// The records whose attribute is that number or a smaller one.
  public static func <= (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, Double(value))
  }

  /// The records whose attribute is that number or a smaller one.
  public static func <= (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, Double(value))
  }

  /// The records whose attribute is a greater number.
  public static func > (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, value)
  }

  /// The records whose attribute is a greater number.
  public static func > (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, Double(value))
  }

  /// The records whose attribute is a greater number.
  public static func > (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, Double(value))
  }

  /// The records whose attribute is that number or a greater one.
  public static func >= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, value)
  }

  /// The records whose attribute is that number or a greater one.
  public static func >= (attribute: Attribute, value: some BinaryInteger) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, Double(value))
  }

  /// The records whose attribute is that number or a greater one.
  public static func >= (
    attribute: Attribute, value: some BinaryFloatingPoint
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, Double(value))
  }

}

// MARK: - Numbers, as any filter

extension Attribute {
  /// The records whose attribute is that number.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute == value)
  }

  /// The records whose attribute is that number.
  @_disfavoredOverload
  public static func == (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute == value)
  }

  /// The records whose attribute is another number.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute != value)
  }

  /// The records whose attribute is another number.
  @_disfavoredOverload
  public static func != (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute != value)
  }

  /// The records whose attribute is a smaller number.
  @_disfavoredOverload
  public static func < (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute < value)
  }

  /// The records whose attribute is a smaller number.
  @_disfavoredOverload
  public static func < (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute < value)
  }

  /// The records whose attribute is that number or a smaller one.
  @_disfavoredOverload
  public static func <= (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute <= value)
  }

  /// The records whose attribute is that number or a smaller one.
  @_disfavoredOverload
  public static func <= (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute <= value)
  }

  /// The records whose attribute is a greater number.
  @_disfavoredOverload
  public static func > (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute > value)
  }

  /// The records whose attribute is a greater number.
  @_disfavoredOverload
  public static func > (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute > value)
  }

  /// The records whose attribute is that number or a greater one.
  @_disfavoredOverload
  public static func >= (attribute: Attribute, value: some BinaryInteger) -> Filter {
    .numeric(attribute >= value)
  }

  /// The records whose attribute is that number or a greater one.
  @_disfavoredOverload
  public static func >= (attribute: Attribute, value: some BinaryFloatingPoint) -> Filter {
    .numeric(attribute >= value)
  }

}

// MARK: - Ranges

extension Attribute {
  /// The records whose attribute is in a range, its bounds included.
  public static func ~= (range: ClosedRange<Double>, attribute: Attribute) -> Filter.Numeric {
    Filter.Numeric(attribute, range)
  }

  /// The records whose attribute is in a range, its bounds included.
  public func isIn(_ range: ClosedRange<Double>) -> Filter.Numeric {
    Filter.Numeric(self, range)
  }

  /// The records whose attribute is in a range, its bounds included.
  public static func ~= <Bound: BinaryInteger>(range: ClosedRange<Bound>, attribute: Attribute)
    -> Filter.Numeric
  {
    Filter.Numeric(attribute, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// The records whose attribute is in a range, its bounds included.
  public func isIn<Bound: BinaryInteger>(_ range: ClosedRange<Bound>) -> Filter.Numeric {
    Filter.Numeric(self, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// The records whose attribute is in a range, its bounds included.
  public static func ~= <Bound: BinaryFloatingPoint>(
    range: ClosedRange<Bound>, attribute: Attribute
  ) -> Filter.Numeric {
    Filter.Numeric(attribute, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// The records whose attribute is in a range, its bounds included.
  public func isIn<Bound: BinaryFloatingPoint>(_ range: ClosedRange<Bound>) -> Filter.Numeric {
    Filter.Numeric(self, Double(range.lowerBound)...Double(range.upperBound))
  }

  /// The records whose attribute is in a range, its bounds included.
  @_disfavoredOverload
  public static func ~= <Bound: BinaryInteger>(range: ClosedRange<Bound>, attribute: Attribute)
    -> Filter
  {
    .numeric(range ~= attribute)
  }

  /// The records whose attribute is in a range, its bounds included.
  @_disfavoredOverload
  public func isIn<Bound: BinaryInteger>(_ range: ClosedRange<Bound>) -> Filter {
    .numeric(isIn(range))
  }

  /// The records whose attribute is in a range, its bounds included.
  @_disfavoredOverload
  public static func ~= <Bound: BinaryFloatingPoint>(
    range: ClosedRange<Bound>, attribute: Attribute
  ) -> Filter {
    .numeric(range ~= attribute)
  }

  /// The records whose attribute is in a range, its bounds included.
  @_disfavoredOverload
  public func isIn<Bound: BinaryFloatingPoint>(_ range: ClosedRange<Bound>) -> Filter {
    .numeric(isIn(range))
  }

}
