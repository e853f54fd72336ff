package import InstantSearchJSON

/// A tree of values with the structure of their record: by attribute, and by index in lists.
///
/// ```swift
/// hit.highlightResult?["title"]?.value?.value.text
/// hit.highlightResult?["cast"]?[0]?.value
/// hit.highlightResult?[path: "author.name"]?.value
/// ```
public enum TreeModel<Value> {
  /// A leaf.
  case value(Value)
  /// The subtrees of a list, in order.
  case array([TreeModel])
  /// The subtrees of an object, by attribute.
  case dictionary([String: TreeModel])

  /// The value of a leaf; `nil` for a branch.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The subtrees of a list; `nil` for anything else.
  public var array: [TreeModel]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The subtrees of an object; `nil` for anything else.
  public var dictionary: [String: TreeModel]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  /// The subtree at an index; `nil` if it is missing.
  public subscript(index: Int) -> TreeModel? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The subtree of an attribute; `nil` if it is missing. A dot is part of the name.
  public subscript(attribute: String) -> TreeModel? {
    if case .dictionary(let members) = self { members[attribute] } else { nil }
  }

  /// The subtree at a path of attributes and indices joined by dots, such as `cast.0.name`.
  ///
  /// An attribute of a list is an array of that attribute of each element that has it:
  /// `cast.name`. An attribute whose name contains dots is found too.
  public subscript(path path: String) -> TreeModel? {
    at(path[...])
  }

  /// All leaves of the tree. The leaves of an object are in the order of their attributes.
  public var leaves: [Value] {
    var leaves: [Value] = []
    // The subtrees still to visit, the next one last.
    var parts = [self]
    while let part = parts.popLast() {
      switch part {
      case .value(let value): leaves.append(value)
      case .array(let elements): parts.append(contentsOf: elements.reversed())
      case .dictionary(let members):
        parts.append(contentsOf: members.sorted { $0.key > $1.key }.map(\.value))
      }
    }
    return leaves
  }

  /// Returns the same tree with each leaf transformed.
  public func mapValues<Other>(_ transform: (Value) -> Other) -> TreeModel<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .array(let elements): .array(elements.map { $0.mapValues(transform) })
    case .dictionary(let members):
      .dictionary(members.mapValues { $0.mapValues(transform) })
    }
  }

  private func at(_ path: Substring) -> TreeModel? {
    switch self {
    case .value: return nil
    case .array(let elements):
      let point = path.firstIndex(of: ".")
      if let index = Int(path[..<(point ?? path.endIndex)]) {
        guard elements.indices.contains(index) else { return nil }
        return if let point {
          elements[index].at(path[point...].dropFirst())
        } else {
          elements[index]
        }
      }
      let parts = elements.compactMap { $0.at(path) }
      return parts.isEmpty ? nil : .array(parts)
    case .dictionary(let members):
      if let member = members[String(path)] { return member }
      for point in path.indices where path[point] == "." {
        if let part = members[String(path[..<point])]?.at(path[point...].dropFirst()) {
          return part
        }
      }
      return nil
    }
  }
}

extension TreeModel: Sendable where Value: Sendable {}
extension TreeModel: Equatable where Value: Equatable {}
extension TreeModel: Hashable where Value: Hashable {}

extension TreeModel where Value == HighlightResult {
  /// The best result in this tree.
  ///
  /// A leaf is its own best result. Below a branch it is the first match with the most matched
  /// words, or the first leaf if nothing matches.
  public var best: HighlightResult? {
    var best: HighlightResult?
    for leaf in leaves {
      guard let current = best else {
        best = leaf
        continue
      }
      if leaf.matchLevel == .none { continue }
      if current.matchLevel == .none || leaf.matchedWords.count > current.matchedWords.count {
        best = leaf
      }
    }
    return best
  }
}

