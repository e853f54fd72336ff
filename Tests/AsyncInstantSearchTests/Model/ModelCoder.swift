import AsyncInstantSearch
import SearchJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The two ways a model type is read and written: directly, and by a coder that knows only `Codable`.
enum ModelCoder: CaseIterable {
  case own, foundation

  func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws -> Value {
    switch self {
    case .own: try JSONValueDecoder().decode(type, from: Array(text.utf8))
    case .foundation: try JSONDecoder().decode(type, from: Data(text.utf8))
    }
  }

  /// The value after it was written and read again.
  func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    switch self {
    case .own: try JSONValueDecoder().decode(Value.self, from: JSONValueEncoder().encode(value))
    case .foundation: try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
  }

  /// The value as text, object members sorted by name.
  func encode(_ value: some Encodable) throws -> String {
    switch self {
    case .own:
      return try JSON(parsing: JSONValueEncoder().encode(value)).text
    case .foundation:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
  }
}

/// The record of the user's own documentation.
struct Movie: Codable, Sendable, Hashable {
  let title: String
  let year: Int
}
