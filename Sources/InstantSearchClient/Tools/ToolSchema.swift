/// Makes JSON schemas of the arguments and results of tools (JSON Schema 2020-12).
enum ToolSchema {
  /// A member of an object.
  struct Property: Sendable {
    let name: String
    let schema: JSON
    var isRequired = false
  }

  /// An object with some members and no others.
  static func object(_ properties: [Property]) -> JSON {
    var schema: [String: JSON] = ["type": "object", "additionalProperties": false]
    if !properties.isEmpty {
      schema["properties"] = .object(
        Dictionary(properties.map { ($0.name, $0.schema) }) { first, _ in first })
    }
    let required = properties.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  /// An object with any members.
  static func anyObject(_ description: String) -> JSON {
    ["type": "object", "description": .string(description)]
  }

  /// A text.
  static func text(
    _ description: String, of values: [String]? = nil, maximumLength: Int? = nil,
    default standard: String? = nil
  ) -> JSON {
    var schema: [String: JSON] = ["type": "string", "description": .string(description)]
    if let values { schema["enum"] = .array(values.map(JSON.string)) }
    if let maximumLength { schema["maxLength"] = .int(Int64(maximumLength)) }
    if let standard { schema["default"] = .string(standard) }
    return .object(schema)
  }

  /// An integer in a range.
  static func integer(
    _ description: String, _ range: ClosedRange<Int>? = nil, default standard: Int? = nil
  ) -> JSON {
    var schema: [String: JSON] = ["type": "integer", "description": .string(description)]
    if let range {
      schema["minimum"] = .int(Int64(range.lowerBound))
      schema["maximum"] = .int(Int64(range.upperBound))
    }
    if let standard { schema["default"] = .int(Int64(standard)) }
    return .object(schema)
  }

  /// A list.
  static func list(_ description: String, of items: JSON, maximumCount: Int? = nil) -> JSON {
    var schema: [String: JSON] = [
      "type": "array", "description": .string(description), "items": items,
    ]
    if let maximumCount { schema["maxItems"] = .int(Int64(maximumCount)) }
    return .object(schema)
  }
}
