@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Long attribute names, and many attributes below one.
struct LongNameTests {
  private static let name = String(repeating: "k", count: 20_000)

  /// The number of checks while reading records.
  private static func checks(_ records: [JSON]) async throws -> Int {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    let fixture = try await EngineFixture(configuration: configuration)
    let clock = CountingClock()
    let body: JSON = [
      "requests": .array(records.map { ["action": "addObject", "body": $0] })
    ]
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "batch"],
        body: Array(body.text.utf8), callType: .write,
        deadline: clock.deadline(atCheck: nil)))
    expectEqual(response.status, 200)
    return clock.reads
  }

  @Test func nameIsReadOnceForAllMembers() async throws {
    func record(_ name: String) -> JSON {
      [
        "objectID": "1",
        name: .object(
          Dictionary(uniqueKeysWithValues: (0..<500).map { ("m\($0)", JSON.string("alpha")) })),
      ]
    }
    let short = try await Self.checks([record("k")])
    let long = try await Self.checks([record(Self.name)])
    // Reading the name for every member takes at least 500 checks.
    #expect(long < short + 250, "\(short), \(long)")
  }

  @Test func nameIsCountedByItsLength() async throws {
    func records(_ name: String) -> [JSON] {
      (0..<100).map { ["objectID": .string("\($0)"), name: "alpha"] }
    }
    let short = try await Self.checks(records("k"))
    let long = try await Self.checks(records(String(repeating: "k", count: 3000)))
    // For the words and for the columns.
    #expect(long - short >= 2 * 100 * 3000 / 64 / 64, "\(short), \(long)")
  }

  @Test(arguments: [900, 20_000]) func membersOfALongNameAreFound(length: Int) async throws {
    let name = String(repeating: "k", count: length)
    let path = name + ".m"
    for keys in [[name, "m"], [path]] {
      var value: JSON = ["alpha", 7]
      for key in keys.reversed() { value = [key: value] }
      value["objectID"] = "1"
      let fixture = try await EngineFixture([value])
      try await expectEqual(fixture.ids(["query": "alpha"]), ["1"])
      #expect(try await fixture.ids(["query": "beta"]).isEmpty)
      try await expectEqual(fixture.ids(filters: "\(path)>6"), ["1"])
      #expect(try await fixture.ids(filters: "\(path)>7").isEmpty)
      // A setting names an attribute in at most a thousand bytes.
      if length > 1000 { continue }
      let listing = try await EngineFixture(
        [value],
        settings: IndexSettings {
          $0.searchableAttributes = ["other", path]
          $0.attributesForFaceting = [path]
        })
      try await expectEqual(listing.ids(["query": "alpha"]), ["1"])
      try await expectEqual(listing.ids(filters: "\(path):alpha"), ["1"])
      try await expectEqual(
        listing.search(["facets": ["*"]])["facets"]?[path], ["alpha": 1, "7": 1])
    }
  }

  /// A listed prefix of a long name covers it, wherever the keys are divided.
  @Test(arguments: [["a.b.\(name)"], ["a", "b.\(name)"], ["a.b", name], ["a", "b", name, "c"]])
  func listedPrefixCoversALongName(keys: [String]) async throws {
    var value: JSON = "alpha"
    for key in keys.reversed() { value = [key: value] }
    value["objectID"] = "1"
    for (listed, ids) in [("a.b", ["1"]), ("a", ["1"]), ("a.b.k", []), ("b", [])] {
      let fixture = try await EngineFixture(
        [value], settings: IndexSettings { $0.searchableAttributes = [listed] })
      try await expectEqual(fixture.ids(["query": "alpha"]), ids, "\(listed)")
    }
  }

  /// The two Unicode forms of a name are one attribute.
  @Test func theUnicodeFormsOfANameAreOneAttribute() async throws {
    let fixture = try await EngineFixture(
      [
        ["objectID": "1", "caf\u{e9}": ["size": 3, "kind": "red"]],
        ["objectID": "2", "cafe\u{301}": ["size": 4, "kind": "red"]],
      ],
      settings: IndexSettings {
        $0.attributesForFaceting = ["cafe\u{301}.kind"]
        $0.searchableAttributes = ["caf\u{e9}"]
        $0.customRanking = ["desc(caf\u{e9}.size)"]
      })
    try await expectEqual(fixture.ids(["query": "red"]), ["2", "1"])
    try await expectEqual(fixture.ids(filters: "caf\u{e9}.kind:red"), ["1", "2"])
    try await expectEqual(fixture.ids(filters: "caf\u{e9}.size > 2"), ["1", "2"])
  }
}
