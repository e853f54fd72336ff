import InstantSearchAPI
import TestSupport
import Testing

/// Every call of the search API, as spelled in the contract.
@Suite struct EndpointPathTests {
  private typealias Row = (
    endpoint: Endpoint, method: Endpoint.Method, path: String, type: Endpoint.CallType
  )

  private static let index = "films"
  private static let searching: [Row] = [
    (.search(index: index), .post, "indexes/films/query", .read),
    (.multiQuery, .post, "indexes/*/queries", .read),
    (
      .facetValues(index: index, facet: "a/b c"), .post, "indexes/films/facets/a%2Fb%20c/query",
      .read
    ),
    (.browse(index: index), .post, "indexes/films/browse", .read),
    (.recommendations, .post, "indexes/*/recommendations", .read),
    (.places, .post, "places/query", .read), (.reversePlaces, .get, "places/reverse", .read),
    (.place(objectID: "7"), .get, "places/7", .read),
  ]
  private static let records: [Row] = [
    (.getObjects, .post, "indexes/*/objects", .read),
    (.getObject(index: index, objectID: "7"), .get, "indexes/films/7", .read),
    (.saveObject(index: index), .post, "indexes/films", .write),
    (.replaceObject(index: index, objectID: "7"), .put, "indexes/films/7", .write),
    (.partialUpdate(index: index, objectID: "7"), .post, "indexes/films/7/partial", .write),
    (.deleteObject(index: index, objectID: "é"), .delete, "indexes/films/%C3%A9", .write),
    (.batch(index: index), .post, "indexes/films/batch", .write),
    (.multiBatch, .post, "indexes/*/batch", .write),
    (.deleteBy(index: index), .post, "indexes/films/deleteByQuery", .write),
    (.clear(index: index), .post, "indexes/films/clear", .write),
  ]
  private static let indices: [Row] = [
    (.listIndices, .get, "indexes", .read),
    (.deleteIndex(index: index), .delete, "indexes/films", .write),
    (.operation(index: index), .post, "indexes/films/operation", .write),
    (.settings(index: index), .get, "indexes/films/settings", .read),
    (.setSettings(index: index), .put, "indexes/films/settings", .write),
    (.task(index: index, taskID: "12"), .get, "indexes/films/task/12", .read),
    (.appTask(taskID: "12"), .get, "task/12", .read), (.logs, .get, "logs", .read),
    (.synonyms(index: index, .get(objectID: "s")), .get, "indexes/films/synonyms/s", .read),
    (.synonyms(index: index, .save(objectID: "s")), .put, "indexes/films/synonyms/s", .write),
    (.synonyms(index: index, .delete(objectID: "s")), .delete, "indexes/films/synonyms/s", .write),
    (.synonyms(index: index, .batch), .post, "indexes/films/synonyms/batch", .write),
    (.synonyms(index: index, .clear), .post, "indexes/films/synonyms/clear", .write),
    (.synonyms(index: index, .search), .post, "indexes/films/synonyms/search", .read),
    (.rules(index: index, .get(objectID: "r")), .get, "indexes/films/rules/r", .read),
    (.rules(index: index, .search), .post, "indexes/films/rules/search", .read),
    (.rules(index: index, .clear), .post, "indexes/films/rules/clear", .write),
  ]
  private static let application: [Row] = [
    (.keys(.list), .get, "keys", .read), (.keys(.add), .post, "keys", .write),
    (.keys(.get(key: "k")), .get, "keys/k", .read),
    (.keys(.update(key: "k")), .put, "keys/k", .write),
    (.keys(.delete(key: "k")), .delete, "keys/k", .write),
    (.keys(.restore(key: "k")), .post, "keys/k/restore", .write),
    (.dictionaries(.batch(dictionary: "plurals")), .post, "dictionaries/plurals/batch", .write),
    (.dictionaries(.search(dictionary: "plurals")), .post, "dictionaries/plurals/search", .read),
    (.dictionaries(.settings), .get, "dictionaries/*/settings", .read),
    (.dictionaries(.setSettings), .put, "dictionaries/*/settings", .write),
    (.dictionaries(.languages), .get, "dictionaries/*/languages", .read),
    (.sources(.list), .get, "security/sources", .read),
    (.sources(.replace), .put, "security/sources", .write),
    (.sources(.append), .post, "security/sources/append", .write),
    (.sources(.delete(source: "10.0.0.1/32")), .delete, "security/sources/10.0.0.1%2F32", .write),
    (.events, .post, "events", .write),
    (.deleteUser(userToken: "u"), .delete, "usertokens/u", .write),
  ]
  private static let all = searching + records + indices + application

