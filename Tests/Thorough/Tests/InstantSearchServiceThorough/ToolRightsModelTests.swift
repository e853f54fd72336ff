@testable import InstantSearchAPI
@testable import InstantSearchService
@testable import LocalSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Random keys, restrictions and calls of tools against a plain model of rights: a tool answers
/// nothing that a search with the same key would not answer.
struct ToolRightsModelTests {
  /// What a key allows, in the words of the model.
  private struct Model {
    var hasSearch = true
    var indices: Set<String> = Set(ToolRightsModelTests.indices)
    var listsIndices = false
    /// What the names of replicas must begin with; a name, which none begins with, is `-`.
    var patterns: [String] = []
    /// The indices that the key names without a pattern.
    var named: Set<String> = []
    /// The teams whose records are visible.
    var teams: Set<String> = ["red", "blue", "green"]
    /// The ranks that are visible.
    var ranks = 0..<12
    var attributes: Set<String>?
    var maximumHits = Int.max
    var seesSecrets = false

    /// Whether the key may list indices: not if it hides records.
    var mayList: Bool { listsIndices && teams.count == 3 && ranks.count == 12 }

    /// Whether the key may use a replica: only patterns and keys without limits do.
    func allows(_ replica: String) -> Bool { patterns.allSatisfy { replica.hasPrefix($0) } }

    func isVisible(_ record: Record) -> Bool {
      teams.contains(record.team) && ranks.contains(record.rank)
    }

    func isShown(_ attribute: String) -> Bool {
      (attributes?.contains(attribute) ?? true) && (seesSecrets || attribute != "secret")
    }
  }

  /// A record of every index. Its texts say where it is, so that a leak is seen in any text.
  private struct Record {
    let index: String
    let rank: Int
    var team: String { ["red", "blue", "green"][rank % 3] }
    var id: String { "\(index)-\(rank)" }

    var json: JSON {
      [
        "objectID": .string(id), "title": .string("title of \(id)"), "team": .string(team),
        "rank": .int(Int64(rank)), "note": .string("note-of-\(id)"),
        "secret": .string("secret-of-\(id)"),
      ]
    }

    static func all(in index: String) -> [Record] {
      (0..<12).map { Record(index: index, rank: $0) }
    }
  }

  private static let indices = ["blog", "shop", "shop_old"]

  private static let settings = IndexSettings {
    $0.searchableAttributes = ["title"]
    $0.attributesForFaceting = ["team", "searchable(note)", "secret", "filterOnly(title)"]
    $0.numericAttributesForFiltering = ["rank"]
    $0.unretrievableAttributes = ["secret"]
    $0.customRanking = ["asc(rank)"]
  }

  /// The indices as an operator declares them.
  private static var declared: [SearchTool.Index] {
    indices.map { name in
      var index = SearchTool.Index(name, settings: settings, about: "records")
      index.sortOrders = [SearchTool.SortOrder("\(name)_down", indexName: "\(name)_down")]
      return index
    }
  }

