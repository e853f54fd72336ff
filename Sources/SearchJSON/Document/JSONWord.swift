/// One entry of a tape: a value, a key, or the frame of a container.
///
/// The tape of a document is one array of 8-byte words. A container's children lie side by side, in
/// front of the block they belong to stands its frame, and the document's root is the last word:
///
///     value or key   63..60 kind | 59..32 size (28 bits)  | 31..0 offset (32 bits)
///     frame          63..32 byte after the last bracket   | 31..0 byte of the first bracket
///
///     kind              size                    offset
///     scalar            bytes of its text       first byte of its text
///     string, key       bytes between quotes    first byte after the quote
///     array             elements                tape index of the first element
///     object            members                 tape index of the first key
///
///     {"a":[1,2],"b":3}     0  frame  5..<10          of [1,2]
///                           1  integer  1
///                           2  integer  2
///                           3  frame  0..<17          of {…}
///                           4  key "a"      5  array   size 2, offset 1
///                           6  key "b"      7  integer 3
///                           8  object  size 2, offset 4      <- root
///
/// A block is written when its container closes, so inner blocks come before outer ones. A child is
/// found by its index, and stepping over a value of any size is stepping over one word.
struct JSONWord: Sendable, Hashable {
  /// What a word stands for; the raw value is its upper four bits.
  enum Kind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// A number with a fraction, an exponent or both.
    case real
    /// A string or key without a backslash: its text is its bytes.
    case string
    /// A string or key with at least one escape sequence.
    case escapedString
    case array, object
    /// A key without a backslash, repeated by a later member of its object.
    case supersededKey
    /// A key with escapes, repeated by a later member of its object.
    case supersededEscapedKey
  }

  /// The largest size a word can carry: 2²⁸ − 1.
  static let maximumSize = JSONLimits<Int>.size
  /// The largest offset a word can carry: 2³² − 1, or 2³¹ − 1 where `Int` has 32 bits.
  static let maximumOffset = JSONLimits<Int>.offset

  /// The eight bytes.
  var rawValue: UInt64

  /// Packs a value or key; `size` and `offset` were checked against the limits.
  init(_ kind: Kind, size: Int, offset: Int) {
    rawValue =
      UInt64(kind.rawValue) << 60
      | (UInt64(truncatingIfNeeded: size) & 0xFFF_FFFF) << 32
      | (UInt64(truncatingIfNeeded: offset) & 0xFFFF_FFFF)
  }

  /// Packs the frame of a container that covers the bytes `start..<end`.
  init(frameFrom start: Int, to end: Int) {
    rawValue =
      (UInt64(truncatingIfNeeded: end) & 0xFFFF_FFFF) << 32
      | (UInt64(truncatingIfNeeded: start) & 0xFFFF_FFFF)
  }

  /// What the word stands for; meaningless for a frame.
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rawValue >> 60)) ?? .null }
  /// The number of bytes, elements or members.
  var size: Int { Int(truncatingIfNeeded: (rawValue >> 32) & 0xFFF_FFFF) }
  /// The byte or tape index where the content starts.
  var offset: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
  /// The bytes of the container whose frame this is.
  var frame: Range<Int> {
    let end = Int(truncatingIfNeeded: rawValue >> 32)
    return Swift.min(offset, end)..<end
  }

  /// Whether a later member of the same object has this key.
  var isSuperseded: Bool { kind == .supersededKey || kind == .supersededEscapedKey }
  /// Whether the text of the string or key has escape sequences.
  var isEscaped: Bool { kind == .escapedString || kind == .supersededEscapedKey }
  /// The same key, marked as repeated by a later member.
  var superseded: JSONWord {
    JSONWord(isEscaped ? .supersededEscapedKey : .supersededKey, size: size, offset: offset)
  }
}
