/// How far a document's numbers reach, in a type of integers: on watches `Int` may have 32 bits.
package enum JSONLimits<Integer: FixedWidthInteger & Sendable> {
  /// The largest offset a word can carry, 2³² − 1, or as far as the type reaches.
  package static var offset: Integer { Integer(clamping: UInt32.max) }

  /// The largest size a word can carry: 2²⁸ − 1.
  package static var size: Integer { (1 << 28) - 1 }

  /// How far exponents of ten are told apart: 2²⁹, which the digits of a number, fewer than 2²⁸,
  /// cannot make up for, and which leaves room for adding their count.
  package static var exponent: Integer { 1 << 29 }

  /// An exponent with one more digit at its end, held within the limit.
  package static func exponent(_ exponent: Integer, appending digit: Integer) -> Integer {
    exponent > (Self.exponent - digit) / 10 ? Self.exponent : exponent * 10 + digit
  }
}
