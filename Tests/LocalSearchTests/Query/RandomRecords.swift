import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

/// Seeded random records with facets, numbers, tags and points, many of them missing.
struct RandomRecords {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let colors = ["red", "Red", "green", "blue", "12", "a b"]
  static let tags = ["new", "New", "sale"]
  static let settings = IndexSettings {
    $0.attributesForFaceting = ["color", "size", "flag", "parts.kind", "searchable(label)"]
  }

  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  mutating func record(_ number: Int) -> JSON {
    var record: JSON = ["objectID": .string(String(number))]
    if chance(70) { record["color"] = .string(pick(Self.colors)) }
    if chance(20) { record["color"] = .array([.string(pick(Self.colors)), .int(12), "red"]) }
    if chance(60) {
      record["size"] = .array(
        (0..<2).map { _ in .int(Int64.random(in: -3...6, using: &generator)) })
    }
    if chance(30) {
      record["size"] = .double(Double(Int.random(in: -6...6, using: &generator)) / 2)
    }
    if chance(50) { record["flag"] = .bool(chance(50)) }
    if chance(40) {
      record["parts"] = .array(
        (0..<2).map { _ in ["kind": .string(pick(["x", "y"])), "weight": .int(Int64(number % 7))] })
    }
    if chance(50) {
      record["_tags"] = .array([.string(pick(Self.tags)), .string(pick(Self.tags))])
    }
    if chance(80) { record["label"] = .string("label \(number % 40)") }
    record["price"] = .int(Int64.random(in: 0...50, using: &generator))
    return record
  }

  mutating func records(_ count: Int) -> [JSON] { (0..<count).map { record($0) } }

  /// An engine whose records came in several writes, so that there are several segments with
  /// replaced and deleted records; and the remaining records.
  mutating func fixture(
    _ count: Int, settings: IndexSettings = Self.settings
  ) async throws -> (fixture: EngineFixture, records: [JSON]) {
    let fixture = try await EngineFixture(settings: settings)
    var left: [String: JSON] = [:]
    for batch in 0..<5 {
      let some = (0..<count / 4).map { _ in
        record(Int.random(in: 0..<count, using: &generator) / (batch + 1))
      }
      for record in some { left[record["objectID"]?.stringValue ?? ""] = record }
      try await fixture.engine.save(some, in: EngineFixture.index)
    }
    let deleted = left.keys.sorted().filter { _ in chance(10) }
    try await fixture.engine.delete(objectIDs: deleted, from: EngineFixture.index)
    for id in deleted { left[id] = nil }
    return (fixture, left.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension JSON {
  /// All scalar values at a dotted path, through arrays of objects.
  func values(at path: String) -> [JSON] {
    func walk(_ value: JSON, _ steps: ArraySlice<Substring>) -> [JSON] {
      if let elements = value.arrayValue { return elements.flatMap { walk($0, steps) } }
      guard let step = steps.first else {
        return value.objectValue == nil && !value.isNull ? [value] : []
      }
      return value[String(step)].map { walk($0, steps.dropFirst()) } ?? []
    }
    return walk(self, path.split(separator: ".")[...])
  }

  /// The facet value of a scalar.
  var facetText: String {
    switch self {
    case .string(let text): text
    case .double(let number): Int(exactly: number).map { String($0) } ?? String(number)
    default: text
    }
  }

  var id: String { self["objectID"]?.stringValue ?? "" }
}
