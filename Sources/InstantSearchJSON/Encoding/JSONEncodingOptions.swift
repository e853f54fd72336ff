#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

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
