/// Some keys that are looked for together among the members of objects.
///
/// Each member is compared with the keys of its length only, and most have a length that none of the
/// keys has.
package struct JSONKeys: Sendable {
  private let keys: [StaticString]
  /// One bit for each length up to 63 that a key has.
  private let lengths: UInt64

  /// Creates a set of keys, which are told apart by their number in this list.
  package init(_ keys: [StaticString]) {
    self.keys = keys
    lengths = keys.reduce(0) { $0 | 1 << UInt64(min($1.utf8CodeUnitCount, 63)) }
  }

  /// The number of the key that stands in front of a value; nil for another key.
  @inline(__always)
  fileprivate func number(ofKeyAt key: Int, in document: JSONDocument) -> Int? {
    let word = document.word(at: key)
    guard lengths & (1 << UInt64(min(word.size, 63))) != 0 || word.isEscaped else { return nil }
    for number in keys.indices where document.isKey(keys[number], at: key) { return number }
    return nil
  }
}

extension JSONDocument {
  /// Goes through the members of an object that have one of some keys, in the order of the text.
  ///
  /// - Parameters:
  ///   - keys: The keys; of repeated ones the last counts.
  ///   - index: The object; any other value has no members.
  ///   - take: Takes the number of a key and the index of its value.
  package func forEach(
    of keys: JSONKeys, inObjectAt index: Int, _ take: (_ number: Int, _ value: Int) throws -> Void
  ) rethrows {
    var members = members(at: index)
    while let key = members.nextKey(on: tape) {
      if let number = keys.number(ofKeyAt: key, in: self), !word(at: key).isSuperseded {
        try take(number, key + 1)
      }
    }
  }

  /// Goes through all members of an object in the order of the text, of repeated ones the last.
  ///
  /// - Parameters:
  ///   - index: The object; any other value has no members.
  ///   - take: Takes the index of each value.
  package func forEachMember(
    ofObjectAt index: Int, _ take: (_ value: Int) throws -> Void
  ) rethrows {
    var members = members(at: index)
    while let value = members.next(in: self) { try take(value) }
  }

  /// Goes through the elements of an array.
  ///
  /// - Parameters:
  ///   - index: The array; any other value has no elements.
  ///   - take: Takes the index of each element.
  package func forEachElement(
    ofArrayAt index: Int, _ take: (_ element: Int) throws -> Void
  ) rethrows {
    var elements = elements(at: index)
    while let element = elements.nextElement(in: self) { try take(element) }
  }
}
