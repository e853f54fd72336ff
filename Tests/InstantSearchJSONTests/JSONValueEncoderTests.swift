import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

struct JSONValueEncoderTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONValueEncoder().encode(value), as: UTF8.self)
  }

  @Test func everySynthesizedPropertyIsWritten() throws {
    let bytes = try JSONValueEncoder().encode(Record.sample)
    try expectEqual(JSONDecoder().decode(Record.self, from: Data(bytes)), Record.sample)
    try expectEqual(JSONValueDecoder().decode(Record.self, from: bytes), Record.sample)
    let theirs = try JSONDocument(Array(JSONEncoder().encode(Record.sample))).root
    expectEqual(JSONTree(try JSONDocument(bytes).root), JSONTree(theirs))
  }

  @Test func scalarsCanBeTopLevelValues() throws {
    try expectEqual(text(1), "1")
    try expectEqual(text("a/b"), #""a/b""#)
    try expectEqual(text(true), "true")
    try expectEqual(text(1.0), "1")
    try expectEqual(text(Float(0.1)), "0.1")
    try expectEqual(text(Int?.none), "null")
    try expectEqual(text([Int?.none, 1]), "[null,1]")
    try expectEqual(text([[Int]]()), "[]")
    try expectEqual(text([String: Int]()), "{}")
    try expectEqual(text(UInt128.max), "340282366920938463463374607431768211455")
    try expectEqual(text(Decimal(string: "0.1")), "0.1")
    try expectEqual(text(Data([0])), #""AA==""#)
    try expectEqual(text(Record.Level.full), #""full""#)
    try expectEqual(text([Record.Level.full: 1]), #"["full",1]"#)
    try expectEqual(text([3: "x"]), #"{"3":"x"}"#)
  }

  @Test func membersAreWrittenInEncodingOrder() throws {
    struct Ordered: Encodable { var b = 1, a = 2, c: Int?, d = [3] }
    try expectEqual(text(Ordered()), #"{"b":1,"a":2,"d":[3]}"#)
  }

  @Test func datesFollowTheOptions() {
    let dates = [0, 0.25, 1_700_000_000, -5].map { Date(timeIntervalSince1970: $0) }
    let foundation = JSONEncoder()
    func compare(_ choice: JSONEncodingOptions.Dates) {
      expectSameEncoding(dates, options: JSONEncodingOptions(dates: choice), foundation: foundation)
    }
    compare(.deferredToDate)
    foundation.dateEncodingStrategy = .secondsSince1970
    compare(.secondsSince1970)
    foundation.dateEncodingStrategy = .millisecondsSince1970
    compare(.millisecondsSince1970)
    foundation.dateEncodingStrategy = .iso8601
    compare(.iso8601)
    let custom: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode("\(date.timeIntervalSince1970)")
    }
    foundation.dateEncodingStrategy = .custom(custom)
    compare(.custom(custom))
    foundation.dateEncodingStrategy = .custom { _, _ in }
    compare(.custom { _, _ in })
  }

  @Test func nonConformingFloatsFollowTheOptions() {
    struct Holder: Encodable { var list: [Double]; var map: [String: Float] }
    expectSameEncoding(Holder(list: [1, .nan], map: [:]))
    expectSameEncoding(Holder(list: [], map: ["a": -.infinity]))
    expectSameEncoding(Double.infinity)
    expectSameEncoding([Date(timeIntervalSince1970: .infinity)])
    let foundation = JSONEncoder()
    foundation.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let options = JSONEncodingOptions(
      dates: .deferredToDate,
      nonConformingFloats: .strings(positiveInfinity: "+", negativeInfinity: "-", nan: "?"))
    expectSameEncoding(
      Holder(list: [1, .nan, .infinity], map: ["a": -.infinity]), options: options,
      foundation: foundation)
  }

  @Test func classesShareAnObjectOrUseSuper() throws {
    try expectEqual(text(Dog()), #"{"name":"animal","breed":"collie","legs":40}"#)
    try expectEqual(
      text([Cat(), Cat()]),
      #"[{"base":{"name":"animal","legs":4},"lives":9},"#
        + #"{"base":{"name":"animal","legs":4},"lives":9}]"#)
    try expectEqual(text(Fish()), #"{"fins":2,"super":{"name":"animal","legs":4}}"#)
    expectSameEncoding(["a": Dog(), "b": Dog()])
    expectSameEncoding([Cat()])
    expectSameEncoding([Fish()])
  }

  @Test func nestedContainersCanBeFilledInAnyOrder() throws {
    let value = Interleaved()
    try expectEqual(
      text(value),
      #"{"a":{"a":2,"b":{"name":"animal","breed":"collie","legs":40}},"#
        + #""b":["x",[3.5,null,{"e":[1,null]}],[true],"last"],"e":[1,2,3],"c":1,"d":null}"#)
    expectSameEncoding([value, value])
    expectSameEncoding(["k": [value]])
  }

  @Test func elementsOfSuperclassesKeepTheirPositions() throws {
    struct Supers: Encodable {
      func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        let encoders = [array.superEncoder(), array.superEncoder(), array.superEncoder()]
        try array.encode(4)
        try "third".encode(to: encoders[2])
        try [1].encode(to: encoders[0])
      }
    }
    try expectEqual(text(["a": Supers()]), #"{"a":[[1],{},"third",4]}"#)
  }

  @Test func containerRequestedAfterAnotherValueIsNew() throws {
    struct Changing: Encodable {
      func encode(to encoder: any Encoder) throws {
        let key = JSONCodingKey(stringValue: "a")
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        var old = container.nestedUnkeyedContainer(forKey: key)
        try old.encode(1)
        try container.encode("between", forKey: key)
        var new = container.nestedUnkeyedContainer(forKey: key)
        try new.encode(2)
      }
    }
    try expectEqual(text(Changing()), #"{"a":[2]}"#)
  }

  /// Ignores what cannot be encoded.
  private struct Tolerant: Encodable {
    enum Keys: String, CodingKey { case a, b, c }
    struct Broken: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .a)
        var nested = container.nestedUnkeyedContainer(forKey: .b)
        try nested.encode(2)
        try container.encode(Double.nan, forKey: .c)
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try? container.encode(Broken(), forKey: .a)
      try container.encode(1, forKey: .b)
      try? container.encode(Double.nan, forKey: .c)
    }
  }

  @Test func failedValueWritesNothing() throws {
    try expectEqual(text(Tolerant()), #"{"b":1}"#)
    expectSameEncoding([Tolerant(), Tolerant()])
    var writer = JSONWriter()
    writer.beginArray()
    writer.int(1)
    #expect(throws: EncodingError.self) {
      try JSONValueEncoder().encode(["a": [Tolerant.Broken()]], into: &writer)
    }
    try JSONValueEncoder().encode(Interleaved(), into: &writer)
    try JSONValueEncoder().encode(2, into: &writer)
    writer.endArray()
    let root = try JSONDocument(writer.bytes).root
    expectEqual(root.count, 3)
    #expect(root[1]?["d"]?.isNull == true)
    expectEqual(root[2]?.int, 2)
  }

  @Test func aValueThatEncodesNothingIsAnEmptyObjectOrAnError() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
    try expectEqual(text([Nothing()]), "[{}]")
    try expectEqual(text(["a": Nothing()]), #"{"a":{}}"#)
    expectSameEncoding(Nothing())
  }

  @Test func errorsHaveFullPaths() {
    struct Level: Encodable { var values: [String: [Double]] }
    let ours = outcome { try JSONValueEncoder().encode([Level(values: ["k": [1, .nan]])]) }
    expectEqual(ours, .error("invalidValue at [Index 0.values.k.Index 1]"))
  }

  @Test func misuseOfContainersThrows() {
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: JSONCodingKey.self)
        var unkeyed = encoder.unkeyedContainer()
        try unkeyed.encode(1)
        try keyed.encode(1, forKey: JSONCodingKey(stringValue: "a"))
      }
    }
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    #expect(throws: EncodingError.self) { try JSONValueEncoder().encode(Mixed()) }
    #expect(throws: EncodingError.self) { try JSONValueEncoder().encode(Twice()) }
  }

  @Test func userInfoReachesTheTypes() throws {
    struct Writer: Encodable {
      func encode(to encoder: any Encoder) throws {
        let key = CodingUserInfoKey(rawValue: "k")
        try (key.flatMap { encoder.userInfo[$0] as? String } ?? "none").encode(to: encoder)
      }
    }
    var options = JSONEncodingOptions()
    options.userInfo[try #require(CodingUserInfoKey(rawValue: "k"))] = "v"
    try expectEqual(JSONValueEncoder(options: options).encode([Writer()]), Array(#"["v"]"#.utf8))
  }
}