  @Test func everyCallIsWrittenAndParsedAsInTheContract() {
    for row in Self.all {
      expectEqual(row.endpoint.method, row.method)
      expectEqual(row.endpoint.path, "/1/" + row.path)
      expectEqual(row.endpoint.callType, row.type)
      expectEqual(Endpoint(row.method, row.endpoint.pathComponents), row.endpoint)
      #expect(Endpoint.methods(at: row.endpoint.pathComponents).contains(row.method))
    }
    expectEqual(Set(Self.all.map(\.endpoint)).count, Self.all.count)
  }

  @Test func apiNamesTakePrecedenceOverObjectIDs() {
    for (endpoint, read) in [
      (Endpoint.getObject(index: "a", objectID: "settings"), Endpoint.settings(index: "a")),
      (.replaceObject(index: "a", objectID: "settings"), .setSettings(index: "a")),
      (.place(objectID: "reverse"), .reversePlaces),
    ] {
      expectEqual(TransportRequest(endpoint).endpoint, read)
      expectEqual(TransportRequest(endpoint), TransportRequest(read))
    }
    // Only the methods that the API defines there are parsed.
    let record = Endpoint.getObject(index: "a", objectID: "query")
    expectEqual(TransportRequest(record).endpoint, record)
    expectEqual(
      Set(Endpoint.methods(at: ["1", "indexes", "a", "query"])), [.post, .get, .put, .delete])
    expectEqual(Endpoint.methods(at: ["1", "indexes", "*", "queries"]), [.post])
  }

  @Test(arguments: [
    [], [""], ["1"], ["2", "indexes"], ["1", "indexes", ""], ["1", "indexes", "", "query"],
    ["1", "indexes", "*", "query"], ["1", "indexes", "a", "b", "c"], ["1", "keys", ""],
    ["1", "keys", "k", "other"], ["1", "places"], ["1", "places", "a", "b"], ["1", "security"],
    ["1", "dictionaries", "*", "batch"], ["1", "indexes", "a", "facets", "f", "other"],
    ["1", "indexes", "a", "rules", "r", "x"], ["", "1", "indexes"],
  ])
  func unknownPathsAreKept(path: [String]) {
    for method in Endpoint.Method.allCases {
      let endpoint = Endpoint(method, path)
      expectEqual(endpoint, .custom(method, path))
      #expect(endpoint.method == method && endpoint.pathComponents == path)
      expectEqual(endpoint.callType, method == .get ? .read : .write)
      #expect(endpoint.indices == .all && !endpoint.isCacheable && !endpoint.isBatchable)
    }
    #expect(Endpoint.methods(at: path).isEmpty)
  }

  @Test(arguments: ["rules", "synonyms", "task", "settings"])
  func recordWithAReservedNameCanBeUpdated(objectID: String) {
    let path = ["1", "indexes", "a", objectID, "partial"]
    expectEqual(Endpoint(.post, path), .partialUpdate(index: "a", objectID: objectID))
    if objectID == "rules" {
      expectEqual(Endpoint(.put, path), .rules(index: "a", .save(objectID: "partial")))
    }
  }

