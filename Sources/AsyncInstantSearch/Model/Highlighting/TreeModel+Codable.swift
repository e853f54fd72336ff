package import InstantSearchJSON

extension TreeModel: Decodable where Value: Decodable {
  /// Reads a tree; a part that cannot be read is an error.
  ///
  /// An object whose `value` and `matchLevel` are strings is a leaf, and so is a string, number or
  /// boolean; any other object is a branch, which may have an attribute called `value`.
  public init(from decoder: any Decoder) throws {
    if let place = DecodingSession.place(of: decoder) {
      try self.init(at: place.index, in: place.session, depth: place.depth)
      return
    }
    switch try TreeShape(of: decoder) {
    case .leafObject: self = .value(try Value(from: decoder))
    case .object:
      // Through the single-value container: as a dictionary, so that no key strategy applies.
      let container = try decoder.singleValueContainer()
      self = .dictionary(try container.decode([String: TreeModel].self))
    case .array: self = .array(try [TreeModel](from: decoder))
    case .scalar: self = .value(try decoder.singleValueContainer().decode(Value.self))
    }
  }
}

extension TreeModel: Encodable where Value: Encodable {
  /// Writes the tree in the shape it is read from, attributes as they are, whatever the key
  /// strategy.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .value(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .dictionary(let members): try container.encode(members)
    }
  }
}

extension TreeModel: TapeDecodable where Value: Decodable {}

extension TreeModel: JSONNodeDecodable where Value: Decodable {
  /// Reads a tree by the rules of ``init(from:)``.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0)
  }

  /// Reads a tree by the rules of ``init(from:)``.
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    let tree = try session.document.folded(
      at: index,
      step: { index in
        TreeShape(at: index, of: session.document).isLeaf
          ? .value(TreeModel.value(try session.value(Value.self, at: index, depth: depth)))
          : .branch
      },
      array: TreeModel.array, object: TreeModel.dictionary)
    self = tree ?? .dictionary([:])
  }
}

/// The tree of a hit as any decoder reads it; what cannot be read is left out.
struct TolerantTree<Value: Decodable>: Decodable {
  /// What could be read; `nil` when that is nothing.
  let tree: TreeModel<Value>?
  /// Whether an object was read.
  let isObject: Bool

  init(from decoder: any Decoder) throws {
    let shape = try TreeShape(of: decoder)
    isObject = shape == .object || shape == .leafObject
    let container = try decoder.singleValueContainer()
    switch shape {
    case .leafObject, .scalar: tree = (try? container.decode(Value.self)).map(TreeModel.value)
    case .object:
      tree = .dictionary(try container.decode([String: TolerantTree].self).compactMapValues(\.tree))
    case .array: tree = .array(try container.decode([TolerantTree].self).compactMap(\.tree))
    }
  }
}

/// What a part of a tree is read from.
private enum TreeShape {
  /// An object that is a leaf, with these two members as strings.
  case leafObject
  case object, array, scalar

  /// The members that make an object a leaf, as strings.
  private static let names = ["value", "matchLevel"]
  private static let keys = JSONKeys(names)

  var isLeaf: Bool { self == .leafObject || self == .scalar }

  init(at index: Int, of document: JSONDocument) {
    switch document.kind(at: index) {
    case .object:
      let members = document.members(Self.keys, ofObjectAt: index)
      let isLeaf = Self.names.indices.allSatisfy { members[$0].map(document.kind(at:)) == .string }
      self = isLeaf ? .leafObject : .object
    case .array: self = .array
    default: self = .scalar
    }
  }

  init(of decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      let isLeaf = Self.names.allSatisfy {
        (try? object.decode(String.self, forKey: AnyKey($0))) != nil
      }
      self = isLeaf ? .leafObject : .object
    } else {
      self = (try? decoder.unkeyedContainer()) != nil ? .array : .scalar
    }
  }
}
