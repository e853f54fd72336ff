extension JSONNode {
  /// The elements of an array; empty for any other value.
  package var elements: JSONElements {
    let word = word
    let isArray = word.kind == .array
    return JSONElements(
      document: document, first: isArray ? word.offset : 0, count: isArray ? word.size : 0)
  }

  /// The members of an object in the order of the text, repeated keys included, whose values do not
  /// count; empty for any other value. To read values, walk ``currentMembers``.
  package var members: JSONMembers {
    let word = word
    let isObject = word.kind == .object
    return JSONMembers(
      document: document, first: isObject ? word.offset : 0, count: isObject ? word.size : 0)
  }

  /// The members of an object in the order of the text, of repeated keys the last one only; empty for
  /// any other value.
  package var currentMembers: some Sequence<JSONMember> {
    members.lazy.filter { !$0.isSuperseded }
  }

  /// The value of a key, the last one where the key is repeated; nil when it is absent or the value
  /// is not an object. Keys are compared as UTF-8, without normalisation.
  ///
  /// - Complexity: O(members); walk ``members`` once instead of asking for many keys.
  package subscript(key: String) -> JSONNode? {
    guard word.kind == .object else { return nil }
    return document.value(of: key, inObjectAt: index).map {
      JSONNode(document: document, index: $0)
    }
  }

  /// The element at a position; nil when there is none or the value is not an array.
  ///
  /// - Complexity: O(1).
  package subscript(position: Int) -> JSONNode? {
    let word = word
    guard word.kind == .array, position >= 0, position < word.size else { return nil }
    return JSONNode(document: document, index: word.offset + position)
  }
}

/// The elements of an array, found by their index.
package struct JSONElements: RandomAccessCollection, Sendable {
  let document: JSONDocument
  let first: Int
  /// The number of elements.
  package let count: Int

  /// Zero.
  package var startIndex: Int { 0 }
  /// The number of elements.
  package var endIndex: Int { count }

  /// The element at a valid position.
  package subscript(position: Int) -> JSONNode {
    precondition(position >= 0 && position < count, "array index \(position) of \(count)")
    return JSONNode(document: document, index: first + position)
  }
}
