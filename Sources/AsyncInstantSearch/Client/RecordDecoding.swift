#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import InstantSearchJSON

/// How a client reads records where JSON leaves a choice; the defaults are those of `JSONDecoder`.
///
///     var client = SearchClient(transport: engine)
///     client.decoding = RecordDecoding(dates: .secondsSince1970, keys: .convertFromSnakeCase)
///
/// The choices hold for records and for everything inside them, never for the metadata of a hit.
public struct RecordDecoding: Sendable {
  /// How a `Date` is read.
  public struct Dates: Sendable {
    let strategy: JSONDecodingOptions.Dates

    /// As `Date` decodes itself: seconds since 1 January 2001, in UTC.
    public static let deferredToDate = Dates(strategy: .deferredToDate)
    /// An ISO 8601 text such as `2024-05-01T12:00:00Z`, with or without fractional seconds.
    public static let iso8601 = Dates(strategy: .iso8601)
    /// Seconds since 1 January 1970, the way filters count time.
    public static let secondsSince1970 = Dates(strategy: .secondsSince1970)
    /// Milliseconds since 1 January 1970.
    public static let millisecondsSince1970 = Dates(strategy: .millisecondsSince1970)
    /// As the closure reads it.
    public static func custom(_ read: @escaping @Sendable (any Decoder) throws -> Date) -> Dates {
      Dates(strategy: .custom(read))
    }
  }

  /// How the keys of records become coding keys; the keys of dictionaries stay as they are.
  public struct Keys: Sendable {
    let strategy: JSONDecodingOptions.Keys

    /// Unchanged.
    public static let useDefaultKeys = Keys(strategy: .useDefaultKeys)
    /// `first_name` becomes `firstName`.
    public static let convertFromSnakeCase = Keys(strategy: .convertFromSnakeCase)
  }

  /// How infinities and NaN are read, for which JSON has no number.
  public struct NonConformingFloats: Sendable {
    let strategy: JSONNonConformingFloats

    /// Not at all: they are errors.
    public static let `throw` = NonConformingFloats(strategy: .throw)
    /// From these strings.
    public static func convertFromString(
      positiveInfinity: String, negativeInfinity: String, nan: String
    ) -> NonConformingFloats {
      NonConformingFloats(
        strategy: .strings(
          positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan))
    }
  }

  /// How a `Date` is read.
  public var dates: Dates
  /// How the keys of records become coding keys.
  public var keys: Keys
  /// How infinities and NaN are read.
  public var nonConformingFloats: NonConformingFloats
  /// What the decoder carries for the types that ask for it.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates the choices.
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

  var options: JSONDecodingOptions {
    JSONDecodingOptions(
      dates: dates.strategy,
      keys: keys.strategy,
      nonConformingFloats: nonConformingFloats.strategy,
      userInfo: userInfo)
  }
}
