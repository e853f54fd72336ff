/// Some keys that are looked for together among the members of objects.
///
/// Each member is compared with the keys of its length only, and most have a length that none of the
/// keys has.
package struct JSONKeys: Sendable {
  private struct Key {
    var text: StaticString
    /// The key's place in the list that the set was made of.
    var number: Int
  }

  /// The keys, the shortest first.
  private let keys: [Key]
  /// For each length up to the longest, where its keys begin in ``keys``; where those of the next
  /// length begin, they end.
  private let starts: [Int]

  /// Creates a set of keys, which are told apart by their number in this list.
  package init(_ keys: [StaticString]) {
    let sorted = keys.enumerated().map { Key(text: $1, number: $0) }
      .sorted { $0.text.utf8CodeUnitCount < $1.text.utf8CodeUnitCount }
    let longest = sorted.last?.text.utf8CodeUnitCount ?? 0
    starts = (0...longest + 1).map { length in
      sorted.count { $0.text.utf8CodeUnitCount < length }
    }
    self.keys = sorted
  }

  /// The number of the key at an index; nil for another key.
  @inline(__always)
  fileprivate func number(ofKeyAt index: Int, in document: JSONDocument) -> Int? {
    let word = document.word(at: index)
    if word.isEscaped { return keys.first { document.isKey($0.text, at: index) }?.number }
    let size = word.size
    guard size < starts.count - 1 else { return nil }
    var position = starts[size]
    let end = starts[size + 1]
    while position < end {
      if document.isKey(keys[position].text, at: index) { return keys[position].number }
      position += 1
    }
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
