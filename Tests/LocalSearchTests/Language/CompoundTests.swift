import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Compound words, from dictionary entries and from the words of an index.
struct CompoundTests {
  private func fixture(
    _ texts: [String], _ entries: [DictionaryEntry] = [], language: String = "de",
    attributes: [JSON] = ["name"]
  ) async throws -> LanguageFixture {
    let records = texts.enumerated().map { number, text -> JSON in
      ["objectID": .string("\(number)"), "name": .string(text), "other": .string(text)]
    }
    let settings = IndexSettings {
      $0.additionalSettings["decompoundedAttributes"] = [language: .array(attributes)]
      $0.searchableAttributes = ["name", "other"]
      $0.attributesToHighlight = ["name"]
    }
    let fixture = try await EngineFixture(
      records, settings: settings, configuration: .init(dictionaryEntries: entries))
    return LanguageFixture(engine: fixture.engine)
  }

  private static let chairs = DictionaryEntry(
    "1", .compound("Gartenstühle", parts: ["Garten", "Stühle"]), .german)
  private static let books = DictionaryEntry(
    "1", .compound("schoolboeken", parts: ["school", "boeken"]), .dutch)
  private static let whole: JSON = ["queryType": "prefixNone", "typoTolerance": false]

  private func parameters(_ others: JSON) -> JSON {
    var result = Self.whole
    for (name, value) in others.objectValue ?? [:] { result[name] = value }
    return result
  }

  @Test func anEntryFindsWordsOfRecordsByTheirParts() async throws {
    let found = try await fixture(["Gartenstühle", "Stühle"], [Self.chairs])
    try await expectEqual(
      found.names("stühle", Self.whole), ["<em>Stühle</em>", "Garten<em>stühle</em>"])
    try await expectEqual(found.names("garten", Self.whole), ["<em>Garten</em>stühle"])
    try await expectEqual(found.names("garten stühle", Self.whole), ["<em>Gartenstühle</em>"])
    try await expectEqual(found.ids("stuhl", Self.whole), "")
    // Only in the attributes of the setting.
    let other = try await fixture(["Gartenstühle"], [Self.chairs], attributes: [])
    try await expectEqual(other.ids("stühle", Self.whole), "")
    try await expectEqual(
      found.ids("stühle", parameters(["restrictSearchableAttributes": ["other"]])), "1")
  }

  @Test func anEntryFindsPartsOfWordsOfTheQuery() async throws {
    let found = try await fixture(
      ["boeken van school", "schoolboeken", "boeken", "school, in een boek"], [Self.books],
      language: "nl", attributes: [])
    let dutch = parameters(["queryLanguages": ["nl"]])
    try await expectEqual(
      found.names("schoolboeken", dutch),
      ["<em>schoolboeken</em>", "<em>boeken</em> van <em>school</em>"])
    try await expectEqual(
      found.ids(
        "schoolboeken", parameters(["queryLanguages": ["nl"], "decompoundQuery": false])), "1")
    try await expectEqual(found.ids("schoolboeken", Self.whole), "1")
    // Adjacent parts are the word.
    try await expectEqual(found.ids("school boeken", dutch), "1 0")
  }

  @Test func wordsOfTheIndexAreParts() async throws {
    let texts = [
      "Geburtstagskind", "Geburtstag", "Kind", "Sommergartenmöbel", "Sommer im Garten", "Möbel",
      "Kinderbuch", "Fahrrad",
    ]
    let found = try await fixture(texts)
    try await expectEqual(
      found.names("kind", Self.whole), ["<em>Kind</em>", "Geburtstags<em>kind</em>"])
    try await expectEqual(
      found.names("garten", Self.whole),
      ["Sommer<em>garten</em>möbel", "Sommer im <em>Garten</em>"])
    try await expectEqual(
      found.names("möbel", Self.whole), ["<em>Möbel</em>", "Sommergarten<em>möbel</em>"])
    // A rest that is no word: Kinder-buch, Fahr-rad.
    try await expectEqual(found.ids("buch", Self.whole), "")
    try await expectEqual(found.ids("fahr", Self.whole), "")
    // Typing goes on.
    try await expectEqual(found.names("möbe"), ["Sommergarten<em>möbe</em>l", "<em>Möbe</em>l"])
    try await expectEqual(
      found.ids("gartensommer", parameters(["queryLanguages": ["de"]])), "4")
    // The words of deleted records are no parts.
    try await found.fixture.engine.delete(objectIDs: ["1"], from: EngineFixture.index)
    try await expectEqual(found.ids("kind", Self.whole), "2")
  }

  /// The same compounds are found however the records lie in segments.
  @Test func frequentPartsAreFoundInAllSegments() async throws {
    let letters = Array("abcdefghijkl").map(String.init)
    let words = letters.flatMap { first in letters.map { "\(first)\($0)\(first)\($0)" } }
    let texts = ["haus"] + words + words.map { $0 + "haus" }
    let whole = try await fixture(texts)
    let divided = try await fixture(texts)
    _ = try await divided.fixture.call(.post, [EngineFixture.index, "clear"])
    for start in stride(from: 0, to: texts.count, by: 50) {
      try await divided.fixture.engine.save(
        (start..<min(start + 50, texts.count)).map {
          ["objectID": .string("\($0)"), "name": .string(texts[$0])] as JSON
        }, in: EngineFixture.index)
    }
    let query = parameters(["hitsPerPage": 1000])
    try await expectEqual(
      Set(whole.ids("haus", query).split(separator: " ")),
      Set(divided.ids("haus", query).split(separator: " ")))
    try await expectEqual(whole.ids("haus", query).split(separator: " ").count, 145)
  }

  @Test(
    arguments: [
      ("geburtstagskind", ["geburtstag", "kind"]),
      ("sommergartenmobel", ["sommer", "garten", "mobel"]),
      ("kinderbuch", nil), ("sommer", nil), ("sommers", nil), ("kindkind", ["kind", "kind"]),
    ] as [(String, [String]?)])
  func wordsAreDivided(word: String, parts: [String]?) throws {
    let words: Set<String> = ["geburtstag", "kind", "sommer", "garten", "mobel"]
    let divider = try #require(Decompounder(.german) { words.contains(String(scalars: $0)) })
    let found = try divider.parts(of: word.unicodeScalars.map(\.value))
    expectEqual(found?.map { String(scalars: $0) }, parts)
  }

  @Test(arguments: [
    ["de": "name"] as JSON, ["de": [1]], [],
    ["a": [], "b": [], "c": [], "d": [], "e": [], "f": [], "g": []],
  ])
  func theSettingIsChecked(value: JSON) async throws {
    let answer = try await EngineFixture().call(
      .put, [EngineFixture.index, "settings"], ["decompoundedAttributes": value])
    expectEqual(answer.status, 400)
  }
}
