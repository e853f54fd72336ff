import InstantSearchAPI
import Foundation
import InstantSearchJSON
import TestSupport
import Testing

struct JSONTests {
  static let values: [(text: String, value: JSON)] = [
    ("null", JSON.null),
    ("true", true),
    ("12", .int(12)),
    ("-9223372036854775808", .int(.min)),
    ("9007199254740993", .int(9_007_199_254_740_993)),
    ("9223372036854775807", .int(.max)),
    ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
    ("18446744073709551615", .uint(.max)),
    ("0.1", .double(0.1)),
    ("\"a\"", "a"),
    ("[1,[],{}]", .array([1, .array([]), .object([:])])),
    ("{\"a\":{\"b\":null}}", ["a": ["b": nil]]),
  ]

  @Test(arguments: values)
  func everyKindOfValueIsReadAndWritten(text: String, expected: JSON) throws {
    for coder in ModelCoder.allCases {
      let json = try coder.decode(JSON.self, text)
      expectEqual(json, expected, "\(coder)")
    }
    let own = try JSON(parsing: text)
    if case .double = own {} else { expectEqual(own.text, text) }
  }

  @Test func numberIsReadIntoTheFirstExactCase() throws {
    let json = try JSON(parsing: "[12.0,1.2e1,18446744073709551615,12.5]")
    guard case .array(let numbers) = json, case .int(12) = numbers[0], case .int(12) = numbers[1],
      case .uint(.max) = numbers[2], case .double(12.5) = numbers[3]
    else {
      Issue.record("\(json)")
      return
    }
  }

  @Test(arguments: [
    (JSON.int(1), JSON.double(1), true),
    (.uint(1), .int(1), true),
    (.uint(.max), .int(-1), false),
    (.double(0x1p63), .uint(1 << 63), true),
    (.double(0x1p53), .int(1 << 53 + 1), false),
    (.double(-0.0), .int(0), true),
    (.double(.nan), .double(.nan), true),
    (.bool(true), .int(1), false),
    (.string("1"), .int(1), false),
    (.null, .bool(false), false),
  ])
  func numbersAreEqualWhenTheirValuesAre(left: JSON, right: JSON, equal: Bool) {
    expectEqual(left == right, equal)
    expectEqual(Set([left, right]).count == 1, equal)
  }

  @Test func literalsOfEveryKind() {
    let name = "b"
    let json: JSON = ["null": nil, "list": [1, 2.5, true, "a\(name)"], "object": ["k": "v"]]
    expectEqual(json["null"], .null)
    expectEqual(json["list"]?[1]?.doubleValue, 2.5)
    expectEqual(json["list"]?[3]?.stringValue, "ab")
    expectEqual(json["object"]?["k"], "v")
  }

  @Test func subscriptsNeverTrap() {
    let json: JSON = [1, 2]
    #expect(json[2] == nil)
    #expect(json[-1] == nil)
    #expect(json["a"] == nil)
    #expect(json[0]?[0] == nil)
  }

  @Test func membersAreSetAndRemoved() {
    var json: JSON = ["a": 1]
    json["b"] = ["c": 2]
    json["b"]?["c"] = 3
    json["a"] = nil
    expectEqual(json, ["b": ["c": 3]])
    json = "text"
    json["a"] = 1
    expectEqual(json, ["a": 1])
    for value in [JSON.null, 1, "text", [1, 2]] {
      json = value
      json["a"] = nil
      expectEqual(json, value)
    }
  }

  @Test func elementsAreReplacedAndRemoved() {
    var json: JSON = [1, ["a": 2], 3]
    json[0] = "one"
    json[1]?["a"] = .null
    json[2] = nil
    expectEqual(json, ["one", ["a": nil]])
    for index in [2, -1, .max] {
      json[index] = 4
      json[index] = nil
    }
    expectEqual(json, ["one", ["a": nil]])
    var object: JSON = ["a": 1]
    object[0] = 2
    expectEqual(object, ["a": 1])
  }

  @Test func accessorsReturnNilForOtherKinds() {
    expectEqual(JSON.double(3).intValue, 3)
    #expect(JSON.double(3.5).intValue == nil)
    #expect(JSON.uint(.max).intValue == nil)
    expectEqual(JSON.uint(.max).doubleValue, 0x1p64)
    #expect(JSON.string("3").intValue == nil)
    #expect(JSON.bool(true).boolValue == true)
    #expect(JSON.null.isNull)
    expectEqual(JSON.object([:]).objectValue, [:])
    #expect(JSON.object([:]).arrayValue == nil)
  }

