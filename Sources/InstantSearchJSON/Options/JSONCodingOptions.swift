#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How values are read or written where JSON leaves a choice; the defaults are those of
/// Foundation's coders.
package struct JSONCodingOptions<DateFunction: Sendable, KeyChoice: JSONKeyChoice>: Sendable {
  /// How a `Date` is read or written.
  package enum Dates: Sendable {
    /// As `Date` codes itself: seconds since 1 January 2001.
    case deferredToDate
    /// As an ISO 8601 text such as `2024-05-01T12:00:00Z`: read with or without fractional seconds,
    /// written in UTC with whole seconds.
    case iso8601
    /// As seconds since 1 January 1970.
    case secondsSince1970
    /// As milliseconds since 1 January 1970.
    case millisecondsSince1970
    /// As the function does it; one that writes nothing writes an empty object.
    case custom(DateFunction)
  }

  /// The ways to treat keys.
  package typealias Keys = KeyChoice

  /// How a `Date` is read or written.
  package var dates: Dates
  /// How the keys of objects and coding keys become one another; the keys of dictionaries stay as
  /// they are.
  package var keys: Keys
  /// What stands for infinities and NaN.
  package var nonConformingFloats: JSONNonConformingFloats
  /// What coders carry for the types that ask for it.
  package var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates options.
  package init(
    dates: Dates, keys: Keys = .useDefaultKeys,
    nonConformingFloats: JSONNonConformingFloats = .throw,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.dates = dates
    self.keys = keys
    self.nonConformingFloats = nonConformingFloats
    self.userInfo = userInfo
  }

  /// The defaults.
  package init() {
    self.init(dates: .deferredToDate)
  }

  /// Whether keys are converted.
  var convertsKeys: Bool { keys != .useDefaultKeys }
}

/// The ways to treat keys.
package protocol JSONKeyChoice: Sendable, Equatable {
  /// Unchanged.
  static var useDefaultKeys: Self { get }
}

/// What stands for infinities and NaN, for which JSON has no number.
package enum JSONNonConformingFloats: Sendable {
  /// Nothing: reading and writing fail.
  case `throw`
  /// These strings.
  case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
}

/// How values are read where JSON leaves a choice.
package typealias JSONDecodingOptions = JSONCodingOptions<
  @Sendable (any Decoder) throws -> Date, JSONDecodingKeys
>

/// How the keys of objects become coding keys.
package enum JSONDecodingKeys: JSONKeyChoice {
  /// Unchanged.
  case useDefaultKeys
  /// `first_name` becomes `firstName`.
  case convertFromSnakeCase
}

/// How values are written where JSON leaves a choice.
package typealias JSONEncodingOptions = JSONCodingOptions<
  @Sendable (Date, any Encoder) throws -> Void, JSONEncodingKeys
>

/// How coding keys become keys of objects; a ``JSONVerbatimKey`` stays as it is.
package enum JSONEncodingKeys: JSONKeyChoice {
  /// Unchanged.
  case useDefaultKeys
  /// `firstName` becomes `first_name`.
  case convertToSnakeCase

  /// The key of an object that stands for a coding key.
  func name(of key: some CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase:
      key is any JSONVerbatimKey ? key.stringValue : SnakeCase.snakeCase(key.stringValue)
    }
  }
}

/// A coding key that a format has fixed, so that ``JSONValueEncoder`` writes it as it is, whatever
/// the options say about keys.
package protocol JSONVerbatimKey: CodingKey {}
