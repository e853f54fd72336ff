import SearchJSON

/// Any JSON value, decoded by trial as user code does it, or built from nodes.
enum JSONTree: Equatable, Decodable {
  case null
  case bool(Bool)
  case number(UInt64)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value.bitPattern)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  /// The tree below a node; nil when a number has no double.
  init?(_ node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .bool:
      guard let value = node.bool else { return nil }
      self = .bool(value)
    case .number:
      guard let value = node.double else { return nil }
      self = .number(value.bitPattern)
    case .string:
      guard let value = node.string else { return nil }
      self = .string(value)
    case .array:
      let elements = node.elements.compactMap(JSONTree.init)
      guard elements.count == node.count else { return nil }
      self = .array(elements)
    case .object:
      var members: [String: JSONTree] = [:]
      for member in node.members {
        guard let value = JSONTree(member.value) else { return nil }
        members[member.key] = value
      }
      self = .object(members)
    }
  }
}
