/// The value of a JSON number, read from its validated text.
///
/// Integers are exact or nil. Floating-point values are the nearest ones. Each conversion takes
/// time linear in the length of the text.
struct JSONNumber {
  /// The text that holds the number.
  let source: PaddedText
  /// The range of the number.
  let range: Range<Int>

  /// The text as written.
  var text: String { source.string(range) }

  /// The number as an integer type, or nil if it has a fraction or does not fit.
  func integer<T: FixedWidthInteger>(_ type: T.Type, isInteger: Bool) -> T? {
    guard isInteger else { return integerOfReal(type) }
    let isNegative = source[range.lowerBound] == UInt8(ascii: "-")
    let digits = isNegative ? range.lowerBound + 1..<range.upperBound : range
    if digits.count <= 18 {
      var magnitude: Int64 = 0
      for index in digits {
        magnitude = magnitude &* 10 &+ Int64(source[index] &- UInt8(ascii: "0"))
      }
      return T(exactly: isNegative ? 0 &- magnitude : magnitude)
    }
    var value: T = 0
    for index in digits {
      guard Self.append(source[index], to: &value, isNegative: isNegative) else { return nil }
    }
    return value
  }

  /// The number as a `Double`, or nil if it is beyond the largest finite value.
  ///
  /// A value too small for the format is zero.
  var double: Double? {
    if let exact = exactDouble { return exact }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The number as a `Float`, rounded once.
  var float: Float? {
    guard let value = Float(text), value.isFinite else { return nil }
    return value
  }

  /// The parts of a number: its significant digits, as a range that may contain the decimal point,
  /// and the power of ten of its last digit.
  private struct Parts {
    var isNegative = false
    /// The digits before and after the decimal point.
    var digits: Range<Int>
    var fractionDigits = 0
    /// The written exponent, limited to ±2²⁹, which no digits can compensate for.
    var exponent = 0
  }

  private var parts: Parts {
    var parts = Parts(digits: range.lowerBound..<range.lowerBound)
    var index = range.lowerBound
    if source[index] == UInt8(ascii: "-") {
      parts.isNegative = true
      index += 1
    }
    let start = index
    var point: Int?
    while index < range.upperBound, source[index] | 0x20 != UInt8(ascii: "e") {
      if source[index] == UInt8(ascii: ".") { point = index }
      index += 1
    }
    parts.digits = start..<index
    if let point { parts.fractionDigits = index - point - 1 }
    guard index < range.upperBound else { return parts }
    index += 1
    var exponentIsNegative = false
    if source[index] == UInt8(ascii: "-") || source[index] == UInt8(ascii: "+") {
      exponentIsNegative = source[index] == UInt8(ascii: "-")
      index += 1
    }
    var exponent = 0
    while index < range.upperBound {
      exponent = JSONLimits<Int>.exponent(
        exponent, appending: Int(source[index] &- UInt8(ascii: "0")))
      index += 1
    }
    parts.exponent = exponentIsNegative ? -exponent : exponent
    return parts
  }

  /// The exact integer value of a text with a fraction or an exponent.
  private func integerOfReal<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    let parts = parts
    var value: T = 0
    var pendingZeros = 0
    for index in parts.digits where source[index] != UInt8(ascii: ".") {
      if source[index] == UInt8(ascii: "0") {
        pendingZeros += 1
        continue
      }
      if value != 0 {
        guard Self.appendZeros(pendingZeros, to: &value) else { return nil }
      }
      pendingZeros = 0
      guard Self.append(source[index], to: &value, isNegative: parts.isNegative) else { return nil }
    }
    if value == 0 { return 0 }
    let scale = parts.exponent - parts.fractionDigits + pendingZeros
    guard scale >= 0, Self.appendZeros(scale, to: &value) else { return nil }
    return value
  }

  private static func append<T: FixedWidthInteger>(
    _ digit: UInt8, to value: inout T, isNegative: Bool
  ) -> Bool {
    let digit = T(truncatingIfNeeded: digit &- UInt8(ascii: "0"))
    let product = value.multipliedReportingOverflow(by: 10)
    let sum =
      isNegative
      ? product.partialValue.subtractingReportingOverflow(digit)
      : product.partialValue.addingReportingOverflow(digit)
    value = sum.partialValue
    return !product.overflow && !sum.overflow
  }

  /// Multiplies a nonzero value by a power of ten. Stops at the first overflow.
  private static func appendZeros<T: FixedWidthInteger>(_ count: Int, to value: inout T) -> Bool {
    for _ in 0..<count {
      let product = value.multipliedReportingOverflow(by: 10)
      guard !product.overflow else { return false }
      value = product.partialValue
    }
    return true
  }

  /// The value, if one multiplication or division of two exact doubles rounds correctly by IEEE
  /// 754: a significand of at most 2⁵³ and a power of ten of at most 10²².
  private var exactDouble: Double? {
    let parts = parts
    guard parts.digits.count <= 17 else { return nil }
    var significand: UInt64 = 0
    for index in parts.digits where source[index] != UInt8(ascii: ".") {
      significand = significand &* 10 &+ UInt64(source[index] &- UInt8(ascii: "0"))
    }
    guard significand <= 1 << 53 else { return nil }
    let scale = parts.exponent - parts.fractionDigits
    guard scale.magnitude < Self.powersOfTen.count else { return nil }
    let power = Self.powersOfTen[Int(scale.magnitude)]
    let value = scale < 0 ? Double(significand) / power : Double(significand) * power
    return parts.isNegative ? -value : value
  }

  /// The powers of ten that a double represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
