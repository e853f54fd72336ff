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
