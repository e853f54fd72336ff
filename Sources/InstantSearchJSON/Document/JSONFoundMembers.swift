/// Where on the tape the members of an object stand that were looked for, by the number of their
/// key.
package struct JSONFoundMembers {
  /// The index of each value; 0, where the root stands, for one that was not found.
  private var indices = SIMD16<UInt32>()

  /// How many keys can be told apart.
  static var capacity: Int { SIMD16<UInt32>.scalarCount }

  /// The index of the value whose key has that number; nil when the object has no such member.
  package subscript(number: Int) -> Int? {
    let index = indices[number]
    return index == 0 ? nil : Int(index)
  }

  fileprivate mutating func set(_ number: Int, to index: Int) {
    // An index of the tape has 32 bits, and there are no more keys than numbers, which was checked
    // before. Stored as memory: to replace one number of a vector in registers takes longer.
    unsafe withUnsafeMutableBytes(of: &indices) {
      unsafe $0.storeBytes(
        of: UInt32(truncatingIfNeeded: index), toByteOffset: 4 * number, as: UInt32.self)
    }
  }
}

extension JSONDocument {
  /// Finds the members of an object that have one of some keys.
  ///
  /// - Parameters:
  ///   - keys: The keys, at most as many as ``JSONFoundMembers`` can tell apart.
  ///   - index: The object; any other value has no members.
  /// - Complexity: O(members).
  package func members(_ keys: JSONKeys, ofObjectAt index: Int) -> JSONFoundMembers {
    precondition(keys.count <= JSONFoundMembers.capacity, "more keys than can be told apart")
    var found = JSONFoundMembers()
    var members = members(at: index)
    var expected = 0
    while let key = members.nextKey(on: tape) {
      if let number = keys.number(ofTextAt: key, in: self, expected: expected) {
        expected = number + 1
        // Of repeated keys the last counts, which is found last.
        found.set(number, to: key + 1)
      }
    }
    return found
  }
}
