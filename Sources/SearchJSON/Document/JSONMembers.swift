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
  package var isSuperseded: Bool { value.document.tape[keyIndex].isSuperseded }

  /// The key as it was written, quotes included.
  package var keySource: ArraySlice<UInt8> {
    value.document.bytes[value.document.range(at: keyIndex)]
  }
}

/// The members of an object in the order of the text, repeated keys included.
package struct JSONMembers: RandomAccessCollection, Sendable {
  let document: JSONDocument
  let first: Int
  /// The number of members.
  package let count: Int

  /// Zero.
  package var startIndex: Int { 0 }
  /// The number of members.
  package var endIndex: Int { count }

  /// The member at a valid position.
  package subscript(position: Int) -> JSONMember {
    precondition(position >= 0 && position < count, "member index \(position) of \(count)")
    return JSONMember(value: JSONNode(document: document, index: first + 2 * position + 1))
  }
}
