@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// Random keys, secured keys and callers, each with parameters of many kinds, against a plain model
/// of their intersection.
struct NarrowingModelTests {
  /// A record: its number is its longitude, and its rank.
  struct Record {
    let id: Int
    var team: String { ["red", "blue", "green"][id % 3] }
    var words: [String] { ["film", "\(id)", team] }

    var json: JSON {
      let place: JSON = ["lat": 40, "lng": .int(Int64(id))]
      let nested: JSON = ["b": .string("b\(id)"), "c": .int(Int64(id))]
      let members: [String: JSON] = [
        "objectID": .string("\(id)"), "rank": .int(Int64(id)), "team": .string(team),
        "title": .string(words.joined(separator: " ")), "a": nested, "_geoloc": place,
        "_tags": [.string("t\(id % 2)")], "cost": .int(Int64(id * 10)),
      ]
      return .object(members)
    }

    static let all = (0..<12).map { Record(id: $0) }
    static let leaves: Set<String> = [
      "rank", "team", "title", "a.b", "a.c", "_geoloc.lat", "_geoloc.lng", "_tags", "cost",
    ]
  }

  /// An area on the line of the records.
  enum Area: Equatable {
    case box(Double, Double)
    case polygon(Double, Double)
    /// A center, and a radius in degrees.
    case around(Int, Double)

    var rank: Int {
      switch self {
      case .box: 0
      case .polygon: 1
      case .around: 2
      }
    }

    func contains(_ record: Record) -> Bool {
      let place = Double(record.id)
      return switch self {
      case .box(let west, let east), .polygon(let west, let east): west < place && place < east
      case .around(let center, let radius): abs(place - Double(center)) < radius
      }
    }

    static func random(using random: inout SeededGenerator) -> Area {
      let west = Double(Int.random(in: -1...9, using: &random)) + 0.5
      let east = west + Double(Int.random(in: 1...6, using: &random))
      let center = [2, 5, 8].randomElement(using: &random) ?? 2
      return switch Int.random(in: 0..<3, using: &random) {
      case 0: .box(west, east)
      case 1: .polygon(west, east)
      default: .around(center, Double(Int.random(in: 1...4, using: &random)) + 0.5)
      }
    }
  }

  /// The parameters of a key, a secured key or a caller.
  struct Layer {
    var query = SearchQuery()
    var conditions: [(Record) -> Bool] = []
    var area: Area?
    var text: String?
    var makesWordsOptional = false
    var attributes: [String]?
    var hits: Int?
    var distinct: Int?
  }

