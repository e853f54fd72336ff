import InstantSearchAPI
import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

struct PointTests {
  @Test(arguments: ModelCoder.allCases)
  func pointIsReadFromAnObjectOrText(coder: ModelCoder) throws {
    let point = Point(latitude: 22.2, longitude: -84.8)
    try expectEqual(coder.decode(Point.self, #"{"lat":22.2,"lng":-84.8}"#), point)
    try expectEqual(coder.decode(Point.self, #""22.2,-84.8""#), point)
    try expectEqual(coder.decode(Point.self, #"" 22.2 , -84.8 ""#), point)
  }

  @Test(arguments: ModelCoder.allCases)
  func aPointIsWrittenAsAnObject(coder: ModelCoder) throws {
    try expectEqual(coder.encode(Point(latitude: 1.5, longitude: 2)), #"{"lat":1.5,"lng":2}"#)
  }

  @Test(arguments: [
    #"{"lat":1,"lon":2}"#, #"{"lat":91,"lng":2}"#, #"{"lat":1,"lng":-181}"#,
    #"{"lat":"1","lng":2}"#,
    #""1""#, #""1,2,3""#, #""1,x""#, #""1,""#, #""1,nan""#, #""inf,2""#, #""91,2""#, #"[1,2]"#, "1",
    #""0x10,1""#, #""1,0x1p2""#, #""1,infinity""#, #""1_0,2""#, #""1e999,2""#, #""e,1""#,
    "null",
  ])
  func otherValuesAreRejected(text: String) {
    for coder in ModelCoder.allCases {
      #expect(throws: DecodingError.self, "\(coder)") { try coder.decode(Point.self, text) }
    }
  }

  @Test func pointHasATextForm() {
    let point = Point(latitude: 48.85, longitude: -2.35)
    expectEqual(point.description, "48.85,-2.35")
    expectEqual(Point(point.description), point)
    #expect(!Point(latitude: 90.1, longitude: 0).isValid)
    #expect(!Point(latitude: .nan, longitude: 0).isValid)
  }

  @Test(
    arguments: [
      (1e-05, "0.00001"), (-1.25e-7, "-0.000000125"), (0.1, "0.1"), (-0.0, "-0.0"), (0, "0.0"),
      (0x1p-1074, "0." + String(repeating: "0", count: 323) + "5"), (90, "90.0"),
      (1e16, "10000000000000000.0"),
      (-1.2345e20, "-123450000000000000000.0"), (.infinity, "inf"),
    ] as [(Double, String)])
  func numbersAreWrittenAsPlainDecimals(number: Double, text: String) {
    expectEqual(Point(latitude: number, longitude: 2).description, "\(text),2.0")
    expectEqual(Double(text), number)
  }

  @Test(arguments: Seed.all(5))
  func everyPointIsReadBackFromItsText(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    for _ in 0..<200 {
      let scale = Double(
        sign: .plus, exponent: -Int.random(in: 0...40, using: &random), significand: 1)
      let point = Point(
        latitude: .random(in: -90...90, using: &random) * scale,
        longitude: .random(in: -180...180, using: &random) * scale)
      #expect(!point.description.contains("e"))
      expectEqual(Point(point.description), point)
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func geolocationIsOneValueOrAList(coder: ModelCoder) throws {
    let one = #"{"lat":1,"lng":2}"#
    let point = Point(latitude: 1, longitude: 2)
    try expectEqual(coder.decode(SingleOrList<Point>.self, one), .single(point))
    try expectEqual(coder.decode(SingleOrList<Point>.self, "[\(one)]"), .list([point]))
    try expectEqual(coder.decode(SingleOrList<Point>.self, "[]"), .list([]))
    try expectEqual(coder.encode(SingleOrList.single(point)), one)
    try expectEqual(coder.encode(SingleOrList.list([point])), "[\(one)]")
    expectEqual(SingleOrList.list([1, 2]).first, 1)
    expectEqual(SingleOrList.single(1).values, [1])
  }
}
