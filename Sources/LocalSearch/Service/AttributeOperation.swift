import AsyncInstantSearch
import InstantSearchJSON

/// What a partial update does to an attribute of the first level.
///
/// Values that may be long stay nodes: they are compared and copied where they are.
enum AttributeOperation: Sendable {
  case set(JSONNode)
  case increment(JSON)
  case decrement(JSON)
  case add(JSONNode)
  case remove(JSONNode)
  case addUnique(JSONNode)
  case incrementFrom(JSON)
  case incrementSet(JSON)

  /// The new value of an attribute as JSON; `nil` when the whole update is to be ignored.
  ///
  /// - Parameters:
  ///   - current: The value as it is; `null` counts as absent.
  ///   - attribute: The attribute's name, for messages.
  /// - Throws: An `APIError` when the operation does not fit the value, or its result is a number
  ///   that a record cannot hold; else what ended the work.
  func result(
    on current: JSONNode?, _ attribute: String, _ checkpoint: Checkpoint
  ) throws -> [UInt8]? {
    let current = current?.isNull == true ? nil : current
    var number: JSON { current.map(Self.number) ?? 0 }
    switch self {
    case .set(let value):
      try checkpoint.count(bytes: value.sourceRange.count)
      return value.source
    case .increment(let value): return try Self.sum(number, value, sign: 1, attribute).bytes
    case .decrement(let value): return try Self.sum(number, value, sign: -1, attribute).bytes
    case .add(let value): return try Self.list(current, adding: value, checkpoint) { _ in true }
    case .remove(let value):
      return try Self.list(current, adding: nil, checkpoint) { element in
        try !element.isEqual(to: value, checkpoint)
      }
    case .addUnique(let value):
      var isThere = false
      return try Self.list(current, adding: value, checkpoint) { element in
        if !isThere, try element.isEqual(to: value, checkpoint) { isThere = true }
        return true
      } unless: {
        isThere
      }
    case .incrementFrom(let value):
      guard value == number else { return nil }
      return try Self.sum(value, 1, sign: 1, attribute).bytes
    case .incrementSet(let value):
      guard let old = number.doubleValue, let new = value.doubleValue else {
        throw APIError("Attribute \(attribute) is not a number")
      }
      return new > old ? value.bytes : nil
    }
  }

  /// A number; what is none is `null`, however long it is.
  private static func number(_ node: JSONNode) -> JSON {
    node.kind == .number ? JSON(node: node) : .null
  }

  /// The elements of an array that are wanted, or any other value as the only element, and one
  /// more.
  private static func list(
    _ current: JSONNode?, adding value: JSONNode?, _ checkpoint: Checkpoint,
    where isWanted: (JSONNode) throws -> Bool, unless isLeftOut: () -> Bool = { false }
  ) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    func write(_ element: JSONNode) throws {
      try checkpoint.count(bytes: element.sourceRange.count)
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

  /// A sum; integers are added exactly.
  ///
  /// - Throws: An `APIError` when integers leave the range of 64 bits, or others all range.
  private static func sum(
    _ left: JSON, _ right: JSON, sign: Int, _ attribute: String
  ) throws(APIError) -> JSON {
    if let first = left.wideInteger, let second = right.wideInteger {
      let sum = first + second * Int128(sign)
      if let value = Int64(exactly: sum) { return .int(value) }
      if let value = UInt64(exactly: sum) { return .uint(value) }
      throw APIError("Attribute \(attribute) would become an integer out of range, \(sum)")
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

  /// The integer, so wide that two of them can be added; `nil` for anything else.
  fileprivate var wideInteger: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    default: nil
    }
  }
}

extension JSONNode {
  /// Whether two values are the same, whatever the order of members and the space between values.
  fileprivate func isEqual(to other: JSONNode, _ checkpoint: Checkpoint) throws -> Bool {
    try checkpoint.count()
    guard kind == other.kind else { return false }
    switch kind {
    case .array:
      guard count == other.count else { return false }
      for (left, right) in zip(elements, other.elements) {
        guard try left.isEqual(to: right, checkpoint) else { return false }
      }
      return true
    case .object:
      var members = PartitionedDictionary<ByteString, JSONNode>()
      var count = 0
      for member in currentMembers {
        try checkpoint.count()
        try members.set(member.value, for: ByteString(member.key), checkpoint)
        count += 1
      }
      for member in other.currentMembers {
        guard let value = members.removeValue(forKey: ByteString(member.key)),
          try value.isEqual(to: member.value, checkpoint)
        else { return false }
        count -= 1
      }
      return count == 0
    default:
      try checkpoint.count(bytes: sourceRange.count)
      return JSON(node: self) == JSON(node: other)
    }
  }
}
