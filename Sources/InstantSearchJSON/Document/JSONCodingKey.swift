/// A step of a coding path that no user type names: a member's key or an element's index.
package struct JSONCodingKey: CodingKey, Sendable, Hashable {
  /// The key, or `Index 3` for an element, as the standard library writes it.
  package let stringValue: String
  /// The index of an element, nil for a member.
  package let intValue: Int?

  /// The key of a member.
  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  /// A key that is a number.
  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// The place of an element, counted from 0.
  package init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// The key under which a class keeps the members of its superclass.
  static let `super` = JSONCodingKey(stringValue: "super")
}
