extension JSONNode {
  /// The elements of an array; empty for any other value.
  package var elements: JSONElements { JSONElements(of: self) }

  /// The members of an object in the order of the text, repeated keys included, whose values do not
  /// count; empty for any other value. To read values, walk ``currentMembers``.
  package var members: JSONMembers { JSONMembers(of: self) }

  /// The members of an object in the order of the text, of repeated keys the last one only; empty
  /// for any other value.
  package var currentMembers: some Sequence<JSONMember> {
    members.lazy.filter { !$0.isSuperseded }
  }

  /// The value of a key, the last one where the key is repeated; nil when it is absent or the value
  /// is not an object. Keys are compared as UTF-8, without normalisation.
  ///
  /// - Complexity: O(members); walk ``members`` once instead of asking for many keys.
  package subscript(key: String) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.value(of: key, inObjectAt: index).map {
      JSONNode(document: document, index: $0)
    }
  }

  /// The element at a position; nil when there is none or the value is not an array.
  ///
  /// - Complexity: O(position); walk ``elements`` to read many.
  package subscript(position: Int) -> JSONNode? {
    guard position >= 0, position < count else { return nil }
    var elements = document.elements(at: index)
    for _ in 0..<position { _ = elements.nextElement(in: document) }
    return elements.nextElement(in: document).map { JSONNode(document: document, index: $0) }
  }
}
