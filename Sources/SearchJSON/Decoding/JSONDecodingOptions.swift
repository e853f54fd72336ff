#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How values are read where JSON leaves a choice; the defaults are those of Foundation's decoder.
package struct JSONDecodingOptions: Sendable {
  /// How a `Date` is read.
  package enum Dates: Sendable {
    /// As `Date` decodes itself: seconds since 1 January 2001.
    case deferredToDate
    /// As an ISO 8601 text such as `2024-05-01T12:00:00Z`, with or without fractional seconds.
    case iso8601
    /// As seconds since 1 January 1970.
    case secondsSince1970
    /// As milliseconds since 1 January 1970.
    case millisecondsSince1970
    /// As the closure reads it.
    case custom(@Sendable (any Decoder) throws -> Date)
  }

  /// How the keys of objects become coding keys; the keys of dictionaries stay as they are.
  package enum Keys: Sendable {
    /// Unchanged.
    case useDefaultKeys
    /// `first_name` becomes `firstName`.
    case convertFromSnakeCase
  }

  /// How a `Date` is read.
  package var dates: Dates
  /// How the keys of objects become coding keys.
  package var keys: Keys
  /// How infinities and NaN are read.
  package var nonConformingFloats: JSONNonConformingFloats
  /// What decoders carry for the types that ask for it.
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
    case .convertFromSnakeCase: true
    }
  }
}
