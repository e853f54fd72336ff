import Foundation
import InstantSearchClient
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// The client's calls about keys, dictionaries, sources and logs, answered by a service.
struct ClientCallTests {
  @Test func keysLiveAndDie() async throws {
    let fixture = try ServiceFixture()
    let client = SearchClient(
      transport: fixture.service.transport(apiKey: ServiceFixture.adminKey))
    let value = try await client.addKey(
      APIKey(acl: [.search, "analytics"], indexes: ["films"], maxHitsPerQuery: 5, note: "web"))
    var key = try await client.key(value)
    expectEqual(key.acl, [.search, "analytics"])
    expectEqual(key.note, "web")
    expectEqual(try await client.keys(), [key])
    key.indexes = ["films", "people"]
    key.note = ""
    try await client.updateKey(key)
    expectEqual(try await client.key(value).indexes, ["films", "people"])
    try await client.deleteKey(value)
    await #expect(throws: SearchError.self) { try await client.key(value) }
    try await client.restoreKey(value)
    expectEqual(try await client.keys().map(\.value), [value])
    for call in [client.deleteKey, client.restoreKey] {
      await #expect(throws: SearchError.self) { try await call("", RequestOptions()) }
    }
  }

  @Test func serviceChoosesTheValueOfAKey() async throws {
    let fixture = try ServiceFixture()
    let client = SearchClient(
      transport: fixture.service.transport(apiKey: ServiceFixture.adminKey))
    await #expect(throws: SearchError.self) {
      try await client.addKey(APIKey("mine", acl: [.search]))
    }
    expectEqual(try await client.keys(), [])
  }

  @Test func transportHasTheRightsOfItsKey() async throws {
    let fixture = try ServiceFixture(
      keys: [
        APIKey("films", acl: [.search], indexes: ["films"], maxQueriesPerIPPerHour: 2)
      ], configure: { $0.applicationID = "APP" })
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["filterOnly(owner)"]), of: "films")
    try await fixture.engine.save(
      [["objectID": "1", "owner": "a b&c"], ["objectID": "2", "owner": "d"]] as [JSON], in: "films")
    let secured = try SecuredAPIKey.generate(
      parentKey: "films", restrictions: SecuredAPIKey.Restrictions(filters: #"owner:"a b&c""#))
    let client = SearchClient(
      transport: fixture.service.transport(
        apiKey: secured, applicationID: "APP", from: "203.0.113.7"))
    expectEqual(try await client.search("films", of: Hit<JSON>.self).hits.map(\.objectID), ["1"])
    await #expect(throws: SearchError.self) {
      try await client.search("people", of: Hit<JSON>.self)
    }
    await #expect(throws: SearchError.self) { try await client.listIndices() }
    _ = try await client.search("films", of: Hit<JSON>.self)
    do {
      _ = try await client.search("films", of: Hit<JSON>.self)
    } catch {
      expectEqual(error.code, .rateLimited)
    }
    let other = SearchClient(transport: fixture.service.transport(apiKey: secured))
    await #expect(throws: SearchError.self) { try await other.search("films", of: JSON.self) }
  }

  @Test func dictionariesSourcesAndLogsAreRead() async throws {
    let fixture = try ServiceFixture()
    let client = SearchClient(
      transport: fixture.service.transport(apiKey: ServiceFixture.adminKey))
    try await client.saveDictionaryEntries(
      [DictionaryEntry("1", .stopWord("acme"), .english)], in: .stopwords)
    try await client.disableStandardEntries([.english], in: .stopwords)
    expectEqual(try await client.disabledStandardEntries(), [.stopwords: [.english]])
    expectEqual(try await client.dictionaryLanguages()[.english]?[.stopwords], 1)
    expectEqual(try await client.sources(), [])
    expectEqual(try await client.logs(of: "films", kind: .query), [])
  }

  @Test func entryOfALogIsRead() throws {
    let text = #"""
      {"timestamp":"2026-11-29T10:00:00Z","method":"POST","answer_code":"200","query_body":"{}",
      "answer":"{}","url":"/1/indexes/films/query","ip":"203.0.113.7","query_headers":"a: b",
      "sha1":"00","processing_time_ms":"3","index":"films","query_nb_hits":"12","new":1}
      """#
    let entry = try JSONDecoder().decode(LogEntry.self, from: Data(text.utf8))
    expectEqual(entry.status, 200)
    expectEqual(entry.processingTimeMS, 3)
    expectEqual(entry.nbHits, 12)
    expectEqual(entry.indexName, "films")
    expectEqual(entry.members["new"], 1)
    expectEqual("\(entry)", "POST /1/indexes/films/query 200")
  }
}
