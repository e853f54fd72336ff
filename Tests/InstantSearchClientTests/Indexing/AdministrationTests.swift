import InstantSearchClient
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// Settings, indices, synonyms and rules through the client, on the engine.
struct AdministrationTests {
  @Test func settingsAreReplacedOrChanged() async throws {
    let engine = LocalSearch()
    let client = SearchClient(transport: engine)
    let settings = IndexSettings {
      $0.searchableAttributes = ["title"]
      $0.attributeForDistinct = "genre"
      $0.attributesToHighlight = ["title"]
      $0.userData = ["a": 1]
      $0.replicas = ["by_year"]
    }
    try await client.setSettings(settings, of: "films").wait()
    try await expectEqual(client.settings(of: "films"), settings)
    // A default value is set as well, also one that is absent.
    try await client.setSettings(IndexSettings { $0.hitsPerPage = 5 }, of: "films").wait()
    try await expectEqual(client.settings(of: "films"), IndexSettings { $0.hitsPerPage = 5 })
    try await client.setSettings(settings, of: "films").wait()
    let task = try await client.updateSettings(of: "films", forwardToReplicas: true) {
      $0.hitsPerPage = 50
      $0.attributeForDistinct = nil
    }
    try await task?.wait()
    let changed = try await client.settings(of: "films")
    #expect(changed.hitsPerPage == 50 && changed.attributeForDistinct == nil)
    #expect(changed.searchableAttributes == ["title"] && changed.replicas == ["by_year"])
    let replica = try await client.settings(of: "by_year")
    #expect(replica.hitsPerPage == 50 && replica.additionalSettings["primary"] == "films")
    #expect(try await client.updateSettings(of: "films") { $0.hitsPerPage = 50 } == nil)
    // What can only be read is not sent back.
    try await client.updateSettings(of: "by_year") { $0.customRanking = ["desc(year)"] }?.wait()
    try await expectEqual(client.settings(of: "by_year").customRanking, ["desc(year)"])
    try await client.updateSettings(of: "new") { $0.hitsPerPage = 3 }?.wait()
    try await expectEqual(client.settings(of: "new").hitsPerPage, 3)
  }

  @Test func changeOfSettingsSendsOnlyWhatChanges() async throws {
    let transport = ScriptedTransport { request, _ in
      let settings = try JSON(encoding: IndexSettings { $0.userData = ["a": 1] }).text
      return TransportResponse(
        status: 200,
        body: Array((request.endpoint.callType == .read ? settings : #"{"taskID":1}"#).utf8))
    }
    let client = SearchClient(transport: transport)
    try await client.updateSettings(of: "films") {
      $0.hitsPerPage = 50
      $0.userData = nil
    }
    let body = try JSON(parsing: transport.requests[1].body)
    expectEqual(body, ["hitsPerPage": 50, "userData": .null])
    expectEqual(transport.requests[0].queryItems, [QueryItem(name: "getVersion", value: "2")])
  }

  @Test func indicesAreListedCopiedMovedAndDeleted() async throws {
    let client = SearchClient(transport: LocalSearch())
    try await expectEqual(client.listIndices(), [])
    #expect(try await !client.indexExists("films"))
    try await client.save([["objectID": "1"]], in: "films").wait()
    try await client.setSettings(IndexSettings(replicas: ["by_year"]), of: "films").wait()
    #expect(try await client.indexExists("films"))
    let list = try await client.listIndices()
    #expect(list.map(\.name) == ["by_year", "films"] && list.map(\.entries) == [1, 1])
    #expect(list[0].primary == "films" && list[1].replicas == ["by_year"])
    expectEqual(list[1].dataSize, #"{"objectID":"1"}"#.utf8.count)
    try await client.copyIndex("films", to: "copy").wait()
    try await client.copyIndex("films", to: "empty", scopes: [.settings, .rules]).wait()
    try await client.moveIndex("copy", to: "moved").wait()
    try await expectEqual(client.listIndices().map(\.entries), [1, 0, 1, 1])
    try await client.deleteIndex("films").wait()
    try await client.deleteIndex("nothing").wait()
    try await expectEqual(client.listIndices().map(\.name), ["by_year", "empty", "moved"])
    #expect(try await client.settings(of: "by_year").additionalSettings["primary"] == nil)
  }

  @Test func synonymsAndRulesAreSavedSearchedAndDeleted() async throws {
    let client = SearchClient(transport: LocalSearch())
    let synonyms = [
      Synonym("a", .equivalent(["tv", "television"])), Synonym("b", .oneWay(from: "x", to: ["y"])),
    ]
    try await client.saveSynonyms(synonyms, in: "films").wait()
    try await expectEqual(client.searchSynonyms(in: "films"), .init(hits: synonyms, nbHits: 2))
    try await expectEqual(client.searchSynonyms("tele", in: "films").hits.map(\.objectID), ["a"])
    try await expectEqual(
      client.searchSynonyms(in: "films", page: 1, hitsPerPage: 1).hits, [synonyms[1]])
    try await client.deleteSynonym("a", in: "films").wait()
    try await client.saveSynonyms([synonyms[0]], in: "films", replaceExisting: true).wait()
    try await expectEqual(client.searchSynonyms(in: "films").hits, [synonyms[0]])
    try await client.clearSynonyms(of: "films").wait()
    try await expectEqual(client.searchSynonyms(in: "films").nbHits, 0)

    let rule = Rule(
      "r", conditions: [.init(pattern: "sale", anchoring: .contains)],
      consequence: .init(parameters: ["filters": "on_sale:true"], hide: ["1"]))
    try await client.saveRules([rule], in: "films").wait()
    try await expectEqual(client.searchRules("SALE", in: "films"), .init(hits: [rule], nbHits: 1))
    try await client.saveRules([], in: "films", clearExisting: true).wait()
    #expect(try await client.searchRules(in: "films").hits.isEmpty)
    try await client.saveRules([rule], in: "films").wait()
    try await client.deleteRule("r", in: "films").wait()
    try await client.clearRules(of: "films").wait()
    #expect(try await client.searchRules(in: "films").hits.isEmpty)
    let error = await #expect(throws: SearchError.self) {
      try await client.saveSynonyms([Synonym("c", .equivalent(["one"]))], in: "films")
    }
    #expect(error?.code == .invalidRequest && error?.message.contains("two words") == true)
  }
}