extension TreeModel: Decodable where Value: Decodable {
  /// Reads a tree. A part that cannot be read is an error.
  ///
  /// An object whose `value` and `matchLevel` are strings is a leaf, and so is a string, number or
  /// Boolean. Any other object is a branch, which can have an attribute called `value`.
  public init(from decoder: any Decoder) throws {
    if let location = DecodingSession.location(of: decoder) {
      try self.init(at: location.index, in: location.session, depth: location.depth)
      return
    }
    switch try TreeShape(of: decoder) {
    case .leafObject: self = .value(try Value(from: decoder))
    case .object:
      // The single-value container reads a dictionary to which no key strategy applies.
      let container = try decoder.singleValueContainer()
      self = .dictionary(try container.decode([String: TreeModel].self))
    case .array: self = .array(try [TreeModel](from: decoder))
    case .scalar: self = .value(try decoder.singleValueContainer().decode(Value.self))
    }
  }
}

extension TreeModel: Encodable where Value: Encodable {
  /// Writes the tree in the form it is read from. Attribute names are unchanged, regardless of the
  /// key strategy.
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

/// The tree of a hit, as read by any decoder. Parts that cannot be read are skipped.
struct TolerantTree<Value: Decodable>: Decodable {
  /// The readable parts; `nil` if nothing can be read.
  let tree: TreeModel<Value>?
  /// Whether the value is an object.
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

/// The source of a subtree.
private enum TreeShape {
  /// An object that is a leaf, because both members are strings.
  case leafObject
  case object, array, scalar

  /// The members that make an object a leaf if they are strings.
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

extension LazilyDecoded {
  /// Reads the subtree at a path.
  ///
  /// If the path is the name of a top-level attribute, no other attribute is read.
  func part<Leaf>(at path: String) -> TreeModel<Leaf>? where Value == TreeModel<Leaf> {
    if case .written(let source, let index) = self,
      let member = source.document.index(of: path, inObjectAt: index),
      Leaf(at: index, of: source.document, tags: source.tags) == nil,
      let part = TreeModel<Leaf>.part(at: member, of: source, depth: 0)
    {
      return part
    }
    return value?[path: path]
  }
}

extension TreeModel: LazilyDecodable where Value: HighlightLeaf {
  /// The maximum depth of a hit's tree, which allows recursion on the stack of a small thread.
  private static var maximumDepth: Int { 128 }

  /// Reads the tree of a hit. Parts that cannot be read are skipped.
  init?(at index: Int, of source: HitSource) {
    guard case .object = source.document.kind(at: index) else { return nil }
    self = Self.branch(at: index, of: source, depth: 0)
  }

  /// Reads a subtree; `nil` for a scalar.
  fileprivate static func part(at index: Int, of source: HitSource, depth: Int) -> TreeModel? {
    source.document.isContainer(at: index) ? branch(at: index, of: source, depth: depth) : nil
  }

  /// Reads a subtree that is an object or an array.
  private static func branch(at index: Int, of source: HitSource, depth: Int) -> TreeModel {
    let document = source.document
    if case .object = document.kind(at: index) {
      if let leaf = Value(at: index, of: document, tags: source.tags) { return .value(leaf) }
      guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: source) }
      var isWhole = true
      document.forEachMember(ofObjectAt: index) { member in
        if !document.isContainer(at: member) { isWhole = false }
      }
      if isWhole {
        return .dictionary(
          source.members(ofObjectAt: index) { branch(at: $0, of: source, depth: depth + 1) })
      }
      var members: [String: TreeModel] = [:]
      document.forEachMember(ofObjectAt: index) { member in
        if let part = part(at: member, of: source, depth: depth + 1) {
          members[document.key(of: member)] = part
        }
      }
      return .dictionary(members)
    }
    guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: source) }
    var elements: [TreeModel] = []
    elements.reserveCapacity(document.count(at: index))
    document.forEachElement(ofArrayAt: index) { element in
      if let part = part(at: element, of: source, depth: depth + 1) { elements.append(part) }
    }
    return .array(elements)
  }

  private static func deepPart(at index: Int, of source: HitSource) -> TreeModel {
    let document = source.document
    let part = document.folded(
      at: index, maximumDepth: maximumDepth - JSONDocument.recursionLimit,
      step: { index in
        switch document.kind(at: index) {
        case .object:
          Value(at: index, of: document, tags: source.tags).map { .value(.value($0)) } ?? .branch
        case .array: .branch
        default: .nothing
        }
      },
      array: TreeModel.array, object: TreeModel.dictionary)
    // Skip only parts that are nested too deeply.
    return part ?? .array([])
  }
}
