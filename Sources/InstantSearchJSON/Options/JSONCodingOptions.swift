#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The options for values that JSON can represent in several ways. The defaults match Foundation's
/// coders.
package struct JSONCodingOptions<DateFunction: Sendable, KeyChoice: JSONKeyChoice>: Sendable {
  /// The representation of a `Date`.
  package enum Dates: Sendable {
    /// The default of `Date`: seconds since 1 January 2001.
    case deferredToDate
    /// An ISO 8601 text such as `2024-05-01T12:00:00Z`, read with or without fractional seconds,
    /// and written in UTC with whole seconds.
    case iso8601
    /// Seconds since 1 January 1970.
    case secondsSince1970
    /// Milliseconds since 1 January 1970.
    case millisecondsSince1970
    /// A custom function. If it writes nothing, the result is an empty object.
    case custom(DateFunction)
  }

  /// The conversion of keys.
  package typealias Keys = KeyChoice

  /// The representation of a `Date`.
  package var dates: Dates
  /// The conversion between keys of objects and coding keys. Keys of dictionaries are not
  /// converted.
  package var keys: Keys
  /// The representation of infinities and NaN.
  package var nonConformingFloats: JSONNonConformingFloats
  /// The user info of coders.
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

  /// The default options.
  package init() {
    self.init(dates: .deferredToDate)
  }

  /// Whether keys are converted.
  var convertsKeys: Bool { keys != .useDefaultKeys }
}

/// The conversion of keys.
package protocol JSONKeyChoice: Sendable, Equatable {
  /// No conversion.
  static var useDefaultKeys: Self { get }
}

/// The representation of infinities and NaN, for which JSON has no numbers.
package enum JSONNonConformingFloats: Sendable {
  /// None: reading and writing fail.
  case `throw`
  /// These strings.
  case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
}

/// The options for decoding.
package typealias JSONDecodingOptions = JSONCodingOptions<
  @Sendable (any Decoder) throws -> Date, JSONDecodingKeys
>

/// The conversion of keys of objects to coding keys.
package enum JSONDecodingKeys: JSONKeyChoice {
  /// No conversion.
  case useDefaultKeys
  /// `first_name` becomes `firstName`.
  case convertFromSnakeCase
}

/// The options for encoding.
package typealias JSONEncodingOptions = JSONCodingOptions<
  @Sendable (Date, any Encoder) throws -> Void, JSONEncodingKeys
>

/// The conversion of coding keys to keys of objects. A ``JSONVerbatimKey`` is not converted.
package enum JSONEncodingKeys: JSONKeyChoice {
  /// No conversion.
  case useDefaultKeys
  /// `firstName` becomes `first_name`.
  case convertToSnakeCase
  /// The same, but for the given keys, which are not converted.
  case convertToSnakeCaseExcept(Set<String>)

  /// The key of an object for a coding key.
  func name(of key: some CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase:
      key is any JSONVerbatimKey ? key.stringValue : SnakeCase.snakeCase(key.stringValue)
    case .convertToSnakeCaseExcept(let keys):
      keys.contains(key.stringValue)
        ? key.stringValue : JSONEncodingKeys.convertToSnakeCase.name(of: key)
    }
  }
}

/// A coding key that a format specifies. ``JSONValueEncoder`` writes it unchanged, regardless of
/// the key options.
package protocol JSONVerbatimKey: CodingKey {}
