#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import InstantSearchJSON

/// The encoding strategies of records that a client or an embedded engine writes. The defaults
/// match `JSONEncoder`.
///
/// It is needed only if records are written in a different form than ``RecordDecoding`` reads, or
/// if a date has a custom form:
///
///     client.decoding.dates = .custom { … }
///     client.encoding = RecordEncoding(dates: .custom { date, encoder in … })
public struct RecordEncoding: Sendable {
  /// The strategy for encoding a `Date`.
  public struct Dates: Sendable {
    let strategy: JSONEncodingOptions.Dates

    /// The format in which `Date` encodes itself: seconds since 1 January 2001, in UTC.
    public static let deferredToDate = Dates(strategy: .deferredToDate)
    /// An ISO 8601 text such as `2024-05-01T12:00:00Z`, with whole seconds.
    public static let iso8601 = Dates(strategy: .iso8601)
    /// Seconds since 1 January 1970, as in numeric filters.
    public static let secondsSince1970 = Dates(strategy: .secondsSince1970)
    /// Milliseconds since 1 January 1970.
    public static let millisecondsSince1970 = Dates(strategy: .millisecondsSince1970)
    /// A custom format that the closure writes.
    public static func custom(
      _ write: @escaping @Sendable (Date, any Encoder) throws -> Void
    ) -> Dates {
      Dates(strategy: .custom(write))
    }
  }

  /// The strategy for converting coding keys to record keys. Keys of dictionaries are unchanged.
  public struct Keys: Sendable {
    let strategy: JSONEncodingOptions.Keys

    /// Unchanged.
    public static let useDefaultKeys = Keys(strategy: .useDefaultKeys)
    /// `firstName` becomes `first_name`. The key `objectID` is unchanged.
    public static let convertToSnakeCase = Keys(strategy: .convertToSnakeCaseExcept(["objectID"]))
  }

  /// The strategy for dates.
  public var dates: Dates
  /// The strategy for keys.
  public var keys: Keys
  /// The strategy for infinities and NaN.
  public var nonConformingFloats: RecordDecoding.NonConformingFloats
  /// Contextual information for types that read it from the encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates encoding strategies.
  public init(
    dates: Dates = .deferredToDate,
    keys: Keys = .useDefaultKeys,
    nonConformingFloats: RecordDecoding.NonConformingFloats = .throw,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.dates = dates
    self.keys = keys
    self.nonConformingFloats = nonConformingFloats
    self.userInfo = userInfo
  }

  /// Creates the strategies that write what the given ones read; `nil` for a custom form of dates.
  package init?(writing decoding: RecordDecoding) {
    let dates: Dates
    switch decoding.dates.strategy {
    case .deferredToDate: dates = .deferredToDate
    case .iso8601: dates = .iso8601
    case .secondsSince1970: dates = .secondsSince1970
    case .millisecondsSince1970: dates = .millisecondsSince1970
    case .custom: return nil
    }
    self.init(
      dates: dates,
      keys: decoding.keys.strategy == .useDefaultKeys ? .useDefaultKeys : .convertToSnakeCase,
      nonConformingFloats: decoding.nonConformingFloats, userInfo: decoding.userInfo)
  }

  package var options: JSONEncodingOptions {
    JSONEncodingOptions(
      dates: dates.strategy,
      keys: keys.strategy,
      nonConformingFloats: nonConformingFloats.strategy,
      userInfo: userInfo)
  }
}
