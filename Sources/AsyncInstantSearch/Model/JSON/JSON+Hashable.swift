extension JSON: Hashable {
  /// Compares by value; a number's case does not matter, and NaN equals NaN.
  public static func == (left: JSON, right: JSON) -> Bool {
    // A list of what is still to be compared: values may be nested deeper than a stack is.
    var pairs: [(JSON, JSON)] = []
    guard left.equals(right, appendingChildrenTo: &pairs) else { return false }
    while let (left, right) = pairs.popLast() {
      guard left.equals(right, appendingChildrenTo: &pairs) else { return false }
    }
    return true
  }

  /// Whether both are equal as far as their children are, which are added to the list.
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

  /// Hashes the value, equal numbers alike whichever case holds them.
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

  /// A number in the one form that equal numbers share.
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
