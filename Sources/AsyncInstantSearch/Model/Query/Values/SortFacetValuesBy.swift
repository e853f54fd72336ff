import InstantSearchJSON

/// The order of facet values, which also decides which ones are kept.
///
/// A value that is missing here is written as a string literal.
public struct SortFacetValuesBy: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The most frequent first.
  public static let count = SortFacetValuesBy(rawValue: "count")
  /// By name.
  public static let alphabetical = SortFacetValuesBy(rawValue: "alpha")
}

extension SortFacetValuesBy: OpenStringValue, JSONNodeDecodable, JSONWritable {}
