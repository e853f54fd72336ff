import InstantSearchJSON

/// Annotations in the shape of the record: objects and arrays mirrored, a leaf for each text and
/// number.
///
/// Booleans and `null` have none, except in an array, where every element keeps its place.
indirect enum AnnotationTree<Leaf: ValueAnnotation> {
  case leaf(Leaf)
  case array([AnnotationTree])
  case object([(key: String, value: AnnotationTree)])

  /// How a tree is made.
  struct Rules {
    /// The attributes to annotate.
    var attributes: AttributeList
    /// Attributes never shown.
    var isHidden: (String) -> Bool
    /// Whether elements of arrays that do not match are left out.
    var dropsOthersInArrays: Bool
    /// Makes the annotation of one value that stands after so many bytes of the answer.
    var leaf: (_ path: String, _ text: String, _ isNumber: Bool, _ size: Int) throws -> Leaf
    /// Makes the annotation of a value that is not searched.
    var plain: (_ text: String) -> Leaf
    /// Counts the values.
    var checkpoint: Checkpoint
  }

  /// Annotates a record; `nil` when there is nothing to annotate.
  ///
  /// - Parameter size: The bytes of the answer before the annotations. Those of the texts are added
  ///   one by one, and the answer is refused as soon as it is too large.
  static func annotating(
    _ record: JSONNode, _ rules: Rules, after size: Int
  ) throws -> AnnotationTree? {
    var size = size
    return try object(record, path: nil, rules, &size)
  }

  private static func leaf(
    _ text: String, isNumber: Bool, path: String, _ rules: Rules, _ size: inout Int
  ) throws -> AnnotationTree {
    let leaf = try rules.leaf(path, text, isNumber, size)
    size += leaf.value.utf8.count
    try rules.checkpoint.check(answerSize: size)
    return .leaf(leaf)
  }

  private static func value(
    _ node: JSONNode, path: String, _ rules: Rules, _ size: inout Int
  ) throws -> AnnotationTree? {
    try rules.checkpoint.count()
    switch node.kind {
    case .string:
      guard rules.attributes.covers(path), let text = node.string else { return nil }
      return try leaf(text, isNumber: false, path: path, rules, &size)
    case .number:
      guard rules.attributes.covers(path), let text = node.numberText else { return nil }
      return try leaf(text, isNumber: true, path: path, rules, &size)
    case .array:
      var elements: [(node: JSONNode, tree: AnnotationTree?)] = []
      for element in node.elements {
        let sizeBefore = size
        let tree = try value(element, path: path, rules, &size)
        // An element that is left out does not make the answer larger.
        if rules.dropsOthersInArrays, tree?.isMatch != true { size = sizeBefore }
        elements.append((element, tree))
      }
      guard elements.contains(where: { $0.tree != nil }) else { return nil }
      if rules.dropsOthersInArrays {
        return .array(elements.compactMap(\.tree).filter(\.isMatch))
      }
      return .array(try elements.map { try $0.tree ?? placeholder($0.node, rules) })
    case .object: return try object(node, path: path, rules, &size)
    case .null, .bool: return nil
    }
  }

  /// What keeps the place of an element that has no annotation: its text as it is, or an object or
  /// array of the same shape without members.
  private static func placeholder(_ node: JSONNode, _ rules: Rules) throws -> AnnotationTree {
    try rules.checkpoint.count()
    return switch node.kind {
    case .null: .leaf(rules.plain(""))
    case .bool: .leaf(rules.plain(node.bool == true ? "true" : "false"))
    case .number: .leaf(rules.plain(node.numberText ?? ""))
    case .string: .leaf(rules.plain(node.string ?? ""))
    case .array: .array(try node.elements.map { try placeholder($0, rules) })
    case .object: .object([])
    }
  }

  private static func object(
    _ node: JSONNode, path: String?, _ rules: Rules, _ size: inout Int
  ) throws -> AnnotationTree? {
    var members: [(key: String, value: AnnotationTree)] = []
    for member in node.members where !member.isSuperseded {
      try rules.checkpoint.count()
      if path == nil, isReserved(member.key, rules.attributes) { continue }
      let path = path.map { $0 + "." + member.key } ?? member.key
      guard rules.attributes.mayContain(path), !rules.isHidden(path) else { continue }
      if let tree = try value(member.value, path: path, rules, &size) {
        members.append((member.key, tree))
      }
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// The ID and the places of a record are no text, unless they are asked for; members that a hit
  /// has of its own never are.
  private static func isReserved(_ key: String, _ attributes: AttributeList) -> Bool {
    switch key {
    case "objectID", "_geoloc": !attributes.paths.contains(key)
    default: RecordProjection.hitMembers.contains(key)
    }
  }

  /// Whether some leaf matches.
  var isMatch: Bool {
    switch self {
    case .leaf(let leaf): leaf.isMatch
    case .array(let elements): elements.contains { $0.isMatch }
    case .object(let members): members.contains { $0.value.isMatch }
    }
  }

  /// Writes the tree as JSON.
  func write(to writer: inout JSONWriter, _ checkpoint: Checkpoint) throws {
    try checkpoint.count()
    switch self {
    case .leaf(let leaf):
      try checkpoint.count(bytes: leaf.value.utf8.count)
      leaf.write(to: &writer)
      try checkpoint.check(answerSize: writer.count)
    case .array(let elements):
      writer.beginArray()
      for element in elements { try element.write(to: &writer, checkpoint) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        try value.write(to: &writer, checkpoint)
      }
      writer.endObject()
    }
  }
}