  @Test func objectsAreWrittenWithSortedNames() {
    let json: JSON = ["b": 1, "a": ["d": [], "c": "\"\\\n"]]
    expectEqual(json.description, #"{"a":{"c":"\"\\\n","d":[]},"b":1}"#)
  }

  @Test func nonFiniteNumbersAreWrittenAsNull() {
    expectEqual(JSON.array([.double(.infinity), .double(.nan)]).text, "[null,null]")
  }

  @Test(arguments: ["-0.0", "-0", "-0e5", "-1e-400", "-0.000"])
  func zeroKeepsItsSign(text: String) throws {
    let json = try JSON(parsing: "[\(text)]")
    guard case .array(let elements) = json, case .double(let number)? = elements.first else {
      Issue.record("\(json)")
      return
    }
    #expect(number == 0 && number.sign == .minus)
    #expect(json == [0] && json[0]?.intValue == 0)
    let again = try JSON(parsing: json.text)
    #expect(again.text == json.text && again[0]?.doubleValue?.sign == .minus)
    let foreign = try JSONDecoder().decode(JSON.self, from: Data("[-0.0,0,0.0]".utf8))
    expectEqual(foreign.text, "[-0,0,0]")
  }

  @Test(arguments: ["0", "0.0", "0e5"])
  func zeroWithoutASignIsAnInteger(text: String) throws {
    guard case .int(0) = try JSON(parsing: text) else {
      Issue.record("\(text)")
      return
    }
  }

  @Test func anyEncodableValueBecomesJSONAndBack() throws {
    let movie = Movie(title: "Titanic", year: 1997)
    let json = try JSON(encoding: movie)
    expectEqual(json, ["title": "Titanic", "year": 1997])
    try expectEqual(json.decode(Movie.self), movie)
    try expectEqual(JSON(encoding: json), json)
    try expectEqual(JSON.array([1, 2]).decode([Int].self), [1, 2])
  }

  @Test func invalidJSONIsADecodingError() {
    let error = #expect(throws: SearchError.self) { try JSON(parsing: "{\"a\":\n1,}") }
    expectEqual(error?.code, .decoding)
    #expect(error?.message.contains("line 2") == true)
  }

  @Test(
    arguments: [
      ("18446744073709551616", 18_446_744_073_709_551_616), ("-9223372036854775809", -0x1p63),
      ("123456789012345678901234567890", 123456789012345678901234567890.0), ("1e999", nil),
    ] as [(String, Double?)])
  func numberThatFitsNoTypeKeepsItsText(text: String, nearest: Double?) throws {
    let json = try JSON(parsing: "{\"a\":[\(text)]}")
    let number = try #require(json["a"]?[0])
    guard case .number(text) = number else { throw SearchError(.decoding, "\(number)") }
    expectEqual(number.doubleValue, nearest)
    #expect(number.intValue == nil)
    expectEqual(json.text, "{\"a\":[\(text)]}")
    expectEqual(json, ["a": [.number(text)]])
    expectEqual(Set([number, .number(text)]).count, 1)
    let data = try JSONValueEncoder().encode(json)
    expectEqual(String(decoding: data, as: UTF8.self), json.text)
    expectEqual((try? JSONEncoder().encode(json)) == nil, nearest == nil)
  }

  @Test func textThatIsNotANumberIsNotWrittenAsOne() {
    expectEqual(
      JSON.array([.number("1,2"), .number(""), .number("NaN"), .number("12")]).text,
      "[null,null,null,12]")
    expectEqual(JSON.number("12"), 12)
  }

  @Test func mistypedValueIsADecodingErrorWithItsPath() {
    let json: JSON = ["title": "Titanic", "year": "late"]
    let error = #expect(throws: SearchError.self) { try json.decode(Movie.self) }
    expectEqual(error?.code, .decoding)
    #expect(error?.message.hasPrefix("at year: ") == true)
  }

  @Test func aValueThatCannotBeEncodedIsAnInvalidRequest() {
    let error = #expect(throws: SearchError.self) { try JSON(encoding: ["a": Double.nan]) }
    expectEqual(error?.code, .invalidRequest)
  }

  @Test(arguments: ModelCoder.allCases)
  func keyStrategiesDoNotChangeMemberNames(coder: ModelCoder) throws {
    let text = #"{"firstName":{"last_name":[{"lastName":2}]},"first_name":1}"#
    try expectEqual(coder.encode(coder.decode(JSON.self, text)), text)
    let facets: Facets = ["first_name": ["Some_Value": 1], "lastName": ["aB": 2]]
    try expectEqual(coder.roundTrip(facets), facets)
    let content = RenderingContent(additionalMembers: ["first_name": 1, "lastName": 2])
    try expectEqual(coder.encode(content), #"{"first_name":1,"lastName":2}"#)
    try expectEqual(coder.roundTrip(content), content)
    let tree = TreeModel<Int>.dictionary(["first_name": .value(1), "lastName": .array([.value(2)])])
    try expectEqual(coder.roundTrip(tree), tree)
    try expectEqual(coder.encode(tree), #"{"first_name":1,"lastName":[2]}"#)
  }

  /// The stack of a thread can be 512 KB, as on Apple's task pool.
  @Test func deepestAllowedValuesAreRead() async throws {
    let depth = 512
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects =
      String(repeating: #"{"a":"#, count: depth - 1) + "{}"
      + String(repeating: "}", count: depth - 1)
    for text in [arrays, objects] {
      let read = await onSmallStack { () -> (json: JSON, text: String, depths: [Int])? in
        guard let root = try? JSONDocument(Array(text.utf8)).root,
          let tree = try? TreeModel<Int>(node: root, options: JSONDecodingOptions())
        else { return nil }
        let json = JSON(node: root)
        guard json == JSON(node: root) else { return nil }
        return (json, json.text, [Self.depth(json), Self.depth(tree)])
      }
      expectEqual(read?.depths, [depth, depth])
      expectEqual(read?.text, text)
      try expectEqual(read?.json, JSON(parsing: text))
    }
  }

  @Test func deepestAllowedHighlightsAreUsed() async throws {
    let depth = 120
    let leaf = #"{"value":"<em>a</em>","matchLevel":"full","matchedWords":["a"]}"#
    let arrays = String(repeating: "[", count: depth) + leaf + String(repeating: "]", count: depth)
    let objects =
      String(repeating: #"{"a":"#, count: depth) + leaf + String(repeating: "}", count: depth)
    for text in [arrays, objects] {
      let read = await onSmallStack { () -> [String?]? in
        let json = #"{"hits":[{"objectID":"1","_highlightResult":{"a":\#(text)}}]}"#
        guard let root = try? JSONDocument(Array(json.utf8)).root,
          let hit = HitsPage<Hit<JSON>>(
            node: root, options: JSONDecodingOptions(), query: SearchQuery()
          ).hits.first, let tree = hit.highlightResult
        else { return nil }
        return [
          hit.highlighted("a")?.text, tree.leaves.first?.value.text,
          tree.mapValues(\.value.text).leaves.first,
          tree == hit.detached().highlightResult ? "" : nil,
        ]
      }
      expectEqual(read, ["a", "a", "a", ""])
    }
  }

  @Test func highlightsNestedDeeperThanAnyRecordAreLeftOut() async throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let text =
        String(repeating: open, count: 508) + "1" + String(repeating: close, count: 508)
      let depth = await onSmallStack { () -> Int? in
        let json = #"{"hits":[{"objectID":"1","_highlightResult":{"a":\#(text)}}]}"#
        guard let root = try? JSONDocument(Array(json.utf8)).root,
          let hit = HitsPage<Hit<JSON>>(
            node: root, options: JSONDecodingOptions(), query: SearchQuery()
          ).hits.first
        else { return nil }
        return hit.highlightResult.map(Self.depth)
      }
      expectEqual(depth, 128)
    }
  }

  @Test func deepestAllowedFiltersAreRead() async throws {
    let text = String(repeating: "[", count: 511) + #""a""# + String(repeating: "]", count: 511)
    let written = await onSmallStack { () -> String? in
      let query = try? QueryText.read(#"{"facetFilters":\#(text)}"#)
      return query.map { QueryText.written($0) }
    }
    expectEqual(written, #"{"facetFilters":\#(text)}"#)
  }

  private static func depth(_ json: JSON) -> Int {
    var depth = 0
    var next: JSON? = json
    while let value = next {
      depth += 1
      next = value[0] ?? value["a"]
    }
    return depth
  }

  private static func depth<Value>(_ tree: TreeModel<Value>) -> Int {
    var depth = 0
    var next: TreeModel<Value>? = tree
    while let value = next {
      depth += 1
      next = value[0] ?? value["a"]
    }
    return depth
  }

  private func onSmallStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value
  {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
