@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON
@testable import InstantSearchService
@testable import LocalSearch
import TestSupport
import Testing

/// Random keys, secured keys and requests against a plain model of what is allowed.
struct RightsModelTests {
  /// A record of every index.
  private struct Record {
    let id: Int
    var team: String { ["red", "blue", "green"][id % 3] }
    var isOpen: Bool { id % 2 == 0 }

    var encodable: TeamRecord { TeamRecord(id, team: team, isOpen: isOpen) }

    static let all = (0..<12).map { Record(id: $0) }
  }

  /// A filter and what it means.
  private struct Condition {
    let text: String
    let matches: (Record) -> Bool

    static func random(using random: inout SeededGenerator) -> Condition? {
      let all = [
        Condition(text: "team:red") { $0.team == "red" },
        Condition(text: #"team:"blue" OR team:'green'"#) { $0.team != "red" },
        Condition(text: "(open:true)") { $0.isOpen },
        Condition(text: "open:true AND NOT team:green") { $0.isOpen && $0.team != "green" },
        Condition(text: "rank >= 6") { $0.id >= 6 },
        Condition(text: "rank:2 TO 8 AND (team:red OR team:blue)") {
          (2...8).contains($0.id) && $0.team != "green"
        },
      ]
      return Int.random(in: 0...all.count, using: &random) == 0
        ? nil : all.randomElement(using: &random)
    }
  }

  /// What a key allows, in the words of the model.
  private struct Model {
    var rights: Set<String> = []
    var indices: [Set<String>] = []
    var conditions: [(Record) -> Bool] = []
    var maximumHits = Int.max

    func isAllowed(_ index: String) -> Bool { indices.allSatisfy { $0.contains(index) } }
    func isVisible(_ record: Record) -> Bool { conditions.allSatisfy { $0(record) } }
  }

  private static let indices = ["shop", "shop_old", "blog"]
  /// Patterns, with the indices that they match.
  private static let patterns: [(String, Set<String>)] = [
    ("shop", ["shop"]), ("shop*", ["shop", "shop_old"]), ("*og", ["blog"]),
    ("*o*", ["shop", "shop_old", "blog"]), ("none", []),
  ]

  @Test(arguments: Seed.all(5_000, quick: 300))
  func nothingIsAnsweredThatTheKeyDoesNotAllow(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    var (key, model) = Self.key(using: &random)
    let fixture = try ServiceFixture(keys: [key])
    for index in Self.indices {
      try await fixture.engine.setSettings(TeamRecord.settings, of: index)
      try await fixture.engine.save(Record.all.map(\.encodable), in: index)
    }
    var text = key.value
    if Bool.random(using: &random) { text = try Self.secured(key, &model, using: &random) }
    for _ in 0..<3 {
      try await Self.check(fixture, text, model, using: &random)
    }
  }

  private static func key(using random: inout SeededGenerator) -> (APIKey, Model) {
    var model = Model()
    let rights = ["search", "browse", "addObject", "deleteObject", "deleteIndex", "settings"]
    for right in rights where Int.random(in: 0..<3, using: &random) > 0 {
      model.rights.insert(right)
    }
    var key = APIKey(
      "parent-key", acl: rights.filter(model.rights.contains).map { Right(rawValue: $0) })
    if Bool.random(using: &random) {
      let chosen = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        patterns[Int.random(in: 0..<patterns.count, using: &random)]
      }
      key.indexes = chosen.map(\.0)
      model.indices.append(chosen.reduce(into: []) { $0.formUnion($1.1) })
    }
    if let condition = Condition.random(using: &random) {
      key.queryParameters = SearchQuery().with { $0.filters = condition.text }.urlEncoded
      model.conditions.append(condition.matches)
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      key.maxHitsPerQuery = Int.random(in: 1...4, using: &random)
      model.maximumHits = key.maxHitsPerQuery
    }
    return (key, model)
  }

  private static func secured(
    _ key: APIKey, _ model: inout Model, using random: inout SeededGenerator
  ) throws -> String {
    var restrictions = SecuredAPIKey.Restrictions(userToken: "user")
    if let condition = Condition.random(using: &random) {
      restrictions.filters = condition.text
      model.conditions.append(condition.matches)
    }
    if Bool.random(using: &random) {
      let chosen = patterns[Int.random(in: 0..<patterns.count, using: &random)]
      restrictions.restrictIndices = [chosen.0]
      model.indices.append(chosen.1)
    }
    return try SecuredAPIKey.generate(parentKey: key.value, restrictions: restrictions)
  }

