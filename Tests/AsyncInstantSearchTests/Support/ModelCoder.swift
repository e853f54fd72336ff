@testable import InstantSearchAPI
@testable import InstantSearchJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The ways a model type is decoded and encoded: directly, and by coders that use only `Codable`,
/// each with unchanged names and with names in snake case.
enum ModelCoder: CaseIterable {
  case own, ownSnakeCase, foundation, foundationSnakeCase

  /// The coders that do not change names.
  static let plain: [Self] = [.own, .foundation]

  /// The coders that write the contract's names unchanged.
  static let verbatim: [Self] = [.own, .ownSnakeCase, .foundation]

  func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws -> Value {
    switch self {
    case .own: return try JSONValueDecoder().decode(type, from: Array(text.utf8))
    case .ownSnakeCase:
      let options = JSONDecodingOptions(dates: .deferredToDate, keys: .convertFromSnakeCase)
      return try JSONValueDecoder(options: options).decode(type, from: Array(text.utf8))
    case .foundation: return try JSONDecoder().decode(type, from: Data(text.utf8))
    case .foundationSnakeCase:
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(type, from: Data(text.utf8))
    }
  }

  /// The value after encoding and decoding.
  func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try decode(Value.self, String(decoding: data(value), as: UTF8.self))
  }

  /// The value as text, with object members sorted by name.
  func encode(_ value: some Encodable) throws -> String {
    let data = try data(value)
    switch self {
    case .own, .ownSnakeCase: return try JSON(parsing: Array(data)).text
    case .foundation, .foundationSnakeCase: return String(decoding: data, as: UTF8.self)
    }
  }

  private func data(_ value: some Encodable) throws -> Data {
    switch self {
    case .own: return Data(try JSONValueEncoder().encode(value))
    case .ownSnakeCase:
      let options = JSONEncodingOptions(dates: .deferredToDate, keys: .convertToSnakeCase)
      return Data(try JSONValueEncoder(options: options).encode(value))
    case .foundation, .foundationSnakeCase:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if self == .foundationSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
      return try encoder.encode(value)
    }
  }
}

/// The record of the documentation's examples.
struct Movie: Codable, Sendable, Hashable {
  let title: String
  let year: Int
}
