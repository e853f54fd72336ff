/// A value in a document: the document and an index on its tape.
///
/// Every accessor returns nil, zero or an empty collection for a value of another kind. No accessor
/// traps.
package struct JSONNode: Sendable {
  /// The kind of a value.
  package enum Kind: Sendable, Hashable {
    case null, bool, number, string, array, object
  }

  /// The document of the value, which the node retains.
  package let document: JSONDocument
  /// The index of the value's word on the tape.
  package let index: Int

  /// Creates the value at an index of a document.
  package init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// The kind of the value.
  package var kind: Kind { document.kind(at: index) }

  /// Whether the value is `null`.
  package var isNull: Bool { kind == .null }

  /// The value of `true` or `false`.
  package var bool: Bool? { document.bool(at: index) }

  /// The unescaped text of a string. A lone surrogate reads as U+FFFD.
  package var string: String? { document.string(at: index) }

  /// Whether the value is a string with an escape.
  package var isEscaped: Bool { document.word(at: index).isEscaped }

  /// Replaces the contents of an array by the UTF-8 of a string, or of a number as written. Any
  /// other value leaves it empty.
  package func readText(into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    switch kind {
    case .string where isEscaped: bytes.append(contentsOf: (string ?? "").utf8)
    case .string: document.text.append(document.range(at: index).dropFirst().dropLast(), to: &bytes)
    case .number: document.text.append(document.range(at: index), to: &bytes)
    default: break
    }
  }

  /// Whether the value is a string with exactly this text, compared as UTF-8 without creating a
  /// string.
  package func isString(_ text: String) -> Bool {
    kind == .string && document.text(at: index, equals: text)
  }

  /// The number as an `Int`, or nil if it is not exactly one. `12`, `12.0` and `1.2e1` are.
  package var int: Int? { document.int(at: index) }

  /// The number as an `Int64`, or nil if it is not exactly one.
  package var int64: Int64? { document.int64(at: index) }

  /// The number as a `UInt64`, or nil if it is not exactly one.
  package var uint64: UInt64? { document.uint64(at: index) }

  /// The number as any integer type, or nil if it is not exactly one.
  package func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    document.integer(type, at: index)
  }

  /// The double nearest to the number, or nil beyond the largest finite double. A number closer to
  /// zero than to the smallest double is zero.
  package var double: Double? { document.double(at: index) }

  /// The single-precision value nearest to the number, with the rules of ``double``.
  package var float: Float? { kind == .number ? document.number(at: index).float : nil }

  /// The number as written.
  package var numberText: String? { document.numberText(at: index) }

  /// Whether the number is written without a fraction and an exponent.
  package var isWrittenAsInteger: Bool { document.isWrittenAsInteger(at: index) }

  /// The number of elements or members, including repeated keys. 0 for scalars.
  package var count: Int { document.count(at: index) }

  /// The range of the value's bytes in the text, including quotes and brackets.
  package var sourceRange: Range<Int> { document.range(at: index) }

  /// A copy of the bytes of the value as written.
  package var source: [UInt8] { document.text.bytes(sourceRange) }

  /// The path from the document's root to this value, computed at each access.
  package var codingPath: [any CodingKey] {
    document.steps(to: index).map { document.codingKey(of: $0) }
  }
}

extension JSONNode {
  /// The elements of an array, or none for any other value.
  package var elements: JSONElements { JSONElements(of: self) }

  /// The members of an object in the order of the text, including repeated keys, whose values do
  /// not count. None for any other value. Use ``currentMembers`` to read values.
  package var members: JSONMembers { JSONMembers(of: self) }

  /// The members of an object in the order of the text, only the last of repeated keys. None for
  /// any other value.
  package var currentMembers: some Sequence<JSONMember> {
    members.lazy.filter { !$0.isSuperseded }
  }

  /// The value of a key, the last one if the key is repeated, or nil if it is absent or the value
  /// is not an object. Keys are compared as UTF-8, without normalization.
  ///
  /// - Complexity: O(members). To read many keys, iterate over ``members`` once.
  package subscript(key: String) -> JSONNode? {
    guard kind == .object else { return nil }
    return document.value(of: key, inObjectAt: index).map {
      JSONNode(document: document, index: $0)
    }
  }

  /// The element at an index, or nil if it is missing or the value is not an array.
  ///
  /// - Complexity: O(index). To read many elements, iterate over ``elements``.
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

  /// The tape index of the key, which precedes the value.
  private var keyIndex: Int { value.index - 1 }

  init(value: JSONNode) {
    self.value = value
  }

  /// The unescaped key, created at each access.
  package var key: String { value.document.text(at: keyIndex) }

  /// Whether the key is exactly this text, compared as UTF-8 without creating a string.
  package func hasKey(_ text: String) -> Bool { value.document.text(at: keyIndex, equals: text) }

  /// Whether a later member of the object has the same key and replaces this one.
  package var isSuperseded: Bool { value.document.word(at: keyIndex).isSuperseded }

  /// The key as written, including quotes.
  package var keySource: [UInt8] {
    value.document.text.bytes(value.document.range(at: keyIndex))
  }
}

/// The members of an object in the order of the text, including repeated keys.
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

  /// Whether there are no members.
  package var isEmpty: Bool { count == 0 }
  /// The number of members.
  package var underestimatedCount: Int { count }

  /// Returns the next member.
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

  /// Whether there are no elements.
  package var isEmpty: Bool { count == 0 }
  /// The number of elements.
  package var underestimatedCount: Int { count }

  /// Returns the next element.
  package mutating func next() -> JSONNode? {
    children.nextElement(in: document).map { JSONNode(document: document, index: $0) }
  }
}
