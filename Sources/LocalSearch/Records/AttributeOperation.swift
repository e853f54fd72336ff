import InstantSearchJSON

/// The operation of a partial update on a top-level attribute.
///
/// Values that may be long stay nodes, which are compared and copied in place.
enum AttributeOperation: Sendable {
  case set(JSONNode)
  case increment(JSON)
  case decrement(JSON)
  case add(JSONNode)
  case remove(JSONNode)
  case addUnique(JSONNode)
  case incrementFrom(JSON)
  case incrementSet(JSON)

  /// Returns the new value of an attribute as JSON, or `nil` if the whole update is ignored.
  ///
  /// - Parameters:
  ///   - current: The current value. `null` counts as absent.
  ///   - attribute: The attribute's name, for messages.
  /// - Throws: An `APIError` if the operation does not fit the value, or if a record cannot hold
  ///   its result. Otherwise the error that ended the work.
  func result(
    on current: JSONNode?, _ attribute: String, _ cancellation: CancellationCheck
  ) throws -> [UInt8]? {
    let current = current?.isNull == true ? nil : current
    var number: JSON { current.map(Self.number) ?? 0 }
    switch self {
    case .set(let value):
      try cancellation.count(bytes: value.sourceRange.count)
      return value.source
    case .increment(let value): return try Self.sum(number, value, sign: 1, attribute).bytes
    case .decrement(let value): return try Self.sum(number, value, sign: -1, attribute).bytes
    case .add(let value): return try Self.list(current, adding: value, cancellation) { _ in true }
    case .remove(let value):
      let removed = try ComparedValue(operand: value, attribute, cancellation)
      return try Self.list(current, adding: nil, cancellation) { element in
        try !removed.isEqual(to: element, cancellation)
      }
    case .addUnique(let value):
      let added = try ComparedValue(operand: value, attribute, cancellation)
      var isThere = false
      return try Self.list(current, adding: value, cancellation) { element in
        if !isThere, try added.isEqual(to: element, cancellation) { isThere = true }
        return true
      } unless: {
        isThere
      }
    case .incrementFrom(let value):
      guard value == number else { return nil }
      return try Self.sum(value, 1, sign: 1, attribute).bytes
    case .incrementSet(let value):
      if let old = number.wideInteger, let new = value.wideInteger {
        return new > old ? value.bytes : nil
      }
      if number.isLongInteger || value.isLongInteger, !number.isNull {
        throw APIError(
          "Attribute \(attribute) cannot be compared with an integer of more than 64 bits")
      }
      guard let old = number.doubleValue, let new = value.doubleValue else {
        throw APIError("Attribute \(attribute) is not a number")
      }
      return new > old ? value.bytes : nil
    }
  }

  /// Returns a number, or `null` for other values, even long ones.
  private static func number(_ node: JSONNode) -> JSON {
    node.kind == .number ? JSON(node: node) : .null
  }

  /// Returns the selected elements of an array, or another value as the only element, and one more
  /// element.
  private static func list(
    _ current: JSONNode?, adding value: JSONNode?, _ cancellation: CancellationCheck,
    where isWanted: (JSONNode) throws -> Bool, unless isLeftOut: () -> Bool = { false }
  ) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    func write(_ element: JSONNode) throws {
      try cancellation.count(bytes: element.sourceRange.count)
      if try isWanted(element) { writer.raw(element) }
    }
    if let current, current.kind == .array {
      for element in current.elements { try write(element) }
    } else if let current {
      try write(current)
    }
    if let value, !isLeftOut() { writer.raw(value) }
    writer.endArray()
    return writer.bytes
  }

  /// Returns a sum. Integers are added exactly.
  ///
  /// - Throws: An `APIError` if the sum of integers exceeds 64 bits, or if another sum is not
  ///   finite.
  private static func sum(
    _ left: JSON, _ right: JSON, sign: Int, _ attribute: String
  ) throws(APIError) -> JSON {
    if let first = left.wideInteger, let second = right.wideInteger {
      let sum = first + second * Int128(sign)
      if let value = Int64(exactly: sum) { return .int(value) }
      if let value = UInt64(exactly: sum) { return .uint(value) }
      throw APIError("Attribute \(attribute) would become an integer out of range, \(sum)")
    }
    if left.isLongInteger || right.isLongInteger {
      throw APIError("Attribute \(attribute) would become an integer out of range")
    }
    if left.isTooLarge || right.isTooLarge {
      throw APIError("Attribute \(attribute) would become a number too large")
    }
    guard let first = left.doubleValue, let second = right.doubleValue else {
      throw APIError("Attribute \(attribute) is not a number")
    }
    let sum = first + second * Double(sign)
    guard sum.isFinite else {
      throw APIError("Attribute \(attribute) would become a number too large")
    }
    return .double(sum)
  }
}