  private static func chance(_ percent: Int, using random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private static func layer(using random: inout SeededGenerator) -> Layer {
    var layer = Layer()
    func happens(_ random: inout SeededGenerator) -> Bool { chance(25, using: &random) }
    if happens(&random) {
      layer.query.filters = #"team:"red" OR team:'green'"#
      layer.conditions.append { $0.team != "blue" }
    }
    if happens(&random) {
      layer.query.facetFilters = [["team:red", "team:blue"], "team:-blue"]
      layer.conditions.append { $0.team == "red" }
    }
    if happens(&random) {
      let bound = Int.random(in: 0...9, using: &random)
      layer.query.numericFilters = ["rank > \(bound)"]
      layer.conditions.append { $0.id > bound }
    }
    if happens(&random) {
      layer.query.tagFilters = "t1"
      layer.conditions.append { $0.id % 2 == 1 }
    }
    if happens(&random) { set(Area.random(using: &random), in: &layer, using: &random) }
    if happens(&random) {
      let text = ["red", "film", "film 3", "zzz", ""].randomElement(using: &random) ?? ""
      layer.text = text
      layer.query.query = text
    }
    if chance(8, using: &random) {
      layer.makesWordsOptional = true
      layer.query.optionalWords = "red"
    }
    if happens(&random) {
      let lists: [[String]] = [
        ["*"], ["title", "a"], ["a.b", "team"], ["*", "-a.c"], ["*", "-a", "-cost"], ["rank"],
        ["title", "t\u{E9}am"],
      ]
      layer.attributes = (lists.randomElement(using: &random) ?? [])
      layer.query.attributesToRetrieve = layer.attributes
    }
    if happens(&random) {
      layer.hits = Int.random(in: 1...5, using: &random)
      layer.query.hitsPerPage = layer.hits
    }
    if happens(&random) {
      layer.distinct = Int.random(in: 0...3, using: &random)
      layer.query.distinct = layer.distinct.map(Distinct.count)
    }
    return layer
  }

  private static func set(
    _ area: Area, in layer: inout Layer, using random: inout SeededGenerator
  ) {
    layer.area = area
    switch area {
    case .box(let west, let east):
      let turn = chance(30, using: &random) ? 360.0 : 0
      layer.query.insideBoundingBox = [[39, west + turn, 41, east + turn]]
    case .polygon(let west, let east):
      layer.query.insidePolygon = [[39, west, 41, west, 41, east, 39, east]]
    case .around(let center, let radius):
      layer.query.aroundLatLng = Point(latitude: 40, longitude: Double(center))
      // A degree of longitude at this latitude.
      layer.query.aroundRadius = .meters(Int(radius * 85_180))
    }
  }

  // MARK: The model

  private static func isBelow(_ path: String, _ parent: String) -> Bool {
    path == parent || path.hasPrefix(parent + ".")
  }

  private static func allows(_ list: [String]?, _ path: String) -> Bool {
    guard let list else { return true }
    if list.contains("*") {
      return !list.contains { $0.hasPrefix("-") && isBelow(path, String($0.dropFirst())) }
    }
    return list.contains { isBelow(path, $0) }
  }

  /// Whether one list of names has a part of a name that the other one excludes.
  private static func excludesPart(_ names: [String], _ other: [String]) -> Bool {
    !names.contains("*") && other.contains("*")
      && names.contains { name in
        other.contains {
          $0.hasPrefix("-") && isBelow(String($0.dropFirst()), name + ".")
            || $0.hasPrefix("-\(name).")
        }
      }
  }

  private static func canJoin(_ left: [String]?, _ right: [String]?) -> Bool {
    guard let left, let right else { return true }
    return left == right || !excludesPart(left, right) && !excludesPart(right, left)
  }

  private static func least(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  /// The number of a group; 0 shows all.
  private static func leastGroup(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return left ?? right }
    return left == 0 ? right : right == 0 ? left : min(left, right)
  }

  /// Returns a key's parameters with those of its secured key; `nil` if they cannot be joined.
  private static func joined(_ parent: Layer, _ child: Layer) -> Layer? {
    var result = parent
    result.conditions += child.conditions
    if let text = parent.text {
      if child.makesWordsOptional != parent.makesWordsOptional, child.makesWordsOptional {
        return nil
      }
      // An empty text is sent by every screen, but a secured key means it.
      if let other = child.text, other != text { return nil }
    } else {
      result.text = child.text
    }
    result.makesWordsOptional = parent.makesWordsOptional || child.makesWordsOptional
    if let area = parent.area, let other = child.area {
      switch (area, other) {
      case (.box(let west, let east), .box(let otherWest, let otherEast)):
        guard max(west, otherWest) <= min(east, otherEast) else { return nil }
        result.area = .box(max(west, otherWest), min(east, otherEast))
      case (.around(let center, let radius), .around(let other, let otherRadius))
      where center == other:
        result.area = .around(center, min(radius, otherRadius))
      default: if area != other { return nil }
      }
    } else {
      result.area = parent.area ?? child.area
    }
    guard canJoin(parent.attributes, child.attributes) else { return nil }
    result.hits = least(parent.hits, child.hits)
    result.distinct = leastGroup(parent.distinct, child.distinct)
    return result
  }

  /// What a search answers.
  struct Expected {
    var found: [Record]
    var lists: [[String]?]
    /// Whether the caller's list can be joined with each of the others.
    var isJoined: Bool
    var hits: Int
    var distinct: Int
  }

  /// Returns what a caller gets; `nil` for a refusal.
  private static func answer(_ key: Layer, _ caller: Layer, attributes: [[String]?]) -> Expected? {
    var conditions = key.conditions + caller.conditions
    if key.text != nil, caller.makesWordsOptional, !key.makesWordsOptional { return nil }
    if let area = key.area {
      conditions.append(area.contains)
      if let other = caller.area {
        if other.rank < area.rank { return nil }
        if case .box = other { conditions.append(other.contains) }
        if case .around(let center, _) = area, case .around(_, let radius) = other {
          conditions.append(Area.around(center, radius).contains)
        }
      }
    } else if let area = caller.area {
      conditions.append(area.contains)
    }
    let optional = key.makesWordsOptional || caller.makesWordsOptional
    let words = (key.text ?? caller.text ?? "").split(separator: " ").map(String.init)
    conditions.append { record in
      words.allSatisfy { record.words.contains($0) || optional && $0 == "red" && words.count > 1 }
    }
    return Expected(
      found: Record.all.filter { record in conditions.allSatisfy { $0(record) } },
      lists: attributes + [caller.attributes],
      isJoined: attributes.allSatisfy { canJoin($0, caller.attributes) },
      hits: least(key.hits, caller.hits) ?? 20,
      distinct: leastGroup(key.distinct, caller.distinct) ?? 0)
  }

  // MARK: The test

  @Test(arguments: Seed.all(20_000, quick: 600))
  func answersAreThoseOfTheIntersection(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let parent = Self.layer(using: &random)
    let most = Self.chance(25, using: &random) ? Int.random(in: 1...4, using: &random) : 0
    let key = APIKey(
      "parent-key", acl: [.search, .browse], queryParameters: parent.query.urlEncoded,
      maxHitsPerQuery: most)
    let fixture = try ServiceFixture(keys: [key])
    var settings = IndexSettings(
      searchableAttributes: ["title"], attributesForFaceting: ["searchable(team)", "cost", "a.b"],
      customRanking: ["asc(rank)"])
    settings.attributeForDistinct = "team"
    try await fixture.engine.setSettings(settings, of: "films")
    try await fixture.engine.save(Record.all.map(\.json), in: "films")
    var text = key.value
    var layers: Layer? = parent
    var lists = [parent.attributes]
    if Self.chance(60, using: &random) {
      let child = Self.layer(using: &random)
      layers = Self.joined(parent, child)
      lists.append(child.attributes)
      text = try SecuredAPIKey.generate(
        parentKey: key.value,
        restrictions: SecuredAPIKey.Restrictions(
          searchParameters: child.query, userToken: "user"))
    }
    for _ in 0..<2 {
      let caller = Self.layer(using: &random)
      try await Self.check(
        fixture, text, layers.map { ($0, lists) }, caller, most: most, using: &random)
    }
  }

  private static func check(
    _ fixture: ServiceFixture, _ key: String, _ allowed: (Layer, [[String]?])?, _ caller: Layer,
    most: Int, using random: inout SeededGenerator
  ) async throws {
    var query = caller.query
    query.facets = ["*"]
    query.attributesToHighlight = ["*"]
    let body =
      chance(50, using: &random)
      ? try JSON(encoding: query) : ["params": .string(query.urlEncoded)] as JSON
    let answer: (status: Int, body: JSON)
    if chance(50, using: &random) {
      answer = try await fixture.call("POST", "/1/indexes/films/query", body, key: key)
    } else {
      var members = body.objectValue ?? [:]
      members["indexName"] = "films"
      let all = try await fixture.call(
        "POST", "/1/indexes/*/queries", ["requests": [.object(members)]], key: key)
      answer = (all.status, all.body["results"]?[0] ?? [:])
    }
    guard let (layer, lists) = allowed else { return expectEqual(answer.status, 403) }
    guard let expected = Self.answer(layer, caller, attributes: lists) else {
      return expectEqual(answer.status, 400)
    }
    expectEqual(answer.status, 200)
    let hits = answer.body["hits"]?.arrayValue ?? []
    let ids = hits.compactMap { $0["objectID"]?.stringValue }.compactMap { Int($0) }
    let found = Set(expected.found.map(\.id))
    #expect(Set(ids).isSubset(of: found), "\(ids) of \(found)")
    let (groups, perGroup) = Self.sizes(expected, most: most)
    if expected.distinct == 0 {
      expectEqual(ids.count, min(found.count, groups))
    } else {
      let sizes = Dictionary(grouping: expected.found, by: \.team).values.map(\.count)
      let wanted = sizes.map { min($0, perGroup) }
      if wanted.count <= groups {
        expectEqual(ids.count, wanted.reduce(0, +))
      } else {
        #expect((groups...groups * perGroup).contains(ids.count))
      }
    }
    if most > 0 { #expect(ids.count <= most) }
    let leaves = Record.leaves.filter { path in expected.lists.allSatisfy { allows($0, path) } }
    // A caller's own list is about records only.
    let shown = Record.leaves.filter { path in lists.allSatisfy { allows($0, path) } }
    for hit in hits {
      let own = Self.leaves(of: hit)
      #expect(expected.isJoined ? own == leaves : own.isSuperset(of: leaves), "\(own)")
      #expect(own.isSubset(of: shown), "\(own) of \(shown)")
      let highlights = Self.paths(hit["_highlightResult"] ?? [:], until: "value")
      #expect(highlights.isSubset(of: shown), "\(highlights)")
    }
    let facets = Set((answer.body["facets"]?.objectValue ?? [:]).keys)
    #expect(facets.isSubset(of: shown), "\(facets) of \(shown)")
  }

  /// The number of groups and of hits in each, or of hits without groups.
  private static func sizes(_ expected: Expected, most: Int) -> (groups: Int, perGroup: Int) {
    guard most > 0 else { return (expected.hits, expected.distinct) }
    let perGroup = min(max(expected.distinct, 1), most)
    return (min(expected.hits, most / perGroup), perGroup)
  }

  private static func leaves(of hit: JSON) -> Set<String> {
    var members = hit.objectValue ?? [:]
    for name in ["objectID", "_highlightResult", "_distinctSeqID"] { members[name] = nil }
    return paths(.object(members), until: nil)
  }

  /// The paths of the values of an object; with a name, of the objects that have such a member.
  private static func paths(_ json: JSON, until name: String?) -> Set<String> {
    var result: Set<String> = []
    func walk(_ json: JSON, _ path: String) {
      guard case .object(let members) = json, name.map({ members[$0] == nil }) ?? true else {
        result.insert(path)
        return
      }
      for (key, value) in members { walk(value, path.isEmpty ? key : "\(path).\(key)") }
    }
    walk(json, "")
    result.remove("")
    return result
  }
}
