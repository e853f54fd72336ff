@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// Random families of keys and random calls that write, read settings, list and browse, against a
/// plain model: which indices a call names, in which form ever, and what it needs there.
///
/// Whatever the model says, no index changes that the key may not use, and no answer names one.
struct WriteRightsModelTests {
  /// The names of an index in its Unicode forms.
  private static let composed = "kaf\u{E9}"
  private static let decomposed = "kafe\u{301}"
  /// The primary, its replica, and two more.
  private static let names = ["shop", "shop_price", "blog", composed]
  /// Patterns, with the names that they match among those above, `new`, and names with spaces,
  /// which are other names.
  private static let patterns: [(text: String, names: Set<String>)] = [
    ("shop", ["shop"]), ("shop*", ["shop", "shop_price"]), ("*og", ["blog"]),
    ("*o*", ["shop", "shop_price", "blog", " blog "]), (decomposed, [composed]),
    ("k*", [composed]), ("*\u{E9}", [composed]), ("new", ["new"]), ("none", []),
    ("*", Set(names).union(["new", " blog ", " new ", " \(composed) "])),
  ]

  /// What a key may do.
  private struct Model {
    var rights: Set<String> = []
    var indices: [Set<String>] = []
    /// Whether it has search parameters, and whether these hide records.
    var restricts = false
    var hides = false

    func allows(_ index: String) -> Bool { indices.allSatisfy { $0.contains(index) } }
  }

  /// A call, and what it needs.
  private struct Call {
    var method: String
    var target: String
    var body: JSON?
    var right: String
    /// The indices that the caller must be allowed to use.
    var indices: Set<String>
    /// The replicas that the change reaches, beside those that receive the records of a primary.
    var replicas: Set<String> = []
    var isWrite = true
    var showsSettings = false
    /// Whether it concerns what all indices have.
    var concernsAll = false
    /// Whether the contract refuses it from everybody.
    var isInvalid = false
  }

  private static let engine = Engine()

  /// The engine that each check begins with.
  private actor Engine {
    private var engine: LocalSearch?

    func clone() async throws -> LocalSearch {
      if let engine { return engine.clone() }
      let new = LocalSearch()
      for name in WriteRightsModelTests.names where name != "shop_price" {
        var settings = TeamRecord.settings
        if name == "shop" { settings.replicas = ["shop_price"] }
        try await new.setSettings(settings, of: name)
        try await new.save(
          (0..<6).map { TeamRecord($0, team: $0 % 2 == 0 ? "red" : "blue", isOpen: true) },
          in: name)
      }
      engine = new
      return new.clone()
    }
  }

  @Test(arguments: Seed.all(5_000, quick: 200))
  func noIndexChangesThatTheKeyDoesNotName(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let (key, limits) = Self.key(using: &random)
    var model = limits
    var text = key.value
    var isNested = false
    if random.chance(50) {
      text = try Self.secured(by: key.value, &model, using: &random)
      if random.chance(10) {
        text = try Self.secured(by: text, &model, using: &random)
        isNested = true
      }
    }
    for _ in 0..<4 {
      let call = Self.call(using: &random)
      let fixture = try ServiceFixture(keys: [key], engine: try await Self.engine.clone())
      try await Self.check(call, fixture, text, isNested ? nil : model)
    }
  }

  // MARK: Keys