extension JSON {
  /// The value as JSON.
  fileprivate var bytes: [UInt8] { Array(text.utf8) }

  /// Whether this is a number beyond the largest `Double`.
  fileprivate var isTooLarge: Bool {
    if case .number = self { doubleValue == nil } else { false }
  }

  /// Whether this is an integer of more than 64 bits.
  fileprivate var isLongInteger: Bool {
    guard case .number(let text) = self else { return false }
    return !text.utf8.contains { ".eE".utf8.contains($0) }
  }

  /// The integer, wide enough to add two of them, or `nil` for other values.
  fileprivate var wideInteger: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    default: nil
    }
  }
}

/// A value to compare with elements of a list. It is read once.
///
/// The order of members does not matter. Texts and keys compare by their bytes, numbers by value.
private indirect enum ComparedValue: Sendable {
  case text(ByteString)
  /// Null, a truth value or a number.
  case scalar(JSON)
  case array([ComparedValue])
  case object(PartitionedDictionary<ByteString, ComparedValue>, count: Int)

  /// The maximum length of a value that is removed or added once, in bytes, because comparing
  /// decodes it.
  static let maximumSize = 1 << 20

  /// Reads the operand of an operation on an attribute.
  init(operand node: JSONNode, _ attribute: String, _ cancellation: CancellationCheck) throws {
    guard node.sourceRange.count <= Self.maximumSize else {
      throw APIError(
        "Invalid value for attribute \(attribute): expected at most \(Self.maximumSize) bytes of JSON"
          + " to be removed or added once, got \(node.sourceRange.count)")
    }
    try self.init(node, cancellation)
  }

  private init(_ node: JSONNode, _ cancellation: CancellationCheck) throws {
    try cancellation.count()
    switch node.kind {
    case .array:
      var elements: [ComparedValue] = []
      elements.reserveCapacity(node.count)
      for element in node.elements { elements.append(try ComparedValue(element, cancellation)) }
      self = .array(elements)
    case .object:
      var members = PartitionedDictionary<ByteString, ComparedValue>()
      var count = 0
      for member in node.currentMembers {
        try cancellation.count(bytes: member.key.utf8.count)
        try members.set(
          ComparedValue(member.value, cancellation), for: ByteString(member.key), cancellation)
        count += 1
      }
      self = .object(members, count: count)
    default:
      try cancellation.count(bytes: node.sourceRange.count)
      self = node.string.map { .text(ByteString($0)) } ?? .scalar(JSON(node: node))
    }
  }

  /// Compares with a node, counting the work for long values.
  func isEqual(to node: JSONNode, _ cancellation: CancellationCheck) throws -> Bool {
    try cancellation.count()
    switch self {
    case .text(let text):
      guard node.kind == .string else { return false }
      try cancellation.count(bytes: node.sourceRange.count)
      return node.string.map { ByteString($0) } == text
    case .scalar(let scalar):
      if [.string, .array, .object].contains(node.kind) { return false }
      try cancellation.count(bytes: node.sourceRange.count)
      return JSON(node: node) == scalar
    case .array(let elements):
      guard node.kind == .array, node.count == elements.count else { return false }
      for (element, other) in zip(elements, node.elements) {
        guard try element.isEqual(to: other, cancellation) else { return false }
      }
      return true
    case .object(let members, let count):
      guard node.kind == .object else { return false }
      var found = 0
      for member in node.currentMembers {
        try cancellation.count(bytes: member.key.utf8.count)
        guard let value = members[ByteString(member.key)],
          try value.isEqual(to: member.value, cancellation)
        else { return false }
        found += 1
      }
      return found == count
    }
  }
}
