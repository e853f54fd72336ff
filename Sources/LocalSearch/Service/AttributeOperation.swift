import AsyncInstantSearch

/// What a partial update does to an attribute of the first level.
enum AttributeOperation: Sendable {
  case set(JSON)
  case increment(JSON)
  case decrement(JSON)
  case add(JSON)
  case remove(JSON)
  case addUnique(JSON)
  case incrementFrom(JSON)
  case incrementSet(JSON)

  /// The new value of an attribute; `nil` when the whole update is to be ignored.
  ///
  /// - Parameters:
  ///   - current: The value as it is; `null` counts as absent.
  ///   - attribute: The attribute's name, for messages.
  /// - Throws: An `APIError` when the operation does not fit the value, or its result is a number
  ///   that a record cannot hold.
  func result(on current: JSON?, _ attribute: String) throws(APIError) -> JSON? {
    let current = current?.isNull == true ? Optional.none : current
    switch self {
    case .set(let value): return value
    case .increment(let value): return try Self.sum(current ?? 0, value, sign: 1, attribute)
    case .decrement(let value): return try Self.sum(current ?? 0, value, sign: -1, attribute)
    case .add(let value): return .array(Self.list(current) + [value])
    case .remove(let value): return .array(Self.list(current).filter { $0 != value })
    case .addUnique(let value):
      let list = Self.list(current)
      return .array(list.contains(value) ? list : list + [value])
    case .incrementFrom(let value):
      // `JSON` has a nil literal of its own, so the absence of a value is written out.
      guard value == current ?? 0 else { return Optional.none }
      return try Self.sum(value, 1, sign: 1, attribute)
    case .incrementSet(let value):
      guard let old = (current ?? 0).doubleValue, let new = value.doubleValue else {
        throw APIError("Attribute \(attribute) is not a number")
      }
      return new > old ? value : Optional.none
    }
  }

  /// The elements of an array, any other value as the only element; none without a value.
  private static func list(_ current: JSON?) -> [JSON] {
    guard let current else { return [] }
    return current.arrayValue ?? [current]
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
