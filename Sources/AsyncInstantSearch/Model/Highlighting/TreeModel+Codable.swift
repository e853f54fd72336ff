package import SearchJSON

extension TreeModel: Decodable where Value: Decodable {
  /// Reads a tree.
  ///
  /// An object whose `value` and `matchLevel` are strings is a leaf, and so is a string, number or
  /// boolean; any other object is a branch, which may have an attribute called `value`.
  public init(from decoder: any Decoder) throws {
    if let current = JSONNode.current(of: decoder) {
      try self.init(node: current.node, options: current.options)
      return
    }
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      if (try? object.decode(String.self, forKey: AnyKey(LeafMember.value))) != nil,
        (try? object.decode(String.self, forKey: AnyKey(LeafMember.matchLevel))) != nil
      {
        self = .value(try Value(from: decoder))
      } else {
        // Through the single-value container: as a dictionary, so that no key strategy applies.
        let container = try decoder.singleValueContainer()
        self = .dictionary(try container.decode([String: TreeModel].self))
      }
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try [TreeModel](from: decoder))
    } else {
      self = .value(try decoder.singleValueContainer().decode(Value.self))
    }
  }
}

extension TreeModel: Encodable where Value: Encodable {
  /// Writes the tree in the shape it is read from.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .value(let value): try value.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .dictionary(let members): try members.encode(to: encoder)
    }
  }
}

extension TreeModel: JSONNodeDecodable where Value: Decodable {
  /// Reads a tree by the rules of ``init(from:)``.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    let decoder = JSONValueDecoder(options: options)
    try self.init(node: node) { try decoder.decode(Value.self, from: $0) }
  }

  fileprivate init(node: JSONNode, leaf: (JSONNode) throws -> Value) throws {
    switch node.kind {
    case .object:
      if node[LeafMember.value]?.kind == .string, node[LeafMember.matchLevel]?.kind == .string {
        self = .value(try leaf(node))
      } else {
        var members: [String: TreeModel] = [:]
        members.reserveCapacity(node.count)
        for member in node.members {
          members[member.key] = try TreeModel(node: member.value, leaf: leaf)
        }
        self = .dictionary(members)
      }
    case .array:
      self = .array(try node.elements.map { try TreeModel(node: $0, leaf: leaf) })
    default: self = .value(try leaf(node))
    }
  }
}

extension TreeModel where Value: JSONNodeDecodable {
  /// Reads a tree whose leaves read themselves, without asking a decoder at each of them.
  package init(leavesOf node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(node: node) { try Value(node: $0, options: options) }
  }
}

/// The members that make an object a leaf of a tree.
private enum LeafMember {
  static let value = "value"
  static let matchLevel = "matchLevel"
}
