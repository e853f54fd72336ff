import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

struct JSONValueDecoderTests {
  @Test func everySynthesizedPropertyIsRead() throws {
    let data = try JSONEncoder().encode(Record.sample)
    let record = try JSONValueDecoder().decode(Record.self, from: Array(data))
    expectEqual(record, Record.sample)
    let members = try JSONDocument(Array(data)).root.members
    var writer = JSONWriter()
    writer.beginObject()
    for member in members.reversed() {
      writer.key(member.key)
      writer.raw(member.value.source)
    }
    writer.endObject()
    try expectEqual(JSONValueDecoder().decode(Record.self, from: writer.bytes), Record.sample)
  }

  @Test func scalarsCanBeTopLevelValues() {
    expectSameDecoding(Int.self, "12")
    expectSameDecoding(Int.self, "3.0")
    expectSameDecoding(Int8.self, "1e2")
    expectSameDecoding(UInt64.self, "18446744073709551615")
    expectSameDecoding(Int128.self, "-170141183460469231731687303715884105728")
    expectSameDecoding(Double.self, "-0.1")
    expectSameDecoding(Float.self, "16777217")
    expectSameDecoding(String.self, "\"\\u00e9\"")
    expectSameDecoding(Bool.self, "false")
    expectSameDecoding(Int?.self, "null")
    expectSameDecoding([Int]?.self, "[1]")
    expectSameDecoding([Int?].self, "[1,null]")
    expectSameDecoding([String: [String: Int]].self, "{\"a\":{\"b\":1},\"c\":{}}")
    expectSameDecoding(Decimal.self, "3.14159265358979323846")
    expectSameDecoding(Decimal.self, "-1e-20")
    expectSameDecoding(Data.self, "\"AAEC\"")
    expectSameDecoding(URL.self, "\"https:\\/\\/example.com\"")
    expectSameDecoding(Date.self, "0.5")
  }