  /// Every method and path is written as it was parsed.
  @Test func parsingAndWritingAreInverse() {
    let words = [
      "1", "indexes", "*", "a", "query", "queries", "objects", "batch", "task", "facets", "partial",
      "settings", "synonyms", "rules", "search", "keys", "restore", "places", "reverse", "",
    ]
    var generator = SplitMix64(seed: 7)
    for _ in 0..<Thoroughness.count(2_000, thorough: 20_000) {
      var path = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }
      if Bool.random(using: &generator) { path = ["1", "indexes"] + path }
      for method in Endpoint.Method.allCases {
        let endpoint = Endpoint(method, path)
        #expect(endpoint.method == method && endpoint.pathComponents == path)
        expectEqual(Endpoint(endpoint.method, endpoint.pathComponents), endpoint)
        expectEqual(endpoint.normalized, endpoint)
      }
    }
  }

  @Test(arguments: ["", "*", "a", "query", "a/b"])
  func requestsNameTheCallOfTheirPath(name: String) {
    for endpoint: Endpoint in [
      .search(index: name), .browse(index: name), .batch(index: name), .settings(index: name),
      .getObject(index: "a", objectID: name), .saveObject(index: name), .multiQuery, .places,
      .place(objectID: name), .deleteIndex(index: name),
    ] {
      expectEqual(endpoint.normalized, Endpoint(endpoint.method, endpoint.pathComponents))
    }
  }

  @Test func keysAndTokensAreNotShown() {
    for (endpoint, path) in [
      (Endpoint.keys(.get(key: "1")), "/1/keys/*"),
      (.keys(.restore(key: "sekret")), "/1/keys/*/restore"),
      (.deleteUser(userToken: "u/1"), "/1/usertokens/*"),
      (.custom(.post, ["1", "keys", "sekret", "more"]), "/1/keys/*"),
      (.custom(.get, ["2", "usertokens", "u"]), "/2/usertokens/*"),
    ] {
      expectEqual(endpoint.redactedPath, path)
      expectEqual(Endpoint.redacting(encodedPath: endpoint.path[...]), path)
      #expect(endpoint.secrets.contains(endpoint.pathComponents[2]))
      var dumped = ""
      dump(endpoint, to: &dumped)
      if case .keys(let keys) = endpoint { dump(keys, to: &dumped) }
      #expect("\(endpoint)" == endpoint.method.rawValue + " " + path && !dumped.contains("sekret"))
    }
    for row in Self.all where row.endpoint.secrets.isEmpty {
      expectEqual(row.endpoint.redactedPath, row.endpoint.path)
      expectEqual(Endpoint.redacting(encodedPath: row.endpoint.path[...]), row.endpoint.path)
    }
  }

  /// Whatever a client does to the path, a log shows no part of the key.
  @Test(arguments: [
    ("/1/keys/sekret", "/1/keys/*"), ("/1/keys/sekret/restore", "/1/keys/*/restore"),
    ("/1/keys/restore/sekret", "/1/keys/*"), ("/1/keys/a/sekret", "/1/keys/*"),
    ("/1/keys/./sekret", "/1/keys/*"), ("/1/keys/%2e%2e/sekret", "/1/keys/*"),
    ("/1/keys//sekret", "/1/keys/*"), ("//1/keys/sekret", "//1/keys/*"),
    ("/1/%20keys/sekret", "/1/*"), ("/1/k%2565ys/sekret", "/1/*"),
    ("/1/k%252565ys/sekret", "/1/*"), ("/1/%6beys/sekret", "/1/keys/*"),
    ("/1/k%65ys%/sekret", "/1/*"), ("/1/ke%E2%80%8Bys/sekret", "/1/*"),
    ("/1/ke%E2%80%8Dys/sekret", "/1/*"), ("/1/key%CC%B8/sekret", "/1/*"),
    ("/1/keyssekret", "/1/*"), ("/1/keys;sekret", "/1/*"), ("/1/KEYS/sekret", "/1/*"),
    ("/1/%E2%84%AAeys/sekret", "/1/*"), ("/1/keys%2Fsekret", "/1/*"),
    ("/1%2fkeys%2fsekret", "/*"), ("/1/indexes/a%2F..%2Fkeys%2Fsekret", "/1/indexes/*"),
    ("/1/indexes/a/..%2f..%2fkeys%2fsekret", "/1/indexes/a/*"),
    ("/1/indexes/a/../../keys/sekret", "/1/indexes/a/../../keys/*"),
    ("/1/key/sekret", "/1/*"), ("/1/api_keys/sekret", "/1/*"), ("/1/tokens/sekret", "/1/*"),
    ("/proxy/1/keys/sekret", "/proxy/1/keys/*"), ("/x-algolia-api-key=sekret", "/*"),
    // What names no key is shown.
    ("/1/keys", "/1/keys"), ("/1/indexes/keys/tokens", "/1/indexes/keys/tokens"),
    ("/1/indexes/keys/no/call", "/1/indexes/keys/no/call"), ("/health", "/health"), ("/", "/"),
  ])
  func pathsOfAnyFormShowNoKey(path: String, shown: String) {
    expectEqual(Endpoint.redacting(encodedPath: path[...]), shown)
  }

  @Test func propertiesOfEachCall() {
    let cacheable = Self.all.filter(\.endpoint.isCacheable).map(\.endpoint)
    expectEqual(
      Set(cacheable),
      [
        .search(index: Self.index), .multiQuery, .facetValues(index: Self.index, facet: "a/b c"),
        .recommendations, .places, .getObjects,
      ])
    expectEqual(
      Set(Self.all.filter(\.endpoint.isBatchable).map(\.endpoint)),
      [
        .search(index: Self.index), .multiQuery,
      ])
    for row in Self.all {
      let namesIndex = row.path.hasPrefix("indexes/films")
      expectEqual(row.endpoint.indexName, namesIndex ? "films" : nil)
      if row.type == .read { #expect(row.endpoint.isIdempotent) }
    }
    expectEqual(Endpoint.operation(index: "a").indices, .inBody(and: "a"))
    expectEqual(Endpoint.multiBatch.indices, .inBody(and: nil))
    #expect(!Endpoint.saveObject(index: "a").isIdempotent)
    #expect(!Endpoint.keys(.add).isIdempotent)
    #expect(!Endpoint.batch(index: "a").isIdempotent)
    #expect(Endpoint.setSettings(index: "a").isIdempotent)
  }
}
