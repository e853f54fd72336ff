import AsyncInstantSearch
import InstantSearchJSON
import Testing

/// The recorded cases of states and URLs.
@Suite struct VectorsURLTests {
  @Test func statesAreWrittenAndRead() throws {
    var differences: [String] = []
    for recorded in try Self.cases(kind: "round") {
      let difference = try recorded.writing() ?? recorded.reading()
      if let difference { differences.append("\(recorded.id): \(difference)") }
    }
    let first = differences.first ?? ""
    #expect(differences.isEmpty, "\(differences.count) cases differ, first \(first)")
  }

  @Test func queriesAreParsed() throws {
    var differences: [String] = []
    for recorded in try Self.cases(kind: "parse") {
      if let difference = try recorded.parsing() {
        differences.append("\(recorded.id): \(difference)")
      }
    }
    let first = differences.first ?? ""
    #expect(differences.isEmpty, "\(differences.count) cases differ, first \(first)")
  }

  @Test func statesOfSessionsAreWritten() throws {
    var differences: [String] = []
    var count = 0
    let files = try VectorFiles.files(prefix: "sessions-") + VectorFiles.files(prefix: "quirks")
    for session in try files.flatMap({ try VectorFiles.list("sessions", of: $0) }) {
      for (number, step) in (session["steps"]?.arrayValue ?? []).enumerated() {
        guard let json = step["uiState"], let url = step["url"]?.stringValue else { continue }
        count += 1
        let state = try JSONValueDecoder().decode(UIState.self, from: json.bytes())
        let expected = RouteValue.parsing(url)
        let difference =
          expected.difference(from: .parsing(state.query()))
          ?? (UIState.read(query: url).state == state.withoutConfigure
            ? nil : "\(url) is read as another state")
        if let difference {
          differences.append("seed \(session["seed"]?.intValue ?? 0) step \(number): \(difference)")
        }
      }
    }
    let first = differences.first ?? ""
    #expect(differences.isEmpty, "\(differences.count) steps differ, first \(first)")
    #expect(count > 900)
  }

  private static func cases(kind: String) throws -> [RecordedURL] {
    try VectorFiles.functions("url").filter { $0["kind"]?.stringValue == kind }
      .map(RecordedURL.init)
  }
}

/// A recorded case.
private struct RecordedURL {
  /// The names that a JavaScript object has by itself; parameters with them are not in the cases.
  private static let inherited: Set<String> = [
    "constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__",
    "__lookupSetter__", "isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf",
    "__proto__", "toLocaleString",
  ]

  private let json: JSON
  let id: String
  private let query: String
  private let mapping: UIState.Mapping
  private let index = "products"

  init(_ json: JSON) throws {
    guard let id = json["id"]?.stringValue, let query = json["query"]?.stringValue else {
      throw VectorFiles.Unreadable(description: "a case of kind url has no id or no query")
    }
    self.json = json
    self.id = id
    self.query = query
    mapping = json["mapping"] == "simple" ? .simple : .singleIndex(index)
  }

  private func recorded(_ member: String) -> RouteValue { RouteValue(json: json[member] ?? .null) }

  private var uiState: UIState {
    get throws {
      try JSONValueDecoder().decode(UIState.self, from: (json["uiState"] ?? .null).bytes())
    }
  }

  /// The first difference of what is written for the state.
  func writing() throws -> String? {
    let state = try uiState
    let route: RouteValue =
      switch mapping {
      case .simple:
        .object(
          Dictionary(
            state.indexIDs.map { ($0, RouteValue.object(named: state[$0].route)) },
            uniquingKeysWith: { first, _ in first }))
      case .singleIndex(let id): .object(named: state[id].route)
      }
    if let difference = recorded("route").difference(from: route) { return "route\(difference)" }
    let expected = query.split(separator: "&").sorted().joined(separator: "&")
    let found = state.query(mapping: mapping).split(separator: "&").sorted().joined(separator: "&")
    return expected == found ? nil : "query expected \(expected)\nfound \(found)"
  }

  /// The first difference of what is read from the query.
  func reading() throws -> String? {
    let parsed = RouteValue.parsing(query)
    let back: RouteValue =
      switch mapping {
      case .simple: parsed
      case .singleIndex(let id): .object([id: parsed])
      }
    if let difference = recorded("back").difference(from: back) { return "back\(difference)" }
    let isLossless = back.json == json["uiState"]
    if isLossless != json["lossless"]?.boolValue { return "lossless found \(isLossless)" }
    let (state, problems) = UIState.read(query: query, mapping: mapping)
    if let problem = problems.first { return "problem \(problem)" }
    return state == (try uiState.withoutConfigure) ? nil : "state found \(state.query())"
  }

