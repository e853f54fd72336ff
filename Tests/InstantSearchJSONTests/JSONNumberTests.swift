import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

struct JSONNumberTests {
  private func node(_ text: String) throws -> JSONNode {
    try JSONDocument(Array(text.utf8)).root
  }

  @Test(
    "Integers are exact or absent",
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0", 0), ("0e5", 0), ("0.000e-9", 0), ("12", 12), ("-12", -12),
      ("12.0", 12), ("1.2e1", 12), ("1200e-2", 12), ("0.12E2", 12), ("0.0012e4", 12),
      ("120000000000000000000e-19", 12), ("12.5", nil), ("1.2", nil), ("1e-1", nil),
      ("1.0000000000000000000000001", nil), ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740993.0", 9_007_199_254_740_993), ("9223372036854775807", .max),
      ("9223372036854775808", nil), ("-9223372036854775808", .min), ("-9223372036854775809", nil),
      ("9.223372036854775807e18", .max), ("9.223372036854775808e18", nil),
      ("-9.223372036854775808e18", .min), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
      ("1e400", nil), ("1e99999999999999999999", nil), ("0e99999999999999999999", 0),
      ("1e-99999999999999999999", nil), ("100000000000000000000000", nil),
    ] as [(String, Int64?)])
  func integers(text: String, expected: Int64?) throws {
    let node = try node(text)
    expectEqual(node.int64, expected)
    expectEqual(node.int, expected.map(Int.init))
    expectEqual(node.numberText, text)
  }

  @Test func unsignedIntegersReachTheirBounds() throws {
    try expectEqual(node("18446744073709551615").uint64, .max)
    try expectEqual(node("18446744073709551615.0").uint64, .max)
    try expectEqual(node("1.8446744073709551615e19").uint64, .max)
    #expect(try node("18446744073709551616").uint64 == nil)
    #expect(try node("-1").uint64 == nil)
    #expect(try node("-1.0").uint64 == nil)
    try expectEqual(node("-0").uint64, 0)
    try expectEqual(node("-128").integer(Int8.self), -128)
    #expect(try node("128").integer(Int8.self) == nil)
    #expect(try node("1.28e2").integer(Int8.self) == nil)
    try expectEqual(node("2.55e2").integer(UInt8.self), 255)
    try expectEqual(
      node("340282366920938463463374607431768211455").integer(UInt128.self), .max)
    #expect(try node("340282366920938463463374607431768211456").integer(UInt128.self) == nil)
    try expectEqual(
      node("-170141183460469231731687303715884105728").integer(Int128.self), .min)
  }

  @Test(
    "Doubles are the nearest ones",
    arguments: [
      ("0", 0), ("0.1", 0.1), ("0.30000000000000004", 0.1 + 0.2), ("1e22", 1e22), ("1e23", 1e23),
      ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
      ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
      ("2.2250738585072014e-308", 0x1p-1022), ("4.9e-324", 0x1p-1074), ("5e-324", 0x1p-1074),
      ("2.4703282292062327e-324", 0), ("2.4703282292062328e-324", 0x1p-1074),
      ("1.7976931348623157e308", 0x1.fffffffffffffp1023),
      ("1.7976931348623158e308", 0x1.fffffffffffffp1023), ("1.7976931348623159e308", nil),
      ("1e309", nil), ("1e400", nil), ("-1e400", nil), ("1e-400", 0),
      ("1e99999999999999999999", nil),
      ("1e-99999999999999999999", 0), ("0e99999999999999999999", 0),
      ("123456789012345678901234567890", 1.2345678901234568e29), ("0.5e1", 5),
      ("1.00000000000000011102230246251565404236316680908203125", 1),
      ("1.00000000000000011102230246251565404236316680908203124", 1),
      ("1.00000000000000011102230246251565404236316680908203126", 1.0000000000000002),
      ("8.98846567431158e307", 8.98846567431158e307), ("7.2057594037927933e16", 0x1p56),
    ] as [(String, Double?)])
  func doubles(text: String, expected: Double?) throws {
    try expectEqual(node(text).double, expected)
    if !text.hasPrefix("-") { try expectEqual(node("-" + text).double, expected.map { -$0 }) }
  }

  /// On some watches `Int` is `Int32`.
  @Test func limitsFitIntegersOf32Bits() {
    expectEqual(JSONLimits<Int32>.offset, .max)
    expectEqual(JSONLimits<Int64>.offset, 4_294_967_295)
    expectEqual(JSONLimits<Int32>.size, 268_435_455)
    var exponent: Int32 = 0
    for _ in 0..<20 { exponent = JSONLimits.exponent(exponent, appending: 9) }
    expectEqual(exponent, 536_870_912)
    #expect(exponent + JSONLimits.size + JSONLimits.size > 0)
    exponent = 0
    for digit in [1, 2, 3, 4, 5, 6, 7, 8, 9] as [Int32] {
      exponent = JSONLimits.exponent(exponent, appending: digit)
    }
    expectEqual(exponent, 123_456_789)
    expectEqual(JSONLimits.exponent(53_687_091 as Int32, appending: 2), 536_870_912)
    expectEqual(JSONLimits.exponent(53_687_091 as Int32, appending: 1), 536_870_911)
  }

  @Test func exponentsBeyondTheLimitsSaturate() throws {
    #expect(try node("1e2147483648").double == nil)
    try expectEqual(node("1e-2147483648").double, 0)
    #expect(try node("1e4294967296").int == nil)
    try expectEqual(node("0e4294967296").int, 0)
    try expectEqual(node("1e0000000000000000000000000002").int, 100)
  }

  @Test func negativeZeroKeepsItsSign() throws {
    try expectEqual(node("-0").double?.sign, .minus)
    try expectEqual(node("-0.0").double?.sign, .minus)
    try expectEqual(node("-1e-400").double?.sign, .minus)
    try expectEqual(node("0").double?.sign, .plus)
  }

  @Test func longNumbersAreRead() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try node("1" + zeros).double == nil)
    #expect(try node("1" + zeros).int == nil)
    try expectEqual(node("0." + zeros + "1").double, 0)
    try expectEqual(node("5." + zeros).int, 5)
    try expectEqual(node("1" + zeros + "e-100000").int, 1)
    try expectEqual(node("1" + zeros + "e-100000").double, 1)
    try expectEqual(node("0." + zeros + "1e100001").double, 1)
  }

  @Test(arguments: Seed.all(20))
  func randomDoublesAreReadBack(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    for _ in 0..<500 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      var writer = JSONWriter()
      writer.double(value)
      let node = try JSONDocument(writer.bytes).root
      expectEqual(node.double?.bitPattern, value.bitPattern, "seed \(seed.value)")
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard float.isFinite else { continue }
      writer = JSONWriter()
      writer.float(float)
      try expectEqual(JSONDocument(writer.bytes).root.float, float, "seed \(seed.value)")
    }
  }

  /// A decimal exactly between two doubles is read as the even one. One that differs from it in the
  /// last of many digits is read as the nearer one.
  @Test func decimalsHalfwayBetweenDoublesAreRoundedToEven() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<Thoroughness.count(200, thorough: 2_000) {
      let significand = UInt128(UInt64.random(in: 1 << 52..<1 << 53 - 1, using: &random))
      let exponent = Int.random(in: -30...70, using: &random)
      // Exact, since both bounds have at most 53 bits.
      let below = Double(sign: .plus, exponent: exponent, significand: Double(significand))
      let above = Double(sign: .plus, exponent: exponent, significand: Double(significand + 1))
      let even = significand.isMultiple(of: 2) ? below : above
      var digits = String(significand * 2 + 1)
      if exponent > 0 {
        digits = String((significand * 2 + 1) << UInt128(exponent - 1))
        digits += "."
      } else {
        // m / 2ⁿ is m · 5ⁿ / 10ⁿ.
        let scale = 1 - exponent
        var scaled = significand * 2 + 1
        for _ in 0..<scale { scaled *= 5 }
        digits = String(scaled)
        if digits.count <= scale {
          digits = String(repeating: "0", count: scale + 1 - digits.count) + digits
        }
        digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
      }
      let isNegative = Bool.random(using: &random)
      let texts = [(digits + "0", even), (digits + "000000000000000000001", above)]
      for (text, expected) in texts {
        let node = try node((isNegative ? "-" : "") + text)
        expectEqual(node.double, isNegative ? -expected : expected, "\(text)")
      }
      // The same a little below: the last digit is 5, or the fraction begins.
      let nearer =
        exponent > 0
        ? String((significand * 2 + 1) << UInt128(exponent - 1) - 1) + ".99999999999999999999"
        : String(digits.dropLast()) + "4999999999999999999999"
      try expectEqual(node(nearer).double, below, "\(nearer)")
    }
  }

  @Test(arguments: Seed.all(20))
  func randomNumbersMatchTheStandardLibrary(seed: Seed) throws {
    var random = RandomJSON(seed: seed.value)
    for _ in 0..<300 {
      let text = random.number(exponent: 350)
      let node = try node(text)
      let double = Double(text).flatMap { $0.isFinite ? $0 : nil }
      expectEqual(node.double?.bitPattern, double?.bitPattern, "\(text), seed \(seed.value)")
      let float = Float(text).flatMap { $0.isFinite ? $0 : nil }
      expectEqual(node.float?.bitPattern, float?.bitPattern, "\(text), seed \(seed.value)")
      if node.isWrittenAsInteger { expectEqual(node.int, Int(text), "\(text), seed \(seed.value)") }
    }
  }
}
