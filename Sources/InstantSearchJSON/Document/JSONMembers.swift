/// One member of an object.
package struct JSONMember: Sendable {
  /// The value.
  package let value: JSONNode

  /// The tape index of the key, which stands in front of the value.
  private var keyIndex: Int { value.index - 1 }

  init(value: JSONNode) {
    self.value = value
  }

  /// The key, escapes resolved; made at each access.
  package var key: String { value.document.text(at: keyIndex) }

  /// Whether the key is exactly this text, compared as UTF-8 without making a string.
  package func hasKey(_ text: String) -> Bool { value.document.text(at: keyIndex, equals: text) }

  /// Whether a later member of the object has the same key and counts in place of this one.
  package var isSuperseded: Bool { value.document.word(at: keyIndex).isSuperseded }

  /// The key as it was written, quotes included.
  package var keySource: [UInt8] {
    value.document.text.bytes(value.document.range(at: keyIndex))
  }
}

/// The members of an object in the order of the text, repeated keys included.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  let document: JSONDocument
  private var children: JSONChildren
  /// The number of members.
  package let count: Int

  init(of node: JSONNode) {
    document = node.document
    children = document.members(at: node.index)
    count = node.kind == .object ? node.count : 0
  }

  /// Whether there are none.
  package var isEmpty: Bool { count == 0 }
  /// The number of members.
  package var underestimatedCount: Int { count }

  /// Goes to the next member.
  package mutating func next() -> JSONMember? {
    children.nextKey(on: document.tape).map {
      JSONMember(value: JSONNode(document: document, index: $0 + 1))
    }
  }
}

/// The elements of an array, in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  let document: JSONDocument
  private var children: JSONChildren
  /// The number of elements.
  package let count: Int

  init(of node: JSONNode) {
    document = node.document
    children = document.elements(at: node.index)
    count = node.kind == .array ? node.count : 0
  }

  /// Whether there are none.
  package var isEmpty: Bool { count == 0 }
  /// The number of elements.
  package var underestimatedCount: Int { count }

  /// Goes to the next element.
  package mutating func next() -> JSONNode? {
    children.nextElement(in: document).map { JSONNode(document: document, index: $0) }
  }
}