  @Test func keysCanBeNumbersOrEnums() {
    struct Numbered: Codable, Equatable {
      var first: Int
      var second: String?
      enum CodingKeys: Int, CodingKey { case first = 1, second = 2 }
    }
    expectSameDecoding(Numbered.self, #"{"2":"b","1":7}"#)
    expectSameDecoding(Numbered.self, #"{"first":7}"#)
    expectSameDecoding([Int: String].self, #"{"1":"a","-5":"b"}"#)
    expectSameDecoding([Int: String].self, #"{"1":"a","x":"b"}"#)
    expectSameDecoding([Record.Level: Int].self, #"["full",1,"none",2]"#)
    expectSameDecoding([Record.Level: Int].self, #"["full"]"#)
  }

  @Test func enumsWithPayloadsAreRead() {
    expectSameDecoding([Record.Shape].self, #"[{"point":{}},{"line":{"_0":1,"_1":2}}]"#)
    expectSameDecoding(Record.Shape.self, #"{"nested":{"inner":["full"],"note":"n"}}"#)
    expectSameDecoding(Record.Shape.self, #"{"circle":{}}"#)
    expectSameDecoding(Record.Shape.self, #"{"square":{}}"#)
    expectSameDecoding(Record.Shape.self, "{}")
    expectSameDecoding(Record.Shape.self, #"{"point":{},"circle":{"radius":1}}"#)
    expectSameDecoding(Record.Level.self, #""some""#)
  }

  @Test func classesShareAnObjectOrUseSuper() throws {
    let decoder = JSONValueDecoder()
    let dog = try decoder.decode(
      Dog.self, from: Array(#"{"breed":"pug","name":"Rex","legs":3,"trick":null}"#.utf8))
    #expect((dog.breed, dog.name, dog.legs, dog.trick) == ("pug", "Rex", 3, nil))
    let cat = try decoder.decode(
      Cat.self, from: Array(#"{"base":{"name":"Tom","legs":4},"lives":7}"#.utf8))
    #expect((cat.name, cat.lives) == ("Tom", 7))
    let fish = try decoder.decode(
      Fish.self, from: Array(#"{"fins":3,"super":{"name":"Nemo","legs":0}}"#.utf8))
    #expect((fish.name, fish.fins, fish.legs) == ("Nemo", 3, 0))
    for text in [#"{"fins":3}"#, #"{"fins":3,"super":{"name":"Nemo"}}"#, #"{"fins":3,"super":[]}"#]
    {
      let ours = outcome { try decoder.decode(Fish.self, from: Array(text.utf8)).fins }
      let theirs = outcome { try JSONDecoder().decode(Fish.self, from: Data(text.utf8)).fins }
      expectEqual(ours, theirs)
    }
  }

  @Test func datesFollowTheOptions() {
    let foundation = JSONDecoder()
    func compare(_ text: String, _ dates: JSONDecodingOptions.Dates) {
      expectSameDecoding(
        [Date].self, text, options: JSONDecodingOptions(dates: dates), foundation: foundation)
    }
    compare("[0, 1.5, -3e3]", .deferredToDate)
    foundation.dateDecodingStrategy = .secondsSince1970
    compare("[0, 1.5]", .secondsSince1970)
    foundation.dateDecodingStrategy = .millisecondsSince1970
    compare("[0, 1500]", .millisecondsSince1970)
    foundation.dateDecodingStrategy = .iso8601
    compare(#"["2024-02-29T23:59:59Z","1969-12-31T00:00:00Z","0001-01-01T00:00:00Z"]"#, .iso8601)
    let custom: @Sendable (any Decoder) throws -> Date = { decoder in
      Date(
        timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self)) ?? 0)
    }
    foundation.dateDecodingStrategy = .custom(custom)
    compare(#"["12","x"]"#, .custom(custom))
    compare("[1]", .custom(custom))
  }

  @Test(arguments: [
    ("2024-05-01T12:00:00Z", 1_714_564_800.0), ("2024-05-01T12:00:00.5Z", 1_714_564_800.5),
    ("2024-05-01T12:00:00.123456Z", 1_714_564_800.123456),
    ("2024-05-01T14:00:00+02:00", 1_714_564_800),
    ("2024-05-01T14:00:00+0200", 1_714_564_800), ("2024-05-01T07:30:00.25-04:30", 1_714_564_800.25),
    ("2024-05-01T14:00:00+02", 1_714_564_800), ("2024-05-01t12:00:00z", 1_714_564_800),
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400),
    ("1900-03-01T00:00:00Z", -2_203_891_200),
  ])
  func isoDatesCanHaveFractionsAndOffsets(text: String, seconds: Double) throws {
    let decoder = JSONValueDecoder(options: JSONDecodingOptions(dates: .iso8601))
    let date = try decoder.decode(Date.self, from: Array("\"\(text)\"".utf8))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: [
    "", "x", "2024-05-01", "2024-13-01T00:00:00Z", "2024-05-01T12:00:00", "2024-05-01T12:00:00.Z",
  ])
  func otherTextsAreNotDates(text: String) {
    let decoder = JSONValueDecoder(options: JSONDecodingOptions(dates: .iso8601))
    let ours = outcome { try decoder.decode([Date].self, from: Array("[\"\(text)\"]".utf8)) }
    expectEqual(ours, .error("dataCorrupted at [Index 0]"))
  }

  @Test func everyDayEqualsFoundations() throws {
    let decoder = JSONValueDecoder(options: JSONDecodingOptions(dates: .iso8601))
    let step = Thoroughness.count(607, thorough: 61)
    for day in stride(from: -200_000, to: 200_000, by: step) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_661)
      let text = date.formatted(.iso8601)
      try expectEqual(decoder.decode(Date.self, from: Array("\"\(text)\"".utf8)), date)
    }
  }

  @Test func nonConformingFloatsFollowTheOptions() {
    let foundation = JSONDecoder()
    foundation.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?")
    let options = JSONDecodingOptions(
      dates: .deferredToDate,
      nonConformingFloats: .strings(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?"))
    expectSameDecoding([Double].self, #"["+∞","-∞",1]"#, options: options, foundation: foundation)
    expectSameDecoding([Float].self, #"["-∞",2.5]"#, options: options, foundation: foundation)
    expectSameDecoding([Double].self, #"["inf"]"#, options: options, foundation: foundation)
    expectSameDecoding([Int].self, #"["+∞"]"#, options: options, foundation: foundation)
    expectSameDecoding([Double].self, #"["+∞"]"#)
    let nan = outcome {
      try JSONValueDecoder(options: options).decode([Double].self, from: Array(#"["?"]"#.utf8))
        .first?.isNaN
    }
    expectEqual(nan, .value(true))
  }

  @Test func userInfoReachesTheTypes() throws {
    struct Reader: Decodable {
      var info: String
      init(from decoder: any Decoder) throws {
        info = CodingUserInfoKey(rawValue: "k").flatMap { decoder.userInfo[$0] as? String } ?? ""
      }
    }
    var options = JSONDecodingOptions()
    options.userInfo[try #require(CodingUserInfoKey(rawValue: "k"))] = "v"
    let readers = try JSONValueDecoder(options: options).decode(
      [Reader].self, from: Array("[0]".utf8))
    expectEqual(readers.first?.info, "v")
  }

  @Test func nodeIsDecodedWithItsPath() throws {
    let root = try JSONDocument(Array(Samples.searchResponse.utf8)).root
    let tags = try #require(root["hits"]?[0]?["tags"])
    try expectEqual(JSONValueDecoder().decode([String].self, from: tags), ["a", "b\n", ""])
    let error = outcome { try JSONValueDecoder().decode([Int].self, from: tags) }
    expectEqual(error, .error("typeMismatch Int at [hits.Index 0.tags.Index 0]"))
  }

  @Test func decoderCanOutliveTheCall() throws {
    struct Escaping: Decodable {
      var decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    let escaped = try JSONValueDecoder().decode(
      [String: Escaping].self, from: Array(#"{"a":[1,2]}"#.utf8))
    let decoder = try #require(escaped["a"]?.decoder)
    try expectEqual([Int](from: decoder), [1, 2])
    expectEqual(decoder.codingPath.map(\.stringValue), ["a"])
  }
}