  /// The first difference of the parsed tree, and of the state that is read from it.
  func parsing() throws -> String? {
    let parts = query.split(separator: "&", omittingEmptySubsequences: false)
    let query = parts.filter { !Self.hasInheritedName($0) }.joined(separator: "&")
    let parsed = RouteValue.parsing(query)
    if let difference = recorded("route").difference(from: parsed) { return "route\(difference)" }
    let (state, _) = UIState.read(query: query, mapping: mapping)
    var tree = recorded("uiState")
    if case .singleIndex(let id) = mapping, case .object(let members) = tree {
      tree = members[id] ?? [:]
    }
    var problems: [UIState.Problem] = []
    let expected = UIState(
      route: tree.unescaped { _, _ in }, mapping: mapping, problems: &problems)
    if let difference = expected.tree.difference(from: state.tree) { return "state\(difference)" }
    // What was kept is written so that it is read again.
    let (again, _) = UIState.read(query: state.query(mapping: mapping), mapping: mapping)
    return state.tree.difference(from: again.tree).map { "read again\($0)\n\(query)" }
  }

  private static func hasInheritedName(_ part: Substring) -> Bool {
    let end = part.firstRange(of: "]=")?.lowerBound ?? part.firstIndex(of: "=") ?? part.endIndex
    let key = PercentEncoding.decode(part[..<end]) ?? String(part[..<end])
    return RouteKey(key + (end < part.endIndex && part[end] == "]" ? "]" : "")).names.contains {
      if case .member(let name) = $0 { inherited.contains(name) } else { false }
    }
  }
}

extension JSON {
  fileprivate func bytes() throws -> [UInt8] { try JSONValueEncoder().encode(self) }
}

extension UIState {
  fileprivate var withoutConfigure: UIState {
    var state = self
    for id in indexIDs { state[id].configure = SearchQuery() }
    return state
  }

  fileprivate var tree: RouteValue {
    let indices = indexIDs.map { ($0, RouteValue.object(named: self[$0].route)) }
    return .object(Dictionary(indices, uniquingKeysWith: { first, _ in first }))
  }
}

extension RouteValue {
  /// The tree of JSON in which numbers and Booleans are text.
  fileprivate init(json: JSON) {
    switch json {
    case .null: self = .text("null")
    case .bool(let value): self = .text(String(value))
    case .int(let value): self = .text(String(value))
    case .string(let value): self = .text(value)
    case .array(let elements): self = .list(elements.map(RouteValue.init(json:)))
    case .object(let members): self = .object(members.mapValues(RouteValue.init(json:)))
    case .uint, .double, .number: self = .text(json.doubleValue?.plainNumber ?? "")
    }
  }

  fileprivate static func object(named members: [(name: String, value: RouteValue)]) -> RouteValue {
    .object(
      Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The tree that a query is, before names are unescaped.
  fileprivate static func parsing(_ query: String) -> RouteValue {
    var parser = RouteParser(maximumCount: 1_000)
    parser.read(query)
    return .object(parser.finish())
  }

  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.mapValues(\.json))
    }
  }

  /// The first difference of another value, with the names that lead to it; `nil` if they are
  /// equal. Empty lists and objects do not count.
  fileprivate func difference(from found: RouteValue) -> String? {
    Self.difference(withoutEmptyParts ?? [:], found.withoutEmptyParts ?? [:])
  }

  private static func difference(_ expected: RouteValue, _ found: RouteValue) -> String? {
    switch (expected, found) {
    case (.list(let left), .list(let right)):
      for (index, (left, right)) in zip(left, right).enumerated() {
        if let difference = difference(left, right) { return "[\(index)]\(difference)" }
      }
      if left.count == right.count { return nil }
    case (.object(let left), .object(let right)):
      for name in Set(left.keys).union(right.keys).sorted() {
        guard let expected = left[name] else {
          return "[\(name)]: expected nothing, found \(right)"
        }
        guard let found = right[name] else { return "[\(name)]: found nothing, expected \(left)" }
        if let difference = difference(expected, found) { return "[\(name)]\(difference)" }
      }
      return nil
    default:
      if expected == found { return nil }
    }
    return ": expected \(expected.json), found \(found.json)"
  }
}
