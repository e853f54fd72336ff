/// The name of an attribute of records, as filters name it; points lead into objects: `author.name`.
///
/// Comparing an attribute with a value makes a filter:
///
/// ```swift
/// let price: Attribute = "price"
/// let filter = price < 500
/// let brand = Attribute("brand") == "Apple"
/// ```
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

// MARK: - Filters from comparisons

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

  /// The records whose attribute is that number.
  public static func == (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .equal, value)
  }

  /// The records whose attribute is another number.
  public static func != (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .notEqual, value)
  }

  /// The records whose attribute is a smaller number.
  public static func < (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, value)
  }

  /// The records whose attribute is that number or a smaller one.
  public static func <= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, value)
  }

  /// The records whose attribute is a greater number.
  public static func > (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, value)
  }

  /// The records whose attribute is that number or a greater one.
  public static func >= (attribute: Attribute, value: Double) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, value)
  }

  /// The records whose attribute is in a range, its bounds included.
  public static func ~= (range: ClosedRange<Double>, attribute: Attribute) -> Filter.Numeric {
    Filter.Numeric(attribute, range)
  }

  /// The records whose attribute is in a range, its bounds included.
  public func isIn(_ range: ClosedRange<Double>) -> Filter.Numeric {
    Filter.Numeric(self, range)
  }
}
