/// A value inside a document: the document and an index on its tape.
///
/// Every accessor answers nil, zero or an empty collection where the value is of another kind, and
/// none can trap.
package struct JSONNode: Sendable {
  /// What a value is.
  package enum Kind: Sendable, Hashable {
    case null, bool, number, string, array, object
  }

  /// The document the value belongs to, and keeps alive.
  package let document: JSONDocument
  /// The place of the value's word on the tape.
  package let index: Int

  /// The value at an index that the document has given.
  package init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// What the value is.
  package var kind: Kind { document.kind(at: index) }

  /// Whether the value is `null`.
  package var isNull: Bool { kind == .null }

  /// The value of `true` or `false`.
  package var bool: Bool? { document.bool(at: index) }

  /// The text of a string, escapes resolved; a lone surrogate reads as U+FFFD.
  package var string: String? { document.string(at: index) }

  /// Whether the value is a string with exactly this text, compared as UTF-8 without making a
  /// string.
  package func isString(_ text: String) -> Bool {
    kind == .string && document.text(at: index, equals: text)
  }

  /// The number as an `Int` when it is one exactly: `12`, `12.0` and `1.2e1` are.
  package var int: Int? { document.int(at: index) }

  /// The number as an `Int64` when it is one exactly.
  package var int64: Int64? { document.int64(at: index) }

  /// The number as a `UInt64` when it is one exactly.
  package var uint64: UInt64? { document.uint64(at: index) }

  /// The number in any integer type when it is one exactly.
  package func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    document.integer(type, at: index)
  }

  /// The double nearest to the number; nil for a number beyond the largest finite double, zero for
  /// one nearer to zero than to the smallest.
  package var double: Double? { document.double(at: index) }

  /// The single-precision value nearest to the number, with the rules of ``double``.
  package var float: Float? { kind == .number ? document.number(at: index).float : nil }

  /// The number as it was written.
  package var numberText: String? { document.numberText(at: index) }

  /// Whether a number was written without fraction and exponent.
  package var isWrittenAsInteger: Bool { document.isWrittenAsInteger(at: index) }

  /// The number of elements or of members, repeated keys counted; 0 for scalars.
  package var count: Int { document.count(at: index) }

  /// The positions of the value's bytes in the text, quotes and brackets included.
  package var sourceRange: Range<Int> { document.range(at: index) }

  /// The value as it was written; a copy of its bytes.
  package var source: [UInt8] { document.text.bytes(sourceRange) }

  /// The steps from the document's root to this value; computed at each access.
  package var codingPath: [any CodingKey] {
    document.steps(to: index).map { document.codingKey(of: $0) }
  }
}

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