  private static func check(
    _ fixture: ServiceFixture, _ key: String, _ model: Model, using random: inout SeededGenerator
  ) async throws {
    let index = indices.randomElement(using: &random) ?? "shop"
    let other = indices.randomElement(using: &random) ?? "shop"
    let condition = Condition.random(using: &random)
    let hits = Bool.random(using: &random) ? Int.random(in: 1...20, using: &random) : nil
    var query: [String: JSON] = [:]
    if let condition {
      if Bool.random(using: &random) {
        query["filters"] = .string(condition.text)
      } else {
        query["params"] = .string(
          SearchQuery().with { $0.filters = condition.text }.urlEncoded)
      }
    }
    if let hits { query["hitsPerPage"] = .int(Int64(hits)) }
    // With filters, a key searches, and does nothing else.
    let restricts = !model.conditions.isEmpty
    let expected = Record.all.filter { model.isVisible($0) && condition?.matches($0) ?? true }
      .prefix(min(hits ?? 20, model.maximumHits)).map { "\($0.id)" }
    func ids(_ result: JSON?) -> [String] {
      result?["hits"]?.arrayValue?.compactMap { $0["objectID"]?.stringValue } ?? []
    }
    let canUse = model.isAllowed(index)
    let explains = Int.random(in: 0..<3, using: &random) == 0
    // An explanation tells settings, and words of records that the key may not see.
    let canExplain = !explains || !restricts && model.rights.contains("settings")
    if explains {
      if let params = query["params"]?.stringValue, Bool.random(using: &random) {
        query["params"] = .string(params + "&explain=%5B%22match.alternatives%22%5D")
      } else {
        query["explain"] = ["match.alternatives"]
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/query", .object(query), key: key)
      let isAllowed = canUse && model.rights.contains("search") && canExplain
      expectEqual(answer.status, isAllowed ? 200 : 403)
      expectEqual(ids(answer.body), isAllowed ? expected : [])
      expectEqual(answer.body["explain"] != nil, isAllowed && explains)
    case 1:
      var second = query
      query["indexName"] = .string(index)
      second["indexName"] = .string(other)
      let answer = try await fixture.call(
        "POST", "/1/indexes/*/queries", ["requests": [.object(query), .object(second)]], key: key)
      let isAllowed =
        canUse && model.isAllowed(other) && model.rights.contains("search") && canExplain
      expectEqual(answer.status, isAllowed ? 200 : 403)
      for position in 0..<2 {
        expectEqual(ids(answer.body["results"]?[position]), isAllowed ? expected : [])
      }
    case 2:
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/browse", .object(query), key: key)
      let isAllowed = canUse && model.rights.contains("browse")
      expectEqual(answer.status, isAllowed ? 200 : 403)
      expectEqual(Set(ids(answer.body)).count, isAllowed ? expected.count : 0)
      let allowed = Record.all.filter { model.isVisible($0) && condition?.matches($0) ?? true }
      #expect(Set(ids(answer.body)).isSubset(of: allowed.map { "\($0.id)" }))
    case 3:
      let id = Int.random(in: 0..<14, using: &random)
      let answer = try await fixture.call("GET", "/1/indexes/\(index)/\(id)", key: key)
      let isAllowed = canUse && model.rights.contains("search")
      let isThere = id < 12 && model.isVisible(Record(id: id))
      expectEqual(answer.status, isAllowed ? (isThere ? 200 : 404) : 403)
    case 4:
      let names = (0..<14).map {
        ["indexName": .string(index), "objectID": .string("\($0)")] as JSON
      }
      let answer = try await fixture.call(
        "POST", "/1/indexes/*/objects", ["requests": .array(names)], key: key)
      let isAllowed = canUse && model.rights.contains("search")
      expectEqual(answer.status, isAllowed ? 200 : 403)
      let found =
        answer.body["results"]?.arrayValue?.enumerated().filter { !$0.element.isNull }
        .map(\.offset) ?? []
      let visible = Record.all.filter { model.isVisible($0) }.map(\.id)
      expectEqual(found, isAllowed ? visible : [])
    case 5:
      let actions = [
        ("addObject", "addObject"), ("deleteObject", "deleteObject"), ("clear", "deleteIndex"),
      ].filter { _ in Bool.random(using: &random) }
      let requests = actions.map { action, _ in
        action == "clear"
          ? ["action": "clear"] : ["action": .string(action), "body": ["objectID": "new"]] as JSON
      }
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/batch", ["requests": .array(requests)], key: key)
      let needed = actions.isEmpty ? ["addObject"] : actions.map(\.1)
      let isAllowed = canUse && !restricts && needed.allSatisfy(model.rights.contains)
      expectEqual(answer.status, isAllowed ? 200 : 403)
      if !isAllowed { expectEqual(fixture.engine.recordCount(of: index), 12) }
      // The next check needs the records.
      if isAllowed {
        try await fixture.engine.replaceAll(with: Record.all.map(\.encodable), in: index)
      }
    case 6:
      let answer = try await fixture.call("GET", "/1/indexes/\(index)/settings", key: key)
      let isAllowed = canUse && model.conditions.isEmpty && model.rights.contains("settings")
      expectEqual(answer.status, isAllowed ? 200 : 403)
    default:
      let answer = try await fixture.call(
        "POST", "/1/indexes/\(index)/facets/team/query", .object(query), key: key)
      let isAllowed = canUse && model.rights.contains("search")
      // The facet is not searchable.
      expectEqual(answer.status, isAllowed ? 400 : 403)
    }
  }
}
