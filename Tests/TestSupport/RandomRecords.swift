package import AsyncInstantSearchTesting
package import InstantSearchAPI

/// Seeded random records with facets, numbers, tags and points, many of them missing.
package struct RandomRecords {
  package var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package static let colors = ["red", "Red", "green", "blue", "12", "a b"]
  package static let tags = ["new", "New", "sale"]
  package static let settings = IndexSettings {
    $0.attributesForFaceting = ["color", "size", "flag", "parts.kind", "searchable(label)"]
  }

  package mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  package mutating func record(_ number: Int) -> JSON {
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

  package mutating func records(_ count: Int) -> [JSON] { (0..<count).map { record($0) } }
}

extension JSON {
  /// All scalar values at a dotted path, through arrays of objects.
  package func values(at path: String) -> [JSON] {
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
  package var facetText: String {
    switch self {
    case .string(let text): text
    case .double(let number): Int(exactly: number).map { String($0) } ?? String(number)
    default: text
    }
  }

  package var id: String { self["objectID"]?.stringValue ?? "" }
}