  private static func key(using random: inout SeededGenerator) -> (APIKey, Model) {
    var model = Model()
    let rights = [
      "search", "browse", "addObject", "deleteObject", "deleteIndex", "settings", "editSettings",
      "listIndexes",
    ]
    for right in rights where random.chance(80) { model.rights.insert(right) }
    var key = APIKey(
      "parent-key", acl: rights.filter(model.rights.contains).map { Right(rawValue: $0) })
    if random.chance(80) {
      let chosen = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        patterns[Int.random(in: 0..<patterns.count, using: &random)]
      }
      key.indexes = chosen.map(\.text)
      model.indices.append(chosen.reduce(into: []) { $0.formUnion($1.names) })
    }
    if let query = parameters(&model, using: &random) { key.queryParameters = query.urlEncoded }
    return (key, model)
  }

  private static func parameters(
    _ model: inout Model, using random: inout SeededGenerator
  ) -> SearchQuery? {
    guard random.chance(12) else { return nil }
    model.restricts = true
    if random.chance(50) {
      model.hides = true
      return SearchQuery().with { $0.filters = "team:red" }
    }
    return SearchQuery().with { $0.hitsPerPage = 3 }
  }

  private static func secured(
    by parent: String, _ model: inout Model, using random: inout SeededGenerator
  ) throws -> String {
    var restrictions = SecuredAPIKey.Restrictions(userToken: "user")
    if let query = parameters(&model, using: &random) {
      restrictions.searchParameters = query
      restrictions.filters = query.filters
      restrictions.searchParameters.filters = nil
    }
    if random.chance(50) {
      let chosen = patterns[Int.random(in: 0..<patterns.count, using: &random)]
      restrictions.restrictIndices = [chosen.text]
      model.indices.append(chosen.names)
    }
    return try SecuredAPIKey.generate(parentKey: parent, restrictions: restrictions)
  }

  // MARK: Calls

  private static func path(_ name: String, using random: inout SeededGenerator) -> String {
    path(name == composed && random.chance(50) ? decomposed : name)
  }

  private static func path(_ name: String) -> String {
    let bytes = name.utf8.map { byte in
      byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
    return "/1/indexes/" + bytes.joined()
  }

  /// The replicas of an index at the beginning.
  private static func replicas(of name: String) -> Set<String> {
    name == "shop" ? ["shop_price"] : []
  }

  private static func call(using random: inout SeededGenerator) -> Call {
    let index = ["shop", "blog", composed].randomElement(using: &random) ?? "shop"
    let path = path(index, using: &random)
    switch Int.random(in: 0..<13, using: &random) {
    case 11:
      let isRead = random.chance(50)
      let target = "/1/dictionaries/stopwords/" + (isRead ? "search" : "batch")
      return Call(
        method: "POST", target: target, body: isRead ? [:] : ["requests": []],
        right: isRead ? "settings" : "editSettings", indices: [], isWrite: !isRead,
        concernsAll: true)
    case 0, 1, 2: return settings(of: index, path, using: &random)
    case 3: return operation(from: index, path, using: &random)
    case 4, 5: return batch(of: index, path, using: &random)
    case 6: return multiBatch(index, using: &random)
    case 7:
      return Call(
        method: "DELETE", target: path, right: "deleteIndex", indices: [index],
        replicas: replicas(of: index))
    case 8:
      let calls = [
        ("/clear", nil), ("/deleteByQuery", ["params": "filters=team%3Ared"] as JSON),
      ]
      let (suffix, body) = calls[Int.random(in: 0...1, using: &random)]
      return Call(
        method: "POST", target: path + suffix, body: body, right: "deleteIndex",
        indices: [index])
    case 9:
      return Call(
        method: "GET", target: path + "/settings", right: "settings", indices: [index],
        isWrite: false, showsSettings: true)
    case 10:
      return Call(
        method: "GET", target: "/1/indexes", right: "listIndexes", indices: [], isWrite: false,
        showsSettings: true)
    default:
      let forwards = random.chance(50)
      let kind = random.chance(50) ? "synonyms" : "rules"
      return Call(
        method: "POST",
        target: path + "/\(kind)/clear" + (forwards ? "?forwardToReplicas=true" : ""),
        right: "editSettings", indices: [index], replicas: forwards ? replicas(of: index) : [])
    }
  }

  private static func settings(
    of index: String, _ path: String, using random: inout SeededGenerator
  ) -> Call {
    let others = ["blog", composed, "new"].filter { $0 != index }
    let other = others.randomElement(using: &random) ?? "new"
    let form = other == composed && random.chance(50) ? decomposed : other
    let isSpaced = random.chance(30)
    let spelled = isSpaced ? "virtual( \(form) )" : random.chance(50) ? form : "virtual(\(form))"
    let list: JSON = .array([.string(spelled)])
    let name = random.chance(50) ? "replicas" : "slaves"
    let forwards = random.chance(20)
    var call = Call(
      method: "PUT", target: path + "/settings" + (forwards ? "?forwardToReplicas=true" : ""),
      right: "editSettings", indices: [index], replicas: forwards ? replicas(of: index) : [])
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      call.body = .object([name: list])
      call.indices.insert(isSpaced ? " \(other) " : other)
      call.replicas = replicas(of: index)
    case 2:
      call.body = .object([name: []])
      call.replicas = replicas(of: index)
    case 3: call.body = ["attributesToIndex": ["team"]]
    case 4: call.body = ["numericAttributesToIndex": ["rank"], "customRanking": ["desc(rank)"]]
    default:
      call.body = ["notASetting": 1]
      call.isInvalid = true
    }
    return call
  }

  private static func operation(
    from index: String, _ path: String, using random: inout SeededGenerator
  ) -> Call {
    let others = ["shop", "blog", composed, "new"].filter { $0 != index }
    let other = others.randomElement(using: &random) ?? "new"
    var body: [String: JSON] = [
      "operation": random.chance(50) ? "move" : "copy",
      "destination": .string(other == composed && random.chance(50) ? decomposed : other),
    ]
    if body["operation"] == "copy", random.chance(50) { body["scope"] = ["settings"] }
    // An index with replicas is not moved, and nothing is copied to it.
    let isMove = body["operation"] == "move"
    return Call(
      method: "POST", target: path + "/operation", body: .object(body), right: "addObject",
      indices: [index, other],
      isInvalid: isMove ? index == "shop" : other == "shop")
  }

  private static let actions: [(name: String, right: String)] = [
    ("addObject", "addObject"), ("updateObject", "addObject"),
    ("partialUpdateObject", "addObject"), ("deleteObject", "deleteObject"),
    ("clear", "deleteIndex"), ("delete", "deleteIndex"),
  ]

  private static func action(using random: inout SeededGenerator) -> (JSON, String) {
    let (name, right) = actions[Int.random(in: 0..<actions.count, using: &random)]
    let id: JSON = random.chance(50) ? "1" : "i\u{301}d"
    let body: JSON = ["objectID": id, "team": "green"]
    return (
      ["clear", "delete"].contains(name)
        ? ["action": .string(name)] : ["action": .string(name), "body": body], right
    )
  }

  private static func batch(
    of index: String, _ path: String, using random: inout SeededGenerator
  ) -> Call {
    let (request, right) = action(using: &random)
    return Call(
      method: "POST", target: path + "/batch", body: ["requests": [request]], right: right,
      indices: [index],
      replicas: request["action"] == "delete" ? replicas(of: index) : [])
  }

  private static func multiBatch(_ index: String, using random: inout SeededGenerator) -> Call {
    let second = ["shop", "blog", composed, "new"].randomElement(using: &random) ?? "new"
    let (request, right) = action(using: &random)
    let requests = [index, second].map { name in
      var members = request.objectValue ?? [:]
      members["indexName"] = .string(name == composed && random.chance(50) ? decomposed : name)
      return JSON.object(members)
    }
    return Call(
      method: "POST", target: "/1/indexes/*/batch", body: ["requests": .array(requests)],
      right: right, indices: [index, second],
      replicas: request["action"] == "delete"
        ? replicas(of: index).union(replicas(of: second)) : [])
  }

  // MARK: The check

  /// The settings and the records of each index, as texts.
  private static func contents(of fixture: ServiceFixture) async throws -> [String: [String]] {
    var contents: [String: [String]] = [:]
    let list = try await fixture.call("GET", "/1/indexes").body["items"]?.arrayValue ?? []
    for name in list.compactMap({ $0["name"]?.stringValue }) {
      let path = path(name)
      let settings = try await fixture.call("GET", path + "/settings").body
      let records = try await fixture.call("POST", path + "/browse", [:]).body["hits"] ?? []
      contents[name] = [settings.text, records.text]
    }
    return contents
  }

  private static func check(
    _ call: Call, _ fixture: ServiceFixture, _ key: String, _ model: Model?
  ) async throws {
    let before = try await contents(of: fixture)
    let answer = try await fixture.call(call.method, call.target, call.body, key: key)
    let after = try await contents(of: fixture)
    let comment = "\(call.method) \(call.target) \(call.body?.text ?? "")"
    let isDone = (200..<300).contains(answer.status)
    if !isDone { expectEqual(after, before, "\(comment)") }
    guard let model else { return expectEqual(answer.status, 403, "\(comment)") }
    let isForbidden = call.isWrite ? model.restricts : model.hides
    let isAllowed =
      model.rights.contains(call.right) && !isForbidden && call.indices.allSatisfy(model.allows)
      && (model.indices.isEmpty
        || !call.concernsAll && call.replicas.allSatisfy(model.allows))
    expectEqual(
      answer.status / 100, isAllowed ? (call.isInvalid ? 4 : 2) : 4,
      "\(comment): \(answer.status) \(answer.body.text)")
    if !isAllowed, !call.isInvalid { expectEqual(answer.status, 403, "\(comment)") }
    for name in Set(before.keys).union(after.keys) where !model.allows(name) {
      // A replica has the records of its primary.
      let isFed = name == "shop_price" && call.indices.contains("shop")
      expectEqual(after[name]?.first, before[name]?.first, "\(comment): \(name)")
      if !isFed { expectEqual(after[name], before[name], "\(comment): \(name)") }
    }
    if isDone, call.showsSettings {
      for name in names where !model.allows(name) {
        #expect(!answer.body.text.contains("\"\(name)\""), "\(comment): \(answer.body.text)")
      }
    }
  }
}

extension SeededGenerator {
  /// Returns `true` in some of 100 cases.
  fileprivate mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }
}
