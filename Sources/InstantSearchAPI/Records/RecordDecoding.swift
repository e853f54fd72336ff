#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import InstantSearchJSON

/// The decoding strategies of records. The defaults match `JSONDecoder`.
///
///     var client = SearchClient(transport: engine)
///     client.decoding = RecordDecoding(dates: .secondsSince1970, keys: .convertFromSnakeCase)
///
/// A client and an embedded engine write records in the form that they read, so a date is the same
/// on every path. Choose seconds since 1970 for dates that searches filter by or sort by.
///
/// The strategies apply to records and to everything inside them, never to the metadata of a hit.
public struct RecordDecoding: Sendable {
  /// The strategy for decoding a `Date`.
  public struct Dates: Sendable {
    let strategy: JSONDecodingOptions.Dates

    /// The format in which `Date` decodes itself: seconds since 1 January 2001, in UTC.
    public static let deferredToDate = Dates(strategy: .deferredToDate)
    /// An ISO 8601 text such as `2024-05-01T12:00:00Z`, with or without fractional seconds.
    public static let iso8601 = Dates(strategy: .iso8601)
    /// Seconds since 1 January 1970, as in numeric filters.
    public static let secondsSince1970 = Dates(strategy: .secondsSince1970)
    /// Milliseconds since 1 January 1970.
    public static let millisecondsSince1970 = Dates(strategy: .millisecondsSince1970)
    /// A custom format that the closure reads.
    public static func custom(_ read: @escaping @Sendable (any Decoder) throws -> Date) -> Dates {
      Dates(strategy: .custom(read))
    }
  }

  /// The strategy for converting record keys to coding keys. Keys of dictionaries are unchanged.
  public struct Keys: Sendable {
    let strategy: JSONDecodingOptions.Keys

    /// Unchanged.
    public static let useDefaultKeys = Keys(strategy: .useDefaultKeys)
    /// `first_name` becomes `firstName`.
    public static let convertFromSnakeCase = Keys(strategy: .convertFromSnakeCase)
  }

  /// The strategy for infinities and NaN, which JSON cannot represent as numbers.
  public struct NonConformingFloats: Sendable {
    let strategy: JSONNonConformingFloats

    /// Throws an error for them.
    public static let `throw` = NonConformingFloats(strategy: .throw)
    /// Decodes them from the given strings.
    public static func convertFromString(
      positiveInfinity: String, negativeInfinity: String, nan: String
    ) -> NonConformingFloats {
      NonConformingFloats(
        strategy: .strings(
          positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan))
    }
  }

  /// The strategy for dates.
  public var dates: Dates
  /// The strategy for keys.
  public var keys: Keys
  /// The strategy for infinities and NaN.
  public var nonConformingFloats: NonConformingFloats
  /// Contextual information for types that read it from the decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates decoding strategies.
  public init(
    dates: Dates = .deferredToDate,
    keys: Keys = .useDefaultKeys,
    nonConformingFloats: NonConformingFloats = .throw,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.dates = dates
    self.keys = keys
    self.nonConformingFloats = nonConformingFloats
    self.userInfo = userInfo
  }

  package var options: JSONDecodingOptions {
    JSONDecodingOptions(
      dates: dates.strategy,
      keys: keys.strategy,
      nonConformingFloats: nonConformingFloats.strategy,
      userInfo: userInfo)
  }
}
