package import InstantSearchJSON

/// Any JSON value, decoded by trial as in user code, or built from nodes.
///
/// Texts are stored as UTF-8, since strings are equal under normalization.
package enum JSONTree: Equatable, Decodable {
  case null
  case bool(Bool)
  /// The bits of the double.
  case number(UInt64)
  case string([UInt8])
  case array([JSONTree])
  case object([[UInt8]: JSONTree])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value.bitPattern)
    } else if let value = try? container.decode(String.self) {
      self = .string(Array(value.utf8))
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      let members = try container.decode([String: JSONTree].self)
      self = .object(
        Dictionary(
          members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The tree below a node; nil when a number has no double.
  package init?(_ node: JSONNode) {
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
      self = .string(Array(value.utf8))
    case .array:
      let elements = node.elements.compactMap(JSONTree.init)
      guard elements.count == node.count else { return nil }
      self = .array(elements)
    case .object:
      var members: [[UInt8]: JSONTree] = [:]
      for member in node.members {
        guard let value = JSONTree(member.value) else { return nil }
        members[Array(member.key.utf8)] = value
      }
      self = .object(members)
    }
  }

  /// The tree of a value; nil when a number has no double.
  package init?(_ value: ReferenceValue) {
    switch value.content {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text):
      guard let number = Double(text), number.isFinite else { return nil }
      self = .number(number.bitPattern)
    case .string(let text): self = .string(text)
    case .array(let elements):
      let trees = elements.compactMap(JSONTree.init)
      guard trees.count == elements.count else { return nil }
      self = .array(trees)
    case .object(let members):
      var trees: [[UInt8]: JSONTree] = [:]
      for member in members {
        guard let tree = JSONTree(member.value) else { return nil }
        trees[member.key] = tree
      }
      self = .object(trees)
    }
  }
}
