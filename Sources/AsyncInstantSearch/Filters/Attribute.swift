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
