import InstantSearchJSON

extension CancellationCheck {
  /// Returns the value of a node that may be long.
  func json(_ node: JSONNode) throws -> JSON { try json(node, depth: 0) }

  private func json(_ node: JSONNode, depth: Int) throws -> JSON {
    // Deeper nesting would need too much stack for recursion.
    guard depth < Self.maximumDepth else { return JSON(node: node) }
    switch node.kind {
    case .array:
      var elements: [JSON] = []
      elements.reserveCapacity(node.count)
      for element in node.elements {
        try count()
        elements.append(try json(element, depth: depth + 1))
      }
      return .array(elements)
    case .object:
      var members: [String: JSON] = [:]
      members.reserveCapacity(node.count)
      for member in node.members where !member.isSuperseded {
        try count()
        members[member.key] = try json(member.value, depth: depth + 1)
      }
      return .object(members)
    case .string:
      try count(bytes: node.sourceRange.count)
      return JSON(node: node)
    default: return JSON(node: node)
    }
  }

  /// Writes a value that may be long.
  func write(_ value: JSON, to writer: inout JSONWriter) throws {
    try value.write(to: &writer) { try count(Self.stepsOfCheck) }
  }

  /// The number of steps for a check while encoding or writing, which checks every few hundred
  /// values.
  static let stepsOfCheck = 256

  /// Whether a value takes more bytes as JSON than a limit, by a lower estimate.
  func isLarger(_ value: JSON, than limit: Int) throws -> Bool {
    var bytesLeft = limit
    return try isLarger(value, &bytesLeft, depth: 0)
  }

  private func isLarger(_ value: JSON, _ bytesLeft: inout Int, depth: Int) throws -> Bool {
    try count()
    bytesLeft -= 1
    switch value {
    case .string(let text): bytesLeft -= text.utf8.count
    case .number(let text): bytesLeft -= text.utf8.count
    // Deeper nesting would need too much stack for recursion.
    case .array(let elements) where depth < Self.maximumDepth:
      for element in elements where bytesLeft >= 0 {
        if try isLarger(element, &bytesLeft, depth: depth + 1) { return true }
      }
    case .object(let members) where depth < Self.maximumDepth:
      for (name, member) in members where bytesLeft >= 0 {
        bytesLeft -= name.utf8.count
        if try isLarger(member, &bytesLeft, depth: depth + 1) { return true }
      }
    default: break
    }
    return bytesLeft < 0
  }

  /// Whether arrays and objects, this value included, are nested deeper than `limit`.
  func isNested(_ value: JSON, deeperThan limit: Int) throws -> Bool {
    switch value {
    case .array(let elements):
      guard limit > 0 else { return true }
      for element in elements {
        try count()
        if try isNested(element, deeperThan: limit - 1) { return true }
      }
    case .object(let members):
      guard limit > 0 else { return true }
      for element in members.values {
        try count()
        if try isNested(element, deeperThan: limit - 1) { return true }
      }
    default: break
    }
    return false
  }

  /// Whether arrays and objects, this value included, are nested deeper than `limit`.
  ///
  /// - Complexity: O(n) for n bytes. O(1) for texts that are too short for such nesting.
  func isNested(_ node: JSONNode, deeperThan limit: Int) throws -> Bool {
    let range = node.sourceRange
    guard range.count > 2 * limit else { return false }
    var nesting = Nesting()
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + Nesting.pieceLength, range.upperBound)
      try count(bytes: end - start)
      let bytes = node.document.bytes(start..<end)
      _ = nesting.end(in: bytes, bytes.indices)
      if nesting.deepest > limit { return true }
      start = end
    }
    return false
  }
}
