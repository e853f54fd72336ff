#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

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
