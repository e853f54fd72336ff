@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Every call of the client on the wire: method, path, query items and JSON body.
///
/// Source: the paths and bodies in the OpenAPI description of the hosted service.
struct CallTableTests {
  /// A call of the client, and the lines of its requests.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: [String]
    let run: @Sendable (SearchClient) async throws -> Void

    /// Creates a call. A line that begins with `+ ` goes on with the one before.
    init(
      _ name: String, _ lines: String,
      run: @escaping @Sendable (SearchClient) async throws -> Void
    ) {
      testDescription = name
      self.lines = lines.replacing("\n+ ", with: "").split(separator: "\n").map(String.init)
      self.run = run
    }
  }

  private static let options = IndexingOptions(makeObjectID: { "new" })
  private static let record = ["objectID": "1", "a": "b"]

  private static let calls: [Call] = [
    Call(
      "save",
      #"""
      POST /1/indexes/a%20b/batch
      + {"requests":[{"action":"addObject","body":{"a":"b","objectID":"1"}},
      + {"action":"addObject","body":{"objectID":"new","a":"c"}}]}
      """#
    ) {
      try await $0.save([record, ["a": "c"]], in: "a b", options: options)
    },
    Call(
      "partialUpdate",
      #"""
      POST /1/indexes/i/batch
      + {"requests":[{"action":"partialUpdateObjectNoCreate",
      + "body":{"n":{"_operation":"Increment","value":1},"objectID":"1"}}]}
      """#
    ) {
      try await $0.partialUpdate([RecordUpdate("1", ["n": .increment()])], in: "i")
    },
    Call(
      "partialUpdate, creating",
      #"""
      POST /1/indexes/i/batch
      + {"requests":[{"action":"partialUpdateObject","body":{"a":"b","objectID":"1"}}]}
      """#
    ) {
      try await $0.partialUpdate([record], in: "i", createsIfMissing: true)
    },
    Call(
      "delete by ID",
      #"""
      POST /1/indexes/i/batch
      + {"requests":[{"action":"deleteObject","body":{"objectID":"1"}}]}
      """#
    ) {
      try await $0.delete(objectIDs: ["1"], from: "i")
    },
    Call(
      "delete by filter",
      #"""
      POST /1/indexes/i/deleteByQuery
      + {"aroundLatLng":"1.0,2.0","aroundRadius":5,"filters":"a:b"}
      """#
    ) {
      let query = SearchQuery("words").with {
        $0.filters = "a:b"
        $0.aroundLatLng = Point(latitude: 1, longitude: 2)
        $0.aroundRadius = .meters(5)
        $0.hitsPerPage = 7
      }
      try await $0.delete(matching: query, from: "i")
    },
    Call("clear", "POST /1/indexes/i/clear") { try await $0.clear("i") },
    Call("deleteIndex", "DELETE /1/indexes/i") { try await $0.deleteIndex("i") },
    Call(
      "copyIndex",
      #"POST /1/indexes/i/operation{"destination":"j","operation":"copy"}"#
    ) {
      try await $0.copyIndex("i", to: "j")
    },
    Call(
      "copyIndex, scopes",
      #"""
      POST /1/indexes/i/operation
      + {"destination":"j","operation":"copy","scope":["settings","synonyms"]}
      """#
    ) {
      try await $0.copyIndex("i", to: "j", scopes: [.settings, .synonyms])
    },
    Call(
      "moveIndex",
      #"POST /1/indexes/i/operation{"destination":"j","operation":"move"}"#
    ) {
      try await $0.moveIndex("i", to: "j")
    },
    Call("listIndices", "GET /1/indexes") { _ = try await $0.listIndices() },
    Call("indexExists", "GET /1/indexes/i/settings?getVersion=2") {
      _ = try await $0.indexExists("i")
    },
    Call("settings", "GET /1/indexes/i/settings?getVersion=2") {
      _ = try await $0.settings(of: "i")
    },
    Call(
      "updateSettings",
      #"""
      GET /1/indexes/i/settings?getVersion=2
      PUT /1/indexes/i/settings?forwardToReplicas=true{"hitsPerPage":7}
      """#
    ) {
      try await $0.updateSettings(of: "i", forwardToReplicas: true) { $0.hitsPerPage = 7 }
    },
    Call(
      "wait",
      #"""
      POST /1/indexes/i/clear
      GET /1/indexes/i/task/42
      """#
    ) {
      try await $0.clear("i").wait()
    },
    Call(
      "saveSynonyms",
      #"""
      POST /1/indexes/i/synonyms/batch?forwardToReplicas=true&replaceExistingSynonyms=true
      + [{"objectID":"s","type":"oneWaySynonym","input":"a","synonyms":["b"]}]
      """#
    ) {
      try await $0.saveSynonyms(
        [Synonym("s", .oneWay(from: "a", to: ["b"]))], in: "i", replaceExisting: true,
        forwardToReplicas: true)
    },
    Call(
      "searchSynonyms",
      #"""
      POST /1/indexes/i/synonyms/search{"hitsPerPage":20,"page":0,"query":"a"}
      """#
    ) {
      _ = try await $0.searchSynonyms("a", in: "i")
    },
    Call("deleteSynonym", "DELETE /1/indexes/i/synonyms/a%2Fb?forwardToReplicas=true") {
      try await $0.deleteSynonym("a/b", in: "i", forwardToReplicas: true)
    },
    Call("clearSynonyms", "POST /1/indexes/i/synonyms/clear") {
      try await $0.clearSynonyms(of: "i")
    },
    Call(
      "saveRules",
      #"""
      POST /1/indexes/i/rules/batch?clearExistingRules=true
      + [{"consequence":{"hide":[{"objectID":"1"}]},"objectID":"r"}]
      """#
    ) {
      try await $0.saveRules(
        [Rule("r", consequence: .init(hide: ["1"]))], in: "i", clearExisting: true)
    },
    Call(
      "searchRules",
      #"POST /1/indexes/i/rules/search{"hitsPerPage":20,"page":0,"query":""}"#
    ) {
      _ = try await $0.searchRules(in: "i")
    },
    Call("deleteRule", "DELETE /1/indexes/i/rules/r") { try await $0.deleteRule("r", in: "i") },
    Call("clearRules", "POST /1/indexes/i/rules/clear?forwardToReplicas=true") {
      try await $0.clearRules(of: "i", forwardToReplicas: true)
    },
    Call(
      "getObjects",
      #"""
      POST /1/indexes/*/objects
      + {"requests":[{"indexName":"i","objectID":"1"},{"indexName":"j","objectID":"2",
      + "attributesToRetrieve":["a"]}]}
      """#
    ) {
      _ = try await $0.getObjects(
        [
          ObjectRequest("i", objectID: "1"),
          ObjectRequest("j", objectID: "2", attributesToRetrieve: ["a"]),
        ], of: JSON.self)
    },
    Call(
      "search",
      #"POST /1/indexes/i/query{"page":1,"query":"a"}"#
    ) {
      _ = try await $0.search("i", SearchQuery("a").with { $0.page = 1 }, of: JSON.self)
    },
    Call(
      "multi-query",
      #"""
      POST /1/indexes/*/queries
      + {"requests":[{"indexName":"i","query":"a"},{"indexName":"j","type":"facet",
      + "facet":"f","facetQuery":"x","maxFacetHits":3}]}
      """#
    ) {
      _ = try await $0.search(
        SearchRequest("i", SearchQuery("a"), of: JSON.self),
        facetValues: [FacetRequest("j", attribute: "f", facetQuery: "x", maxFacetHits: 3)])
    },
    Call(
      "facet values",
      #"POST /1/indexes/i/facets/f/query{"facetQuery":"x","maxFacetHits":3}"#
    ) {
      _ = try await $0.searchFacetValues(of: "f", matching: "x", in: "i", maxFacetHits: 3)
    },
    Call(
      "browse",
      #"POST /1/indexes/i/browse{"hitsPerPage":1000}"#
    ) {
      for try await _ in $0.browse("i", of: JSON.self) {}
    },
  ]

  /// The calls about the application.
  private static let applicationCalls: [Call] = [
    Call("keys", "GET /1/keys") { _ = try await $0.keys() },
    Call("key", "GET /1/keys/k%2F1") { _ = try await $0.key("k/1") },
    Call(
      "addKey",
      #"""
      POST /1/keys{"acl":["search","browse"],"indexes":["films*"],"referers":["*.org"],
      + "maxHitsPerQuery":5,"maxQueriesPerIPPerHour":6,"validity":7,
      + "queryParameters":"filters=a%3Ab","description":"web"}
      """#
    ) {
      try await $0.addKey(
        APIKey(
          acl: [.search, .browse], indexes: ["films*"], referers: ["*.org"],
          queryParameters: "filters=a%3Ab", maxHitsPerQuery: 5, maxQueriesPerIPPerHour: 6,
          validity: 7, note: "web", createdAt: 8))
    },
    Call("updateKey", #"PUT /1/keys/k{"acl":[],"validity":0}"#) {
      try await $0.updateKey(APIKey("k", acl: []))
    },
    Call("deleteKey", "DELETE /1/keys/k") { try await $0.deleteKey("k") },
    Call("restoreKey", "POST /1/keys/k/restore") { try await $0.restoreKey("k") },
    Call("sources", "GET /1/security/sources") { _ = try await $0.sources() },
    Call(
      "replaceSources",
      #"PUT /1/security/sources[{"source":"10.0.0.0/8"},{"description":"b","source":"::1"}]"#
    ) {
      try await $0.replaceSources(
        with: [AllowedSource("10.0.0.0/8"), AllowedSource("::1", description: "b")])
    },
    Call("appendSource", #"POST /1/security/sources/append{"source":"10.0.0.1"}"#) {
      try await $0.appendSource(AllowedSource("10.0.0.1"))
    },
    Call("deleteSource", "DELETE /1/security/sources/10.0.0.0%2F8") {
      try await $0.deleteSource("10.0.0.0/8")
    },
    Call("logs", "GET /1/logs?offset=0&length=10&type=all") { _ = try await $0.logs() },
    Call("logs of an index", "GET /1/logs?offset=20&length=5&type=error&indexName=i") {
      _ = try await $0.logs(of: "i", kind: .error, offset: 20, length: 5)
    },
    Call(
      "saveDictionaryEntries",
      #"""
      POST /1/dictionaries/stopwords/batch
      + {"clearExistingDictionaryEntries":true,"requests":[{"action":"addEntry",
      + "body":{"language":"en","objectID":"1","state":"enabled","word":"acme"}}]}
      """#
    ) {
      try await $0.saveDictionaryEntries(
        [DictionaryEntry("1", .stopWord("acme"), .english)], in: .stopwords, replaceExisting: true)
    },
    Call(
      "deleteDictionaryEntries",
      #"""
      POST /1/dictionaries/plurals/batch
      + {"requests":[{"action":"deleteEntry","body":{"objectID":"1"}}]}
      """#
    ) {
      try await $0.deleteDictionaryEntries(["1"], from: .plurals)
    },
    Call(
      "searchDictionaryEntries",
      #"""
      POST /1/dictionaries/compounds/search
      + {"hitsPerPage":20,"language":"de","page":0,"query":"a"}
      """#
    ) {
      _ = try await $0.searchDictionaryEntries("a", in: .compounds, language: .german)
    },
    Call(
      "disableStandardEntries",
      #"PUT /1/dictionaries/*/settings{"disableStandardEntries":{"stopwords":{"fr":true}}}"#
    ) {
      try await $0.disableStandardEntries([.french], in: .stopwords)
    },
    Call("disabledStandardEntries", "GET /1/dictionaries/*/settings") {
      expectEqual(try await $0.disabledStandardEntries(), [.stopwords: [.french]])
    },
    Call("dictionaryLanguages", "GET /1/dictionaries/*/languages") {
      _ = try await $0.dictionaryLanguages()
    },
  ]

  /// A response that fits every call.
  private static let response = #"""
    {"taskID":42,"status":"published","items":[],"hits":[],"nbHits":0,"facetHits":[],
    "results":[{"hits":[],"nbHits":0},{"facetHits":[]}],"keys":[],"value":"k","key":"k","acl":[],
    "logs":[],"disableStandardEntries":{"stopwords":{"fr":true,"en":false},"plurals":null}}
    """#

  @Test(arguments: calls + applicationCalls) func callsAreThoseOfTheContract(call: Call)
    async throws
  {
    let transport = ScriptedTransport { request, _ in
      let body =
        switch request.endpoint {
        // A record can be any object, and null is none.
        case .getObjects: #"{"results":[{"objectID":"1"},null]}"#
        case .sources(.list): "[]"
        default: Self.response
        }
      return TransportResponse(status: 200, body: Array(body.utf8))
    }
    try await call.run(SearchClient(transport: transport))
    let lines = transport.requests.map { request in
      var line = "\(request.endpoint.method.rawValue) \(request.endpoint.path)"
      let items = request.queryItems.map { "\($0.name)=\($0.value)" }
      if !items.isEmpty { line += "?" + items.joined(separator: "&") }
      let body = String(decoding: request.body, as: UTF8.self)
      return line + body
    }
    expectEqual(lines, call.lines)
  }
}
