import InstantSearchAPI

/// One word that stands for a value of a record, by which records are filtered exactly.
///
/// The server compares words, and its words ignore case and punctuation and are cut. So each value
/// becomes a word of digits and letters: the value itself in hexadecimal digits, or its hash if it
/// is long. No value can be read as a part of a filter.
struct ValueCode: Sendable, Hashable {
  /// The word.
  let text: String

  /// The kind of a value, by its first letter.
  private enum Kind: Character {
    case facet = "v"
    case facetNumber = "d"
    case tag = "t"
    case objectID = "i"
    case point = "g"
    case present = "p"
    case one = "o"
    case digits = "x"
  }

  /// The maximum length of a value that is not replaced by its hash, in bytes.
  private static let maximumLength = 40

  private init(_ kind: Kind, _ attribute: String, _ value: [UInt8]) {
    let bytes = Array("\(attribute.utf8.count):\(attribute)".utf8) + value
    text =
      bytes.count <= Self.maximumLength
      ? String(kind.rawValue) + String(hexadecimal: bytes)
      : String(kind.rawValue) + "z" + String(hexadecimal: SHA256.digest(of: bytes))
  }

  /// A value of a facet, regardless of case.
  static func facet(_ attribute: String, _ value: String) -> ValueCode {
    ValueCode(.facet, attribute, Array(value.lowercased().utf8))
  }

  /// A number of a facet, which a filter can spell in several ways.
  static func facetNumber(_ attribute: String, _ text: String) -> ValueCode {
    ValueCode(.facetNumber, attribute, Array(text.utf8))
  }

  /// A tag.
  static func tag(_ tag: String) -> ValueCode { ValueCode(.tag, "_tags", Array(tag.utf8)) }

  /// The ID of the record.
  static func objectID(_ id: String) -> ValueCode { ValueCode(.objectID, "", Array(id.utf8)) }

  /// What a document in the place of a deleted record has, and no record.
  static let deletion = "q"

  /// What the description of an index has, and no record.
  static let description = "y"

  /// A record with a point.
  static let point = ValueCode(.point, "", [])

  /// A record with a number in an attribute.
  static func hasNumber(_ attribute: String) -> ValueCode { ValueCode(.present, attribute, []) }

  /// A record with one number in an attribute, not several.
  static func hasOneNumber(_ attribute: String) -> ValueCode { ValueCode(.one, attribute, []) }

  /// A record with one of several numbers whose key begins with some hexadecimal digits.
  static func number(_ attribute: String, prefix: Prefix) -> ValueCode {
    ValueCode(.digits, attribute, prefix.bytes)
  }
}

extension ValueCode {
  /// The first hexadecimal digits of the key of a number.
  struct Prefix: Sendable, Hashable {
    fileprivate let bytes: [UInt8]

    private init(_ bits: UInt64, length: Int) {
      bytes =
        [UInt8(length)] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }

    private static let maximumLength = 16

    /// The bits of a key in ascending order.
    private static func bits(_ key: NumberKey) -> UInt64 {
      UInt64(bitPattern: key.value) ^ (1 << 63)
    }

    private static func mask(_ length: Int) -> UInt64 {
      length == 0 ? 0 : ~0 << UInt64(4 * (maximumLength - length))
    }

    /// All prefixes of a key.
    static func all(of key: NumberKey) -> [Prefix] {
      (1...maximumLength).map { Prefix(bits(key) & mask($0), length: $0) }
    }

    /// The fewest prefixes that cover a range of keys and nothing else: 480 at most.
    static func covering(_ range: ClosedRange<NumberKey>) -> [Prefix] {
      var result: [Prefix] = []
      func cover(_ low: UInt64, _ high: UInt64, _ base: UInt64, _ length: Int) {
        let end = base | ~mask(length)
        if low <= base, end <= high, length > 0 {
          result.append(Prefix(base, length: length))
          return
        }
        guard length < maximumLength else { return }
        let step = UInt64(1) << UInt64(4 * (maximumLength - length - 1))
        for digit in 0..<UInt64(16) {
          let start = base | digit &* step
          if start <= high, start | (step &- 1) >= low { cover(low, high, start, length + 1) }
        }
      }
      cover(bits(range.lowerBound), bits(range.upperBound), 0, 0)
      return result
    }
  }
}

/// A number as an integer with the same order, which the server compares exactly.
struct NumberKey: Sendable, Hashable, Comparable {
  let value: Int64

  /// The key of a finite number. Both zeros are one.
  init(_ number: Double) {
    let bits = Int64(bitPattern: (number + 0).bitPattern)
    value = bits >= 0 ? bits : bits ^ .max
  }

  private init(value: Int64) { self.value = value }

  /// The keys of the smallest and the largest number.
  static let smallest = NumberKey(-.greatestFiniteMagnitude)
  static let largest = NumberKey(.greatestFiniteMagnitude)

  /// The next key in each direction.
  var next: NumberKey { NumberKey(value: value + 1) }
  var previous: NumberKey { NumberKey(value: value - 1) }

  static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
