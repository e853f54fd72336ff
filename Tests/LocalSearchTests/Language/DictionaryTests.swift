import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchClient
import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

/// Dictionary entries that calls write, or a configuration has.
struct DictionaryTests {
  private static let hemd = DictionaryEntry("1", .plural(["hemd", "Hemden", "hemdes"]), .german)
  private static let acme = DictionaryEntry("1", .stopWord("acme"), .english)
  private static let german: JSON = ["ignorePlurals": ["de"], "queryType": "prefixNone"]

  private func shirts() async throws -> (LanguageFixture, SearchClient) {
    let found = try await LanguageFixture(["Ein Hemd", "Acme shirt"])
    return (found, SearchClient(transport: found.fixture.engine))
  }

  @Test func savedEntriesHaveEffectAtOnce() async throws {
    let (shirts, client) = try await shirts()
    try await expectEqual(shirts.ids("hemden", Self.german), "")
    try await client.saveDictionaryEntries([Self.hemd], in: .plurals).wait()
    try await expectEqual(shirts.ids("hemden", Self.german), "0")
    try await expectEqual(shirts.ids("hemdes", Self.german), "0")
    let copy = LanguageFixture(engine: shirts.fixture.engine.clone())
    let stopWords: JSON = ["removeStopWords": ["en"]]
    try await expectEqual(shirts.names("acme shirt", stopWords), ["<em>Acme</em> <em>shirt</em>"])
    try await client.saveDictionaryEntries([Self.acme], in: .stopwords).wait()
    try await expectEqual(shirts.names("acme shirt", stopWords), ["Acme <em>shirt</em>"])
    try await client.deleteDictionaryEntries(["1", "none"], from: .plurals)
    try await expectEqual(shirts.ids("hemden", Self.german), "")
    // A clone is not affected by later writes.
    try await expectEqual(copy.ids("hemden", Self.german), "0")
    try await expectEqual(copy.names("acme shirt", stopWords), ["<em>Acme</em> <em>shirt</em>"])
  }

  @Test func entriesAreFoundAndReplaced() async throws {
    let (_, client) = try await shirts()
    let entries = ["b", "a", "c"].map { DictionaryEntry($0, .stopWord("word \($0)"), .german) }
    try await client.saveDictionaryEntries(entries, in: .stopwords)
    func ids(
      _ query: String = "", _ language: Language? = nil, page: Int = 0, size: Int = 20
    ) async throws -> [String] {
      try await client.searchDictionaryEntries(
        query, in: .stopwords, language: language, page: page, hitsPerPage: size
      ).hits.map(\.objectID)
    }
    try await expectEqual(ids(), ["a", "b", "c"])
    try await expectEqual(ids("word c"), ["c"])
    try await expectEqual(ids("", .english), [])
    try await expectEqual(ids(page: 1, size: 2), ["c"])
    try await client.saveDictionaryEntries([Self.acme], in: .stopwords, replaceExisting: true)
    let page = try await client.searchDictionaryEntries(in: .stopwords)
    expectEqual(page.hits, [Self.acme])
  }

  @Test func standardEntriesCanBeTurnedOff() async throws {
    let (shirts, client) = try await shirts()
    let text = "what is a shirt"
    let parameters: JSON = ["removeStopWords": ["en"], "typoTolerance": false]
    try await expectEqual(shirts.ids(text, parameters), "1")
    try await client.disableStandardEntries([.english], in: .stopwords)
    try await expectEqual(shirts.ids(text, parameters), "")
    let settings = try await call(shirts, .get, ["*", "settings"])
    expectEqual(settings.body, ["disableStandardEntries": ["stopwords": ["en": true]]])
    try await client.disableStandardEntries([.english], in: .stopwords, isDisabled: false)
    try await expectEqual(shirts.ids(text, parameters), "1")
    // A word that the user turns off.
    let off = DictionaryEntry("1", .stopWord("what", isEnabled: false), .english)
    try await client.saveDictionaryEntries([off], in: .stopwords)
    try await expectEqual(shirts.ids(text, parameters), "")
    try await client.disableStandardEntries([.english], in: .plurals)
    let reset = try await call(shirts, .put, ["*", "settings"], ["disableStandardEntries": nil])
    expectEqual(reset.status, 200)
    try await expectEqual(
      call(shirts, .get, ["*", "settings"]).body, ["disableStandardEntries": [:]])
  }