  @Test(arguments: Seed.all(5_000, quick: 300))
  func toolsAnswerNoMoreThanASearch(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    var model = Model()
    let (key, text) = try Self.key(&model, using: &random)
    let declares = Bool.random(using: &random)
    let fixture = try ServiceFixture(
      keys: [key],
      configure: {
        let indices = declares ? Self.declared : []
        $0.tools = SearchService.Tools(name: "t", version: "1", indices: indices)
      })
    for index in Self.indices {
      var settings = Self.settings
      settings.replicas = ["\(index)_down"]
      try await fixture.engine.setSettings(settings, of: index)
      var down = Self.settings
      down.ranking = ["desc(rank)"]
      try await fixture.engine.setSettings(down, of: "\(index)_down")
      try await fixture.engine.save(Record.all(in: index).map(\.json), in: index)
    }
    let list = try await Self.send(fixture, text, "tools/list")
    let names = list["result"]?["tools"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    let allowed =
      model.hasSearch
      ? Self.indices.filter { name in
        model.indices.contains(name)
          // Declared indices are the choice of the operator.
          && (declares || model.mayList || model.named.contains(name))
      } : []
    expectEqual(
      names.filter { $0.hasPrefix("algolia_search_") && !$0.hasSuffix("facet_values") },
      allowed.map { "algolia_search_\($0)" })
    Self.check(list, model)
    for index in Self.indices {
      // A caller may know the name of a replica under the same rules as the name of an index.
      let isTold = list.text.contains("\"\(index)_down\"")
      let mayKnow =
        model.hasSearch && model.allows("\(index)_down") && (declares || model.mayList)
      #expect(!isTold || mayKnow, "\(list.text)")
    }
    for _ in 0..<4 {
      try await Self.checkCall(fixture, text, model, names, using: &random)
    }
  }

  private static func key(
    _ model: inout Model, using random: inout SeededGenerator
  ) throws -> (APIKey, String) {
    func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    var key = APIKey("parent", acl: [.search])
    if one(in: 8) {
      key.acl = [.browse, .settings]
      model.hasSearch = false
    }
    if one(in: 4) {
      key.acl.append(.seeUnretrievableAttributes)
      model.seesSecrets = true
    }
    if one(in: 2) {
      key.acl.append(.listIndexes)
      model.listsIndices = true
    }
    if one(in: 2) {
      key.indexes = one(in: 2) ? ["shop*"] : ["blog"]
      model.indices = key.indexes == ["blog"] ? ["blog"] : ["shop", "shop_old"]
      if key.indexes == ["blog"] { model.named = ["blog"] }
      model.patterns.append(key.indexes == ["blog"] ? "-" : "shop")
    }
    var query = SearchQuery()
    if one(in: 3) {
      query.filters = "team:red OR team:blue"
      model.teams = ["red", "blue"]
    }
    if one(in: 4) {
      query.attributesToRetrieve = ["title", "team"]
      model.attributes = ["title", "team"]
    }
    if one(in: 4) { query.hitsPerPage = 3 }
    if one(in: 6) { query.maxValuesPerFacet = 1 }
    if one(in: 8) { query.facets = ["team"] }
    key.queryParameters = query.urlEncoded
    if one(in: 3) {
      key.maxHitsPerQuery = 2
      model.maximumHits = 2
    } else if query.hitsPerPage != nil {
      model.maximumHits = 3
    }
    guard one(in: 2) else { return (key, key.value) }
    var restrictions = SecuredAPIKey.Restrictions(userToken: "user")
    if one(in: 2) {
      restrictions.filters = "rank < 6"
      model.ranks = 0..<6
    }
    if one(in: 2) {
      restrictions.restrictIndices = ["shop"]
      model.indices.formIntersection(["shop"])
      model.named.insert("shop")
      model.patterns.append("-")
    }
    return (
      key, try SecuredAPIKey.generate(parentKey: key.value, restrictions: restrictions)
    )
  }

  private static func send(
    _ fixture: ServiceFixture, _ key: String, _ method: String, _ parameters: JSON = [:]
  ) async throws -> JSON {
    try await fixture.call(
      "POST", "/mcp",
      ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters], key: key,
      headers: [("MCP-Protocol-Version", "2025-11-25")]
    ).body
  }

