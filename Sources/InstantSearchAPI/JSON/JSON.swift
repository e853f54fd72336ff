/// A JSON value of any type.
///
/// Use it where no Swift type describes the data: as the record type of a search
/// (`of: JSON.self`), for ``HitsPage/userData``, or for members that this library does not know.
///
/// Numbers keep their precision. An integer is ``int(_:)``; one above `Int64.max` is ``uint(_:)``;
/// a number with a fraction or an exponent is ``double(_:)``. Decoding uses the first of the three
/// that can represent the number: the text `12.0` becomes `.int(12)`, and `-0.0`, whose sign no
/// integer has, becomes `.double(-0.0)`. An integer of more than 64 bits and a number beyond the
/// largest `Double` are ``number(_:)``, their original text. Two numbers are equal if their values
/// are equal, regardless of their case: `JSON.int(1) == JSON.double(1.0)`. Two ``number(_:)``
/// values are equal if their texts are.
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
  /// A number that these cases cannot represent, in JSON syntax.
  case number(String)
  /// Text.
  case string(String)
  /// An array of values.
  case array([JSON])
  /// Named values, which have no order and are written sorted by name.
  case object([String: JSON])
}

extension JSON {
  /// The member with a name; `nil` if it is missing or the value is not an object.
  ///
  /// Assigning `nil` removes the member and has no effect on a value that is not an object.
  /// Assigning anything else to a value that is not an object turns it into one.
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

  /// The element at an index; `nil` if it is missing or the value is not an array.
  ///
  /// Assigning replaces the element, and assigning `nil` removes it. If there is no such element,
  /// assigning has no effect.
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

  /// The Boolean; `nil` for anything else.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number, if it is an integer that fits `Int`; `nil` for anything else.
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
  /// largest `Double`.
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

  /// The elements; `nil` for anything except an array.
  public var arrayValue: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members; `nil` for anything except an object.
  public var objectValue: [String: JSON]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSON: ExpressibleByNilLiteral {
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension JSON: ExpressibleByStringLiteral {
  /// Creates text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByStringInterpolation {}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object. For equal names, the last value counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension JSON: Hashable {
  /// Compares by value. The case of a number does not matter, and NaN equals NaN.
  public static func == (left: JSON, right: JSON) -> Bool {
    // A list of pairs to compare, because values can be nested deeper than the stack allows.
    var pairs: [(JSON, JSON)] = []
    guard left.equals(right, appendingChildrenTo: &pairs) else { return false }
    while let (left, right) = pairs.popLast() {
      guard left.equals(right, appendingChildrenTo: &pairs) else { return false }
    }
    return true
  }

  /// Compares two values without their children, which are appended to the list.
  private func equals(_ other: JSON, appendingChildrenTo pairs: inout [(JSON, JSON)]) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.string(let left), .string(let right)): return left == right
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      pairs.append(contentsOf: zip(left, right))
      return true
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      for (key, value) in left {
        guard let other = right[key] else { return false }
        pairs.append((value, other))
      }
      return true
    default:
      guard let left = Number(self), let right = Number(other) else { return false }
      return left == right
    }
  }

  /// Hashes the value. Equal numbers have equal hashes, regardless of their case.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value):
      hasher.combine(1 as UInt8)
      hasher.combine(value)
    case .int, .uint, .double, .number:
      hasher.combine(2 as UInt8)
      hasher.combine(Number(self))
    case .string(let value):
      hasher.combine(3 as UInt8)
      hasher.combine(value)
    case .array(let elements):
      hasher.combine(4 as UInt8)
      hasher.combine(elements)
    case .object(let members):
      hasher.combine(5 as UInt8)
      hasher.combine(members)
    }
  }

  /// The canonical form of a number.
  private enum Number: Hashable {
    case signed(Int64)
    case unsigned(UInt64)
    case fraction(Double)
    case notANumber
    case text(String)

    init?(_ json: JSON) {
      switch json {
      case .int(let value): self = .signed(value)
      case .uint(let value):
        self = Int64(exactly: value).map(Self.signed) ?? .unsigned(value)
      case .double(let value):
        if let integer = Int64(exactly: value) {
          self = .signed(integer)
        } else if let integer = UInt64(exactly: value) {
          self = .unsigned(integer)
        } else {
          self = value.isNaN ? .notANumber : .fraction(value)
        }
      case .number(let text):
        if let integer = Int64(text) {
          self = .signed(integer)
        } else if let integer = UInt64(text) {
          self = .unsigned(integer)
        } else {
          self = .text(text)
        }
      default: return nil
      }
    }
  }
}

extension Double {
  /// The shortest decimal text that reads back as the same number, without an exponent and, for an
  /// integer, without a fraction: `0.00001`, `42`, `10000000000000000`. Zero has no sign.
  package var plainNumber: String {
    if isZero { return "0" }
    let text = plainDecimals
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The shortest decimal text that reads back as the same number, without an exponent and with a
  /// fraction: `0.00001`, `42.0`.
  package var plainDecimals: String {
    let text = description
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let mantissa = parts[0].filter { $0 != "-" }.split(separator: ".")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let digits = (mantissa.first ?? "") + fraction
    // The decimal point is after the first digit, shifted by the exponent.
    let point = 1 + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count {
      return sign + digits + String(repeating: "0", count: point - digits.count) + ".0"
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
