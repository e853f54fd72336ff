/// A value inside a document; copying one copies a reference and an index.
///
/// Every accessor answers nil, zero or an empty collection where the value is of another kind, and
/// none can trap. The collections it gives, ``elements`` and ``members``, are ordinary ones: their
/// subscripts ask for a position within their bounds and trap on any other, so that an element whose
/// index came from outside is taken from the node itself, `node[3]`.
package struct JSONNode: Sendable {
  /// What a value is.
  package enum Kind: Sendable, Hashable {
    case null, bool, number, string, array, object
  }

  /// The document the value belongs to, and keeps alive.
  package let document: JSONDocument
  /// The place of the value's word on the tape.
  let index: Int

  init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  var word: JSONWord { document.tape[index] }

  /// What the value is.
  package var kind: Kind {
    switch word.kind {
    case .null: .null
    case .false, .true: .bool
    case .integer, .real: .number
    case .array: .array
    case .object: .object
    case .string, .escapedString, .supersededKey, .supersededEscapedKey: .string
    }
  }

  /// Whether the value is `null`.
  package var isNull: Bool { word.kind == .null }

  /// The value of `true` or `false`.
  package var bool: Bool? {
    switch word.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The text of a string, escapes resolved; a lone surrogate reads as U+FFFD.
  package var string: String? {
    kind == .string ? document.text(at: index) : nil
  }

  /// Whether the value is a string with exactly this text, compared as UTF-8 without making a
  /// string.
  package func isString(_ text: String) -> Bool {
    kind == .string && document.text(at: index, equals: text)
  }

  /// The number as an `Int` when it is one exactly: `12`, `12.0` and `1.2e1` are.
  package var int: Int? { integer(Int.self) }

  /// The number as an `Int64` when it is one exactly.
  package var int64: Int64? { integer(Int64.self) }

  /// The number as a `UInt64` when it is one exactly.
  package var uint64: UInt64? { integer(UInt64.self) }

  /// The number in any integer type when it is one exactly.
  package func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    switch word.kind {
    case .integer: document.number(at: index).integer(type, isInteger: true)
    case .real: document.number(at: index).integer(type, isInteger: false)
    default: nil
    }
  }

  /// The double nearest to the number; nil for a number beyond the largest finite double, zero for
  /// one nearer to zero than to the smallest.
  package var double: Double? { kind == .number ? document.number(at: index).double : nil }

  /// The single-precision value nearest to the number, with the rules of ``double``.
  package var float: Float? { kind == .number ? document.number(at: index).float : nil }

  /// The number as it was written.
  package var numberText: String? { kind == .number ? document.number(at: index).text : nil }

  /// Whether a number was written without fraction and exponent.
  package var isWrittenAsInteger: Bool { word.kind == .integer }

  /// The number of elements or of members, repeated keys counted; 0 for scalars.
  package var count: Int {
    switch word.kind {
    case .array, .object: word.size
    default: 0
    }
  }

  /// The value's bytes in ``JSONDocument/bytes``, quotes and brackets included.
  package var sourceRange: Range<Int> { document.range(at: index) }

  /// The value as it was written.
  package var source: ArraySlice<UInt8> { document.bytes[sourceRange] }

  /// The steps from the document's root to this value; computed at each access.
  package var codingPath: [any CodingKey] {
    document.steps(to: index).map { document.codingKey(of: $0) }
  }
}