  /// Makes one random call, and checks what it answers.
  private static func checkCall(
    _ fixture: ServiceFixture, _ key: String, _ model: Model, _ names: [String],
    using random: inout SeededGenerator
  ) async throws {
    let index = indices.randomElement(using: &random) ?? "shop"
    let record = Record(index: index, rank: Int.random(in: 0..<12, using: &random))
    let team = ["red", "blue", "green", "none"].randomElement(using: &random) ?? "red"
    let texts = ["", "title", "title of \(record.id)", "zeppelin", "\(record.rank)"]
    let text = texts.randomElement(using: &random) ?? ""
    var name = "algolia_search_\(index)"
    var arguments: [String: JSON] = [:]
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2:
      if Bool.random(using: &random) { arguments["query"] = .string(text) }
      if Bool.random(using: &random) { arguments["facet_team"] = [.string(team)] }
      if Bool.random(using: &random) { arguments["hitsPerPage"] = 20 }
      if Int.random(in: 0..<4, using: &random) == 0 {
        arguments["facet_secret"] = [.string("secret-of-\(record.id)")]
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        arguments["attributesToRetrieve"] = ["secret", "title", "note"]
      }
      if Int.random(in: 0..<4, using: &random) == 0, model.isShown("rank") {
        arguments["range_rank"] = ["min": 3]
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        arguments["sortBy"] = .string("\(index)_down")
      }
    case 3:
      name = "algolia_search_for_facet_values"
      let facet = ["team", "note", "secret"].randomElement(using: &random) ?? "team"
      arguments = ["indexName": .string(index), "facetName": .string(facet), "maxFacetHits": 50]
      if Bool.random(using: &random) { arguments["facetQuery"] = "note" }
    case 4:
      name = "search"
      arguments = ["query": .string(text.isEmpty ? "title" : text)]
    default:
      name = "fetch"
      let isQualified = names.filter { $0.hasPrefix("algolia_search_") }.count > 2
      arguments = ["id": .string((isQualified ? "\(index)/" : "") + record.id)]
    }
    let answer = try await send(
      fixture, key, "tools/call", ["name": .string(name), "arguments": .object(arguments)])
    let comment = "\(name) \(JSON.object(arguments).text): \(answer.text)"
    #expect(answer["result"] != nil || answer["error"]?["code"] == -32602, "\(comment)")
    if !names.contains(name) { #expect(answer["error"] != nil, "\(comment)") }
    check(answer, model)
    let content = answer["result"]?["structuredContent"]
    if name.hasPrefix("algolia_search_"), let content, content["hits"] != nil {
      try await compare(content, with: arguments, of: index, fixture, key, comment)
    }
    #expect((content?["hits"]?.arrayValue?.count ?? 0) <= model.maximumHits, "\(comment)")
    if let count = content?["nbHits"]?.intValue {
      #expect(
        count <= Record.all(in: index).filter(model.isVisible).count, "\(comment)")
    }
    if let hits = content?["facetHits"]?.arrayValue, name == "algolia_search_for_facet_values" {
      let most = Record.all(in: index).filter(model.isVisible).count
      #expect(hits.allSatisfy { ($0["count"]?.intValue ?? 0) <= most }, "\(comment)")
    }
    if name == "fetch", names.contains("algolia_search_\(index)"), model.isVisible(record) {
      expectEqual(answer["result"]?["isError"], false, "\(comment)")
    }
  }

  /// Compares a result with the one of a search with the same key.
  private static func compare(
    _ content: JSON, with arguments: [String: JSON], of index: String, _ fixture: ServiceFixture,
    _ key: String, _ comment: String
  ) async throws {
    var facets: [JSON] = []
    for (name, values) in arguments where name.hasPrefix("facet_") {
      facets += (values.arrayValue ?? []).compactMap { value in
        value.stringValue.map { .string("\(name.dropFirst("facet_".count)):\($0)") }
      }
    }
    var body: [String: JSON] = [
      "query": arguments["query"] ?? "", "hitsPerPage": arguments["hitsPerPage"] ?? 5,
      "facetFilters": .array(facets),
    ]
    if let range = arguments["range_rank"], let least = range["min"]?.intValue {
      body["numericFilters"] = [.string("rank >= \(least)")]
    }
    var indexName = index
    if arguments["sortBy"] != nil { indexName += "_down" }
    let answer = try await fixture.call(
      "POST", "/1/indexes/\(indexName)/query", .object(body), key: key)
    func ids(_ hits: JSON?) -> [String] {
      hits?.arrayValue?.compactMap { $0["objectID"]?.stringValue } ?? []
    }
    expectEqual(answer.status, 200, "\(comment)")
    expectEqual(content["nbHits"], answer.body["nbHits"], "\(comment)")
    expectEqual(ids(content["hits"]), ids(answer.body["hits"]), "\(comment)")
  }

  /// Checks that no text of a record occurs that the key may not see.
  private static func check(_ answer: JSON, _ model: Model) {
    // The arguments of the call are not in an answer, except an ID that was not found.
    let isError = answer["result"]?["isError"] == true || answer["error"] != nil
    let content = isError ? "" : answer["result"]?["structuredContent"]?.text ?? answer.text
    for index in indices {
      for record in Record.all(in: index) {
        let isVisible =
          model.hasSearch && model.indices.contains(index) && model.isVisible(record)
        for (attribute, text) in [
          ("objectID", "\"\(record.id)\""), ("note", "note-of-\(record.id)\""),
          ("secret", "secret-of-\(record.id)\""), ("title", "title of \(record.id)\""),
        ] where content.contains(text) {
          // A hint names a value that the caller sent.
          if attribute == "secret", content.contains("No record has") { continue }
          #expect(
            isVisible && (attribute == "objectID" || model.isShown(attribute)),
            "\(attribute) of \(record.id) in \(content)")
        }
      }
    }
    if !model.seesSecrets { #expect(!content.contains("facet_secret"), "\(content)") }
    if let attributes = model.attributes, !attributes.contains("rank") {
      #expect(!content.contains("range_rank"), "\(content)")
    }
  }
}
