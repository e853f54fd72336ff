import AsyncInstantSearchTesting
import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

struct SnakeCaseTests {
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Collects or writes the keys of one object.
  private struct Keys: Codable, Equatable {
    var keys: [String]

    init(_ keys: [String]) { self.keys = keys }

    init(from decoder: any Decoder) throws {
      keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      for key in keys { try container.encode(0, forKey: AnyKey(stringValue: key)) }
    }
  }

  private static let samples = [
    "", "_", "__", "a", "A", "_a", "a_", "__a__", "first_name", "first__name", "FIRST_NAME",
    "First_Name",
    "first_2name", "first_name2", "a_b_c", "_first_name_", "__first_name__", "firstName",
    "first_Name",
    "url_id", "héllo_wörld", "éa_éb", "x1_y2", "1_2", "a_", "_a_b", "first name_second name",
    "it's_ok's", "a_b^c", "a_^b", "a_b`c", "a_b.c:d&e=f",
    "a-b_c-d", "_____a_b_____", "b_ßa",
  ]

  private let decoding: (JSONDecodingOptions, JSONDecoder) = {
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    return (JSONDecodingOptions(dates: .deferredToDate, keys: .convertFromSnakeCase), foundation)
  }()

  private let encoding: (JSONEncodingOptions, JSONEncoder) = {
    let foundation = JSONEncoder()
    foundation.keyEncodingStrategy = .convertToSnakeCase
    return (JSONEncodingOptions(dates: .deferredToDate, keys: .convertToSnakeCase), foundation)
  }()

  @Test(arguments: samples)
  func keysAreReadAsFoundationReadsThem(key: String) {
    expectSameDecoding(Keys.self, "{\"\(key)\":0}", options: decoding.0, foundation: decoding.1)
  }

  @Test(
    arguments: samples + [
      "myProperty", "myURLProperty", "URL", "URLProperty", "myURL", "aB", "AB", "ABc", "aBC",
      "aBCd", "A1B",
      "a1B2c", "aURL2b", "myÉcole", "ÉCOLEduMidi", "x_yZ", "already_snake", "trailingA", "iPhone",
      "IDs",
    ])
  func keysAreWrittenAsFoundationWritesThem(key: String) {
    expectSameEncoding(Keys([key]), options: encoding.0, foundation: encoding.1)
  }

  @Test(arguments: Seed.all(20))
  func randomKeysAreConvertedAlike(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    let alphabet = Array("abcABC_12é-^.:`'")
    for _ in 0..<50 {
      let length = Int.random(in: 1..<12, using: &random)
      let key = String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" })
      expectSameDecoding(Keys.self, "{\"\(key)\":0}", options: decoding.0, foundation: decoding.1)
      expectSameEncoding(Keys([key]), options: encoding.0, foundation: encoding.1)
    }
  }

  private struct Person: Codable, Equatable {
    var firstName: String
    var homeTowns: [String: Town]
    struct Town: Codable, Equatable { var zipCode: Int }
  }

  @Test func propertiesAreConvertedAndDictionaryKeysAreNot() throws {
    let text =
      #"{"first_name":"A","home_towns":{"new_york":{"zip_code":1},"newYork":{"zip_code":2}}}"#
    let outcome = expectSameDecoding(Person.self, text, options: decoding.0, foundation: decoding.1)
    guard case .value(let person) = outcome else {
      Issue.record("not decoded")
      return
    }
    expectEqual(person.homeTowns.keys.sorted(), ["newYork", "new_york"])
    expectSameEncoding(person, options: encoding.0, foundation: encoding.1)
  }

  @Test(arguments: [
    #"{"first_name":1,"home_towns":{}}"#, #"{"first_name":"A"}"#,
    #"{"firstName":"A","home_towns":{}}"#,
    #"{"first_name":"A","home_towns":{"new_york":{"zip_code":"x"}}}"#,
    #"{"first_name":"A","home_towns":{"new_york":{}}}"#,
    #"{"first_name":"A","home_towns":{"new_york":1}}"#,
    #"{"first_name":"A","home_towns":[]}"#, #"{"first_name":"A","home_towns":null}"#,
  ])
  func errorsNameThePathAsFoundationDoes(text: String) {
    expectSameDecoding(Person.self, text, options: decoding.0, foundation: decoding.1)
  }

  @Test func lastOfKeysWithEqualConversionWins() throws {
    struct Value: Decodable, Equatable { var aB: Int }
    let decoder = JSONValueDecoder(options: decoding.0)
    try expectEqual(
      decoder.decode(Value.self, from: Array(#"{"a_b":1,"aB":2}"#.utf8)), Value(aB: 2))
    try expectEqual(
      decoder.decode(Value.self, from: Array(#"{"aB":2,"a_b":1}"#.utf8)), Value(aB: 1))
  }
}
