@testable import InstantSearchAPI
@testable import InstantSearchJSON
import TestSupport
import Testing

/// Texts designed to be slow: time and memory stay proportional to the bytes.
@Suite(.timeLimit(.minutes(30)), .serialized) struct JSONHostileTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A text repeated a number of times, by doubling it.
  private static func repeated(_ piece: String, _ count: Int) -> [UInt8] {
    var bytes = Array(piece.utf8)
    let total = bytes.count * count
    bytes.reserveCapacity(2 * total)
    while bytes.count < total { bytes += bytes }
    bytes.removeLast(bytes.count - total)
    return bytes
  }

  /// An object with a member for each key. Keys are inserted verbatim.
  private static func object(_ count: Int, key: (Int) -> String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      bytes += Array(key(index).utf8)
      bytes += Array("\":\(index)".utf8)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  // MARK: - Depth

  @Test(arguments: ["[", "{\"a\":", "[{\"\":", "[[{\"a\":["])
  func tooDeepNestingIsRejectedAtTheLimit(open: String) throws {
    // In a quick run, only one text has a million containers.
    let count = open == "[" ? 1_000_000 : Thoroughness.count(10_000, thorough: 1_000_000)
    let bomb = Self.repeated(open, count)
    let error = try #require(throws: JSONError.self) { try JSONDocument(bomb) }
    // The container beyond the 512th.
    let brackets = bomb.prefix(10_000).indices.filter { [0x5B, 0x7B].contains(bomb[$0]) }
    expectEqual(error.offset, brackets[512])
    #expect(throws: DecodingError.self) { try JSONValueDecoder().decode([Int].self, from: bomb) }
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[1,{\"a\":[", "],\"b\":2}]")])
  func allowedDepthIsReadInLinearTime(open: String, close: String) throws {
    try expectLinear(3_000, { Self.repeated(open, $0) + [0x31] + Self.repeated(close, $0) }) {
      let document = try JSONDocument($0, maximumDepth: .max)
      expectEqual(document.root.sourceRange, 0..<$0.count)
    }
    // The same without its closing brackets.
    expectLinear(4_000, { Self.repeated(open, $0) }) { bytes in
      let error = #expect(throws: JSONError.self) { try JSONDocument(bytes, maximumDepth: .max) }
      expectEqual(error?.offset, bytes.count)
    }
  }

  @Test func deepAndWideArraysAreReadInLinearTime() throws {
    let branch = Self.repeated("[1,[2],{\"a\":3},", 200) + [0x30] + Self.repeated("]", 200)
    try expectLinear(
      2,
      { count in
        [0x5B] + Array((0..<count).map { _ in branch }.joined(separator: [0x2C])) + [0x5D]
      }
    ) { _ = try JSONDocument($0) }
  }

  // MARK: - Strings and numbers

  @Test(
    "Long strings take time in proportion to their length",
    arguments: [
      "abcdefgh", "é", "日本", "😀", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\ud800",
      "\\udc00a", "a\\/", "\u{7F} ",
    ])
  func longStrings(piece: String) throws {
    try expectLinear(12_000 / piece.utf8.count, { Self.repeated(piece, $0) }) { inside in
      let document = try JSONDocument([0x22] + inside + [0x22])
      let count = document.root.string?.utf8.count ?? 0
      #expect(count > 0 && count <= inside.count)
      // Truncated, with another ending, and wrong at the end.
      for end in [[], [0x5C], [0x0A], [0xC3], [0x5C, 0x22]] as [[UInt8]] {
        let error = #expect(throws: JSONError.self) { try JSONDocument([0x22] + inside + end) }
        #expect((error?.offset ?? 0) > inside.count)
      }
    }
  }

  @Test func aStringOfEightMegabytesIsRead() throws {
    let count = 8 << 20
    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count + 2)
    bytes[0] = 0x22
    bytes[count + 1] = 0x22
    let root = try JSONDocument(bytes).root
    expectEqual(root.string?.utf8.count, count)
    bytes[count] = 0x1F
    #expect(throws: JSONError.self) { try JSONDocument(bytes) }
  }

  @Test(
    "Long numbers take time in proportion to their digits",
    arguments: [
      ("", "7", ""), ("-", "0123456789", ""), ("0.", "0", "1"), ("1", "0", "e-5"), ("1e", "0", "1"),
      ("0.", "9", "e10"), ("1e-", "9", ""), ("5.", "0", ""),
    ])
  func longNumbers(start: String, digits: String, end: String) throws {
    try expectLinear(
      8_000 / digits.count,
      {
        Self.bytes(start.isEmpty || start == "-" ? start + "1" : start) + Self.repeated(digits, $0)
          + Self.bytes(end)
      }
    ) { bytes in
      let root = try JSONDocument(bytes).root
      expectEqual(root.kind, .number)
      _ = root.int
      _ = root.uint64
      _ = root.double
      _ = root.float
      _ = try? JSONValueDecoder().decode([Int128].self, from: [0x5B] + bytes + [0x5D])
      // The same number of digits again, but not a number.
      #expect(throws: JSONError.self) { try JSONDocument(bytes + [0x2E]) }
    }
  }

  @Test func aNumberOfAMillionDigitsIsRead() throws {
    let root = try JSONDocument(Self.repeated("9", 1_000_000)).root
    expectEqual(root.numberText?.utf8.count, 1_000_000)
    #expect(root.int == nil && root.double == nil)
    let small = try JSONDocument(Self.bytes("0.") + Self.repeated("0", 1_000_000) + [0x31]).root
    #expect(small.int == nil)
    expectEqual(small.double, 0)
  }

  // MARK: - Keys

  /// How the keys of one shape are generated.
  static let keys: [(name: String, key: @Sendable (Int) -> String)] = [
    ("distinct", { "key\($0)" }),
    ("all equal", { _ in "key" }),
    ("equal, escaped", { _ in "k\\u0065y" }),
    ("equal, escaped in turn", { $0 % 2 == 0 ? "key" : "k\\u0065y" }),
    ("each twice", { "key\($0 / 2)" }),
    ("of equal length and beginning", { "a common beginning \(1_000_000 + $0)" }),
    ("of equal length and end", { "\(1_000_000 + $0) a common end" }),
    ("escaped quotes", { String(repeating: "\\\"", count: $0 % 13) + "\($0)" }),
    ("empty", { _ in "" }),
    ("of eight bytes", { "\(10_000_000 + $0)" }),
    ("not ASCII", { "é\($0)" }),
  ]

  @Test(arguments: keys.indices)
  func objectsWithManyKeysAreReadInLinearTime(shape: Int) throws {
    let shape = Self.keys[shape]
    try expectLinear(1_500, { Self.object($0, key: shape.key) }) { bytes in
      let root = try JSONDocument(bytes).root
      // All keys at once: the last of equal ones wins.
      let last = root.count - 1
      let key = try #require(Array(root.members).last).key
      let values = try JSONValueDecoder().decode([String: Int].self, from: root)
      expectEqual(values[key], last, "\(shape.name)")
      expectEqual(root[key]?.int, last, "\(shape.name)")
      expectEqual(root.members.count { !$0.isSuperseded }, values.count, "\(shape.name)")
    }
  }

  @Test func manyObjectsWithEqualKeysAreReadInLinearTime() throws {
    let object = Self.object(40) { "k\($0 % 30)" }
    try expectLinear(
      30,
      { count in
        [0x5B] + Array((0..<count).map { _ in object }.joined(separator: [0x2C])) + [0x5D]
      }
    ) { _ = try JSONDocument($0) }
  }

  @Test func anObjectOfManyKeysDoesNotSlowThoseAfterIt() throws {
    // One large object, and small ones whose keys need the same search for repetitions.
    let small = Self.object(30) { "\\u006b\($0)" }
    func text(_ count: Int) -> [UInt8] {
      [0x5B] + Self.object(40 * count) { "k\($0)" } + [0x2C]
        + Array((0..<count).map { _ in small }.joined(separator: [0x2C])) + [0x5D]
    }
    try expectLinear(60, text) { _ = try JSONDocument($0) }
  }

  // MARK: - Decoding

  /// Keys that are first, last and absent.
  private struct Sparse: Decodable {
    var key0: Int
    var absent: Int?
    var missing: String?
    var gone: [Int]?
    var last: Int
    var nothing: Double?
  }

  @Test func structIsReadFromAnObjectWithManyMembersInLinearTime() throws {
    try expectLinear(
      3_000,
      { count in Self.object(count) { $0 == count - 1 ? "last" : "key\($0)" } }
    ) { bytes in
      let value = try JSONValueDecoder().decode(Sparse.self, from: bytes)
      #expect(value.key0 == 0 && value.absent == nil)
      #expect(throws: DecodingError.self) {
        try JSONValueDecoder().decode([String: [Int]].self, from: bytes)
      }
    }
  }

  @Test func manyRecordsAreDecodedInLinearTime() throws {
    let record = #"{"name":"a","id":1,"figure":{"point":{}},"children":[{"id":2}],"x":0},"#
    try expectLinear(40, { [0x5B] + Self.repeated(record, $0) + Self.bytes("{}]") }) { bytes in
      let items = try JSONValueDecoder().decode([Item].self, from: bytes)
      #expect(items.count > 40)
    }
  }

  @Test func objectsWithNumbersAsKeysAreReadInLinearTime() throws {
    try expectLinear(2_000, { Self.object($0) { "\($0)" } }) { bytes in
      // The standard library requests one key after the other.
      let values = try JSONValueDecoder().decode([Int: Int].self, from: bytes)
      #expect(values.allSatisfy { $0.key == $0.value })
    }
  }

  @Test func convertedKeysAreReadInLinearTime() throws {
    let options = JSONDecodingOptions(dates: .deferredToDate, keys: .convertFromSnakeCase)
    try expectLinear(1_000, { Self.object($0) { "some_key_\($0)" } }) { bytes in
      let values = try JSONValueDecoder(options: options).decode(
        [Level: Int].self, from: Self.bytes(#"["full",1]"#))
      expectEqual(values.count, 1)
      #expect(throws: DecodingError.self) {
        try JSONValueDecoder(options: options).decode(Sparse.self, from: bytes)
      }
    }
  }

  @Test func errorsDeepInsideAreFoundInLinearTime() throws {
    // Half a million values before the one that does not decode.
    expectLinear(3_000, { [0x5B] + Self.repeated("1,", $0) + Self.bytes("true]") }) { bytes in
      let error = outcome { try JSONValueDecoder().decode([Int].self, from: bytes) }
      expectEqual(error, .error("typeMismatch Int at [Index \((bytes.count - 6) / 2)]"))
    }
  }

  /// Reads a number, or nothing, as types with several representations do.
  private struct Lenient: Decodable {
    let number: Int?

    init(from decoder: any Decoder) throws {
      number = try? decoder.singleValueContainer().decode(Int.self)
    }
  }

  @Test(arguments: ["true,", #"{"a":[1,true]},"#])
  func manyErrorsAreCreatedInLinearTime(piece: String) throws {
    try expectLinear(1_000, { [0x5B] + Self.repeated(piece, $0) + Self.bytes("0]") }) { bytes in
      let values = try JSONValueDecoder().decode([Lenient].self, from: bytes)
      expectEqual(values.last?.number, 0)
    }
  }

  @Test func errorsInsideManyObjectsAreCreatedInLinearTime() throws {
    let piece = #"{"a":[[true,2],[3,{"b":null}]]},"#
    try expectLinear(200, { [0x5B] + Self.repeated(piece, $0) + Self.bytes("{}]") }) { bytes in
      let values = try JSONValueDecoder().decode([[String: [[Lenient]]]].self, from: bytes)
      expectEqual(values.first?["a"]?.map { $0.map(\.number) }, [[nil, 2], [3, nil]])
    }
  }

  @Test func manyUndecodableHitsAreReportedInLinearTime() throws {
    let piece = #"{"objectID":true},3,null,{},"#
    try expectLinear(
      250, { Self.bytes(#"{"hits":["#) + Self.repeated(piece, $0) + Self.bytes("4]}") }
    ) {
      bytes in
      let page = try JSONValueDecoder().decode(HitsPage<Hit<JSON>>.self, from: bytes)
      #expect(page.hits.isEmpty)
      expectEqual(page.failures.last?.position, page.failures.count)
      expectEqual(page.failures[0].codingPath, ["objectID"])
    }
  }

  @Test func manyInvalidGeolocationsAreReadInLinearTime() throws {
    let piece = #"{"objectID":"1","_geoloc":[{"lat":1},7]},"#
    try expectLinear(
      250, { Self.bytes(#"{"hits":["#) + Self.repeated(piece, $0) + Self.bytes("4]}") }
    ) {
      bytes in
      let page = try JSONValueDecoder().decode(HitsPage<Hit<JSON>>.self, from: bytes)
      #expect(page.hits.allSatisfy { $0.geolocation == nil })
    }
  }

  /// One member per depth is not part of the tree, and must not make the others be read again.
  @Test func treesWithSkippedMembersAreReadInLinearTime() throws {
    func text(_ depth: Int) -> [UInt8] {
      let tree =
        String(repeating: #"{"x":0,"a":"#, count: depth) + "[]"
        + String(repeating: "}", count: depth)
      return Self.bytes(#"{"hits":[{"objectID":"1","_highlightResult":\#(tree)}]}"#)
    }
    try expectLinear(2, text) { bytes in
      let hit = try #require(
        try JSONValueDecoder().decode(HitsPage<Hit<JSON>>.self, from: bytes).hits.first)
      for _ in 0..<20 { #expect(hit.highlightResult != nil) }
    }
  }
}
