/// A walk over the children of one container, which reads the tape that it is given at each step.
///
/// It is two numbers, so that a walk costs no reference counting:
///
///     var members = document.members(at: object)
///     while let value = members.next(in: document) { … document.key(of: value) … }
package struct JSONChildren: Sendable {
  /// The tape index of the next key or element.
  var index: Int
  /// The tape index behind the last one.
  let end: Int

  init(index: Int, end: Int) {
    self.index = index
    self.end = end
  }

  /// The next element of an array.
  @inline(__always)
  package mutating func nextElement(on tape: JSONTape) -> Int? {
    guard index < end else { return nil }
    let element = index
    index = tape.end(of: element)
    return element
  }

  /// The next key of an object, whose value follows it; repeated keys included.
  @inline(__always)
  package mutating func nextKey(on tape: JSONTape) -> Int? {
    guard index < end else { return nil }
    let key = index
    index = tape.end(of: key + 1)
    return key
  }
}

extension JSONTape {
  /// The children of the container at an index; none for any other value.
  @inline(__always)
  package func children(of index: Int) -> JSONChildren {
    let word = self[index]
    return word.isContainer
      ? JSONChildren(index: index + 2, end: word.offset) : JSONChildren(index: index, end: index)
  }

  /// The index behind a value and all that is in it.
  @inline(__always)
  package func end(of index: Int) -> Int {
    let word = self[index]
    return word.isContainer ? word.offset : index + 1
  }
}

extension JSONDocument {
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
