#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How values are written where JSON leaves a choice; the defaults are those of Foundation's
/// encoder.
package struct JSONEncodingOptions: Sendable {
  /// How a `Date` is written.
  package enum Dates: Sendable {
    /// As `Date` encodes itself: seconds since 1 January 2001.
    case deferredToDate
    /// As an ISO 8601 text in UTC with whole seconds.
    case iso8601
    /// As seconds since 1 January 1970.
    case secondsSince1970
    /// As milliseconds since 1 January 1970.
    case millisecondsSince1970
    /// As the closure writes it; a closure that writes nothing writes an empty object.
    case custom(@Sendable (Date, any Encoder) throws -> Void)
  }

  /// How coding keys become keys of objects; the keys of dictionaries stay as they are, and so does
  /// every ``JSONVerbatimKey``.
  package enum Keys: Sendable {
    /// Unchanged.
    case useDefaultKeys
    /// `firstName` becomes `first_name`.
    case convertToSnakeCase
  }

  /// How a `Date` is written.
  package var dates: Dates
  /// How coding keys become keys of objects.
  package var keys: Keys
  /// How infinities and NaN are written.
  package var nonConformingFloats: JSONNonConformingFloats
  /// What encoders carry for the types that ask for it.
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
  var convertsKeys: Bool {
    switch keys {
    case .useDefaultKeys: false
    case .convertToSnakeCase: true
    }
  }

  /// The key of an object that stands for a coding key.
  func name(of key: some CodingKey) -> String {
    switch keys {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase:
      key is any JSONVerbatimKey ? key.stringValue : SnakeCase.snakeCase(key.stringValue)
    }
  }
}

/// A coding key that a format has fixed, so that ``JSONValueEncoder`` writes it as it is, whatever
/// the options say about keys.
package protocol JSONVerbatimKey: CodingKey {}
