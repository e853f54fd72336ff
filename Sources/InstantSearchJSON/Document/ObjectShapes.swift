/// The sets of keys met in a document, so that dictionaries with the same keys need no hashing.
///
/// The objects of a list mostly have the same keys in the same order. For the second such object a
/// dictionary from key to the member's number is made; `mapValues` then makes the dictionary of
/// each further one by copying its keys where they stand.
package struct ObjectShapes {
  /// How many sets are remembered; the one that was met first gives way.
  private static let capacity = 16

  private struct Shape {
    /// The tape index of an object with these keys.
    var object: Int
    var count: Int
    /// The number of each member by key; made when the keys are met again.
    var numbers: [String: Int]?
  }

  private var shapes: [Shape] = []
  private var oldest = 0

  /// Starts with none.
  package init() {}

  /// The numbers of the members of an object by key, counted from 0; nil where its keys were not
  /// met before in this order, or where a key is repeated.
  package mutating func numbers(
    ofObjectAt object: Int, in document: JSONDocument
  ) -> [String: Int]? {
    let count = document.count(at: object)
    for index in shapes.indices
    where shapes[index].count == count && document.haveSameKeys(object, shapes[index].object) {
      if let numbers = shapes[index].numbers { return numbers }
      var numbers: [String: Int] = [:]
      numbers.reserveCapacity(count)
      var members = document.members(at: object)
      while let member = members.next(in: document) {
        numbers[document.key(of: member)] = numbers.count
      }
      guard numbers.count == count else { return nil }
      shapes[index].numbers = numbers
      return numbers
    }
    let shape = Shape(object: object, count: count, numbers: nil)
    if shapes.count < Self.capacity {
      shapes.append(shape)
    } else {
      shapes[oldest] = shape
      oldest = (oldest + 1) % Self.capacity
    }
    return nil
  }
}

extension JSONDocument {
  /// Whether the keys of two objects with as many members are written alike, in the same order.
  fileprivate func haveSameKeys(_ left: Int, _ right: Int) -> Bool {
    var (ours, theirs) = (members(at: left), members(at: right))
    while let our = ours.nextKey(on: tape), let their = theirs.nextKey(on: tape) {
      let (key, other) = (word(at: our), word(at: their))
      guard key.hasSameKindAndSize(as: other),
        text.isSame(at: key.offset, and: other.offset, count: key.size)
      else { return false }
    }
    return true
  }
}
