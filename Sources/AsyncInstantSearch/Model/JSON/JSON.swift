/// A JSON value of any shape.
///
/// Use it where no Swift type describes the data: as the record type of a search
/// (`of: JSON.self`), for ``HitsPage/userData``, or for members this library does not know.
///
/// Numbers keep their precision. An integer is ``int(_:)``; one above `Int64.max` is ``uint(_:)``;
/// a number with a fraction or an exponent is ``double(_:)``. Reading chooses the first of the
/// three that holds the number, so the text `12.0` becomes `.int(12)`, and `-0.0`, whose sign no
/// integer has, `.double(-0.0)`. An integer of more than 64 bits and a number beyond the largest
/// `Double` are ``number(_:)``, the text as it was written. Two numbers are equal when their values
/// are equal, whichever case holds them: `JSON.int(1) == JSON.double(1.0)`; those kept as text,
/// when their texts are.
public enum JSON: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer that fits 64 bits with a sign.
  case int(Int64)
  /// An integer above `Int64.max`.
  case uint(UInt64)
  /// A number with a fraction or an exponent.
  case double(Double)
  /// A number that fits none of these, as JSON writes it.
  case number(String)
  /// Text.
  case string(String)
  /// A list of values.
  case array([JSON])
  /// Named values, without an order. Written with the names sorted.
  case object([String: JSON])
}

extension JSON {
  /// The member of that name; `nil` when there is none or this is not an object.
  ///
  /// Assigning `nil` removes the member, and does nothing to a value that is not an object.
  /// Assigning anything else to a value that is not an object makes it one.
  public subscript(key: String) -> JSON? {
    get {
      if case .object(let members) = self { members[key] } else { nil }
    }
    set {
      if newValue == nil, objectValue == nil { return }
      var members = objectValue ?? [:]
      self = .null  // Leaves `members` the only owner of the storage.
      members[key] = newValue
      self = .object(members)
    }
  }

  /// The element at that index; `nil` when there is none or this is not an array.
  ///
  /// Assigning replaces the element, and assigning `nil` removes it. Where there is no element,
  /// assigning does nothing.
  public subscript(index: Int) -> JSON? {
    get {
      guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
      return elements[index]
    }
    set {
      guard case .array(var elements) = self, elements.indices.contains(index) else { return }
      self = .null  // Leaves `elements` the only owner of the storage.
      if let newValue { elements[index] = newValue } else { elements.remove(at: index) }
      self = .array(elements)
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The boolean; `nil` for anything else.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number, when it is an integer that fits `Int`; `nil` for anything else.
  public var intValue: Int? {
    switch self {
    case .int(let value): Int(exactly: value)
    case .uint(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    case .number(let text): Int(text)
    default: nil
    }
  }

  /// The number as the nearest `Double`; `nil` for anything else, and for a number beyond the
  /// largest.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The text; `nil` for anything else.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; `nil` for anything but an array.
  public var arrayValue: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members; `nil` for anything but an object.
  public var objectValue: [String: JSON]? {
    if case .object(let members) = self { members } else { nil }
  }
}