  private func call(
    _ fixture: LanguageFixture, _ method: Endpoint.Method, _ path: [String], _ body: JSON? = nil
  ) async throws -> (status: Int, body: JSON) {
    let response = try await fixture.fixture.engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "dictionaries"] + path,
        body: body.map { Array($0.text.utf8) } ?? [], callType: method == .get ? .read : .write))
    return (response.status, try JSON(parsing: response.body))
  }

  @Test func formsAreLimited() async throws {
    let entries = (0..<3).map { number in
      DictionaryEntry(
        "\(number)", .plural(["wort"] + (0..<99).map { "w\(number * 100 + $0)" }), .german)
    }
    let fixture = try await EngineFixture(
      [["objectID": "1", "name": "w5"]], configuration: .init(dictionaryEntries: entries))
    var query = Self.german
    query["query"] = "wort"
    let answer = try await fixture.search(query)
    expectEqual(answer["nbHits"], 1)
    #expect(answer["message"]?.stringValue?.contains("were left out") == true, "\(answer)")
  }

  /// A query can name any number of languages, each of them more than once.
  @Test func languagesOfQueriesCostLittle() async throws {
    let (shirts, client) = try await shirts()
    let entries = (0..<200).map { DictionaryEntry("\($0)", .stopWord("w\($0)"), .german) }
    try await client.saveDictionaryEntries(entries, in: .stopwords).wait()
    let codes = JSON.array((0..<900).map { .string("x\($0)") })
    try await expectEqual(shirts.ids("hemd w7", ["removeStopWords": codes]), "")
    let repeated = JSON.array(Array(repeating: "de", count: 900))
    try await expectEqual(shirts.ids("hemd w7 shirt", ["removeStopWords": repeated]), "")
    try await expectEqual(shirts.ids("w7 hemd", ["removeStopWords": repeated]), "0")
    let selection = LanguageSelection(.languages([.german, .german, .english]), [])
    expectEqual(selection, .some([.german, .english]))
  }

  @Test func languagesAreLimited() async throws {
    let (_, client) = try await shirts()
    let entries = (0..<101).map {
      DictionaryEntry("\($0)", .stopWord("word"), Language(rawValue: "x\($0)"))
    }
    try await client.saveDictionaryEntries(Array(entries.prefix(100)), in: .stopwords).wait()
    let error = await #expect(throws: SearchError.self) {
      try await client.saveDictionaryEntries([entries[100]], in: .stopwords)
    }
    #expect(error?.message.contains("Too many languages") == true)
  }

  @Test func aListThatIsOnIsNotWrittenDown() throws {
    var entries = DictionaryEntries()
    for text in [#"{"stopwords": {"fr": false}}"#, #"{"stopwords": {"fr": true, "de": true}}"#] {
      let root = try JSONDocument(Array(#"{"disableStandardEntries": \#(text)}"#.utf8)).root
      try entries.apply(.settings(DictionarySettings(root)), CancellationCheck())
      expectEqual(entries.isEmpty, text.contains("false"))
    }
    let root = try JSONDocument(
      Array(#"{"disableStandardEntries": {"stopwords": {"fr": false, "de": false}}}"#.utf8)
    ).root
    try entries.apply(.settings(DictionarySettings(root)), CancellationCheck())
    #expect(entries.isEmpty)
  }

  @Test func languagesAreListed() async throws {
    let (shirts, client) = try await shirts()
    try await client.saveDictionaryEntries([Self.hemd], in: .plurals)
    let all = try await call(shirts, .get, ["*", "languages"]).body
    expectEqual(
      all["de"],
      [
        "stopwords": ["nbCustomEntries": 0], "plurals": ["nbCustomEntries": 1], "compounds": nil,
      ])
    expectEqual(
      all["en"],
      [
        "stopwords": ["nbCustomEntries": 0], "plurals": ["nbCustomEntries": 0], "compounds": nil,
      ])
    expectEqual(all.objectValue?.count, 13)
  }

  @Test func aConfigurationHasEntries() async throws {
    let lines = "# shirts\nhemd, hemden hemdes\n\n"
    let entries = try DictionaryEntry.list(.plurals, lines: lines, .german)
    expectEqual(entries.map(\.kind), [.plural(["hemd", "hemden", "hemdes"])])
    let fixture = try await EngineFixture(
      [["objectID": "0", "name": "Hemd"]], configuration: .init(dictionaryEntries: entries))
    let shirts = LanguageFixture(engine: fixture.engine)
    try await expectEqual(shirts.ids("hemden", Self.german), "0")
    let error = #expect(throws: SearchError.self) {
      try DictionaryEntry.list(.compounds, lines: "ab c d\n\ne f", .german)
    }
    #expect(error?.message.hasPrefix("Line 3") == true)
    try expectEqual(
      DictionaryEntry.list(.compounds, lines: "gartenstuhl garten stuhl | a chair", .german),
      [
        DictionaryEntry(
          "de-gartenstuhl", .compound("gartenstuhl", parts: ["garten", "stuhl"]), .german)
      ])
  }

  @Test func entriesAreInTheFile() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await engine.save([["objectID": "0", "name": "Hemd"] as JSON], in: EngineFixture.index)
    let client = SearchClient(transport: engine)
    try await client.saveDictionaryEntries([Self.hemd], in: .plurals)
    try await client.disableStandardEntries([.english], in: .stopwords)
    func check(_ engine: LocalSearch) async throws {
      let shirts = LanguageFixture(engine: engine)
      try await expectEqual(shirts.ids("hemden", Self.german), "0")
      let page = try await SearchClient(transport: engine).searchDictionaryEntries(in: .plurals)
      expectEqual(page.hits, [Self.hemd])
      let settings = try await call(shirts, .get, ["*", "settings"]).body
      expectEqual(settings["disableStandardEntries"]?["stopwords"]?["en"], true)
    }
    try await check(KeptEngine.open(disk.afterExit()))
    try await engine.checkpoint()
    try await check(KeptEngine.open(disk.afterExit()))
  }

  @Test(arguments: [
    ("verbs", "{}", "expected stopwords, plurals, compounds, got verbs"),
    ("plurals", "{}", "requests"),
    ("plurals", #"{"requests":[{"action":"save"}]}"#, "requests[0]: "),
    ("plurals", #"{"requests":[{"action":"addEntry","body":{}}]}"#, "requests[0]: "),
    (
      "plurals",
      #"{"requests":[{"action":"addEntry","body":{"objectID":"1","language":"de","words":["a"]}}]}"#,
      "requests[0]: Invalid value for \"words\""
    ),
    (
      "stopwords",
      #"{"requests":[{"action":"addEntry","body":{"objectID":"1","language":"","words":["a","b"]}}]}"#,
      "does not have the members of stopwords"
    ),
  ])
  func anEntryWithAMistakeIsAnError(
    dictionary: String, body: String, message: String
  ) async throws {
    let (shirts, _) = try await shirts()
    let answer = try await call(
      shirts, .post, [dictionary, "batch"], JSON(parsing: Array(body.utf8)))
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains(message) == true, "\(answer.body)")
  }

  @Test func aDictionaryIsLimited() async throws {
    let (_, client) = try await shirts()
    let entries = (0..<20_000).map {
      DictionaryEntry("\($0)", .stopWord("a word that takes many bytes \($0)"), .german)
    }
    let error = await #expect(throws: SearchError.self) {
      try await client.saveDictionaryEntries(entries, in: .stopwords)
    }
    #expect(error?.message.contains("de has more") == true, "\(error)")
  }
}
