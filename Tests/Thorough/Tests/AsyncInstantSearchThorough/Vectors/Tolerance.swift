@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Testing

/// How an exemption can make two sides equal that differ.
struct Tolerance {
  let exemption: Exemption
  /// Changes our side and the recorded one.
  let change: (inout JSON, inout JSON) -> Void

  init(_ exemption: Exemption, _ change: @escaping (inout JSON, inout JSON) -> Void) {
    self.exemption = exemption
    self.change = change
  }

  /// Changes both sides in the same way.
  static func both(
    _ exemption: Exemption, _ change: @escaping (inout JSON) -> Void
  ) -> Tolerance {
    Tolerance(exemption) { ours, recorded in
      change(&ours)
      change(&recorded)
    }
  }

  /// Changes the recorded side.
  static func recorded(
    _ exemption: Exemption, _ change: @escaping (inout JSON) -> Void
  ) -> Tolerance {
    Tolerance(exemption) { change(&$1) }
  }

  /// Changes our side.
  static func ours(_ exemption: Exemption, _ change: @escaping (inout JSON) -> Void) -> Tolerance {
    Tolerance(exemption) { ours, _ in change(&ours) }
  }
}

/// Returns the first difference that no tolerance removes; `nil` if there is none. The tolerances
/// without which there would be one are counted.
func difference(_ ours: JSON?, _ recorded: JSON?, _ tolerances: [Tolerance]) -> String? {
  guard let strict = firstDifference(ours, recorded) else { return nil }
  guard let ours, let recorded else { return strict }
  func difference(_ tolerances: [Tolerance]) -> String? {
    var (ours, recorded) = (ours, recorded)
    for tolerance in tolerances { tolerance.change(&ours, &recorded) }
    return firstDifference(ours, recorded)
  }
  if let difference = difference(tolerances) { return difference }
  var needed = tolerances
  for position in tolerances.indices.reversed() {
    var fewer = needed
    fewer.remove(at: position)
    if difference(fewer) == nil { needed = fewer }
  }
  for tolerance in needed { VectorReport.current.excuse(tolerance.exemption) }
  return nil
}

/// Returns a readable description of the first difference of two trees; `nil` if they are equal.
func firstDifference(_ ours: JSON?, _ recorded: JSON?, at path: String = "") -> String? {
  switch (ours, recorded) {
  case (.object(let ours)?, .object(let recorded)?):
    for key in Set(ours.keys).union(recorded.keys).sorted() {
      if let difference = firstDifference(ours[key], recorded[key], at: "\(path).\(key)") {
        return difference
      }
    }
    return nil
  case (.array(let ours)?, .array(let recorded)?):
    for index in 0..<max(ours.count, recorded.count) {
      let difference = firstDifference(
        ours.indices.contains(index) ? ours[index] : nil,
        recorded.indices.contains(index) ? recorded[index] : nil, at: "\(path)[\(index)]")
      if let difference { return difference }
    }
    return nil
  default:
    if ours == recorded { return nil }
    if let ours = ours?.doubleValue, let recorded = recorded?.doubleValue, ours == recorded {
      return nil
    }
    func text(_ json: JSON?) -> String { json.map(String.init(describing:)) ?? "nothing" }
    return
      "at \(path.isEmpty ? "the top" : path): ours is \(text(ours)), recorded is \(text(recorded))"
  }
}

/// Fails with the first difference of a case of a function.
func expectRecorded(
  _ ours: JSON?, _ recorded: JSON?, _ vector: JSON, _ name: String = "",
  _ tolerances: [Tolerance] = [], sourceLocation: SourceLocation = #_sourceLocation
) {
  if let difference = difference(ours, recorded, tolerances) {
    Issue.record(
      "\(vector["id"]?.stringValue ?? "") \(name) \(difference)", sourceLocation: sourceLocation)
  }
}

// MARK: - Parts of a tree

extension JSON {
  var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }

  /// Changes the parts at a path, in which `*` means all elements or members.
  mutating func change(_ path: ArraySlice<String>, _ body: (inout JSON) -> Void) {
    guard let name = path.first else { return body(&self) }
    switch self {
    case .array(var elements) where name == "*":
      for index in elements.indices { elements[index].change(path.dropFirst(), body) }
      self = .array(elements)
    case .object(var members):
      for key in name == "*" ? Array(members.keys) : [name] {
        members[key]?.change(path.dropFirst(), body)
      }
      self = .object(members)
    default: break
    }
  }

  /// Removes members of the parts at a path.
  mutating func remove(_ names: Set<String>, at path: String...) {
    change(path[...]) { $0 = $0.leavingOut(names) }
  }

  /// Keeps the elements of an array that fulfil a condition.
  mutating func filter(_ isKept: (JSON) -> Bool) {
    if case .array(let elements) = self { self = .array(elements.filter(isKept)) }
  }

  /// Sorts the elements of an array by their texts.
  mutating func sort() {
    if case .array(let elements) = self {
      self = .array(elements.sorted { "\($0)" < "\($1)" })
    }
  }

  /// The object without some of its members.
  func leavingOut(_ names: Set<String>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }

  /// The tree without empty lists and objects in it.
  var withoutEmptyParts: JSON {
    switch self {
    case .object(let members):
      .object(members.mapValues(\.withoutEmptyParts).filter { !$0.value.isEmptyPart })
    case .array(let elements):
      .array(elements.map(\.withoutEmptyParts).filter { !$0.isEmptyPart })
    default: self
    }
  }

  private var isEmptyPart: Bool { arrayValue?.isEmpty ?? objectValue?.isEmpty ?? false }

  /// The tree with all its leaves as text.
  var withTexts: JSON {
    switch self {
    case .object(let members): .object(members.mapValues(\.withTexts))
    case .array(let elements): .array(elements.map(\.withTexts))
    case .string, .null: self
    case .bool(let value): .string("\(value)")
    default: .string(doubleValue?.plainNumber ?? "\(self)")
    }
  }
}
