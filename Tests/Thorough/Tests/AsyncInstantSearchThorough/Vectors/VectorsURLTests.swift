@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import InstantSearchJSON
import TestSupport
import Testing

extension VectorsOfInstantSearchTests {
  /// The recorded cases of states and URLs.
  @Suite struct VectorsURLTests {
    @Test func statesAreWrittenAndRead() throws {
      for recorded in try Self.cases(kind: "round") {
        try recorded.expectWriting()
        try recorded.expectReading()
      }
    }

    @Test func queriesAreParsed() throws {
      for recorded in try Self.cases(kind: "parse") { try recorded.expectParsing() }
    }

    /// Also the states after a quirk are written.
    @Test func statesOfSessionsAreWritten() throws {
      let files = try VectorFiles.files(prefix: "sessions-") + VectorFiles.files(prefix: "quirks")
      for session in try files.flatMap({ try VectorFiles.list("sessions", of: $0) }) {
        for (number, step) in (session["steps"]?.arrayValue ?? []).enumerated() {
          guard let json = step["uiState"], let url = step["url"]?.stringValue else { continue }
          VectorReport.current.compare("URLs of recorded states")
          let id: JSON = ["id": .string("seed \(session["seed"] ?? "") step \(number)")]
          let state = try JSONValueDecoder().decode(UIState.self, from: json.bytes())
          expectRecorded(
            RouteValue.parsing(state.query()).json, RouteValue.parsing(url).json, id, "URL",
            Tolerance.states())
          expectEqual(UIState.read(query: url).state, state.withoutConfigure, "\(id)")
        }
      }
    }

    private static func cases(kind: String) throws -> [RecordedURL] {
      try VectorFiles.functions("url", as: "URLs (\(kind))") { $0["kind"]?.stringValue == kind }
        .map(RecordedURL.init)
    }
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
  private let query: String
  private let mapping: UIState.Mapping
  private let index = "products"

  init(_ json: JSON) throws {
    guard let query = json["query"]?.stringValue else {
      throw VectorFiles.Unreadable(description: "a case of kind url has no query")
    }
    self.json = json
    self.query = query
    mapping = json["mapping"] == "simple" ? .simple : .singleIndex(index)
  }

  private func expect(
    _ ours: JSON?, _ recorded: JSON?, _ name: String, _ tolerances: [Tolerance] = []
  ) {
    expectRecorded(
      ours, recorded, json, name,
      tolerances + [.both(.emptyParts) { $0 = $0.withoutEmptyParts }])
  }

  private var uiState: UIState {
    get throws {
      try JSONValueDecoder().decode(UIState.self, from: (json["uiState"] ?? .null).bytes())
    }
  }

  /// What is written for the state.
  func expectWriting() throws {
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
    expect(route.json, json["route"]?.withTexts, "route")
    func parts(_ query: String) -> JSON {
      .array(query.split(separator: "&").map { .string(String($0)) })
    }
    expect(
      parts(state.query(mapping: mapping)), parts(query), "query",
      [.both(.keyOrder) { $0.sort() }])
  }

  /// What is read from the query.
  func expectReading() throws {
    let parsed = RouteValue.parsing(query).json
    let back: JSON =
      switch mapping {
      case .simple: parsed
      case .singleIndex(let id): [id: parsed]
      }
    expect(back, json["back"], "back")
    expect(.bool(back == json["uiState"]), json["lossless"], "lossless")
    let (state, problems) = UIState.read(query: query, mapping: mapping)
    #expect(problems.isEmpty, "\(json["id"] ?? "")")
    try expectEqual(state, uiState.withoutConfigure, "\(json["id"] ?? "")")
  }

  /// The parsed tree, and the state that is read from it.
  func expectParsing() throws {
    let parts = query.split(separator: "&", omittingEmptySubsequences: false)
    let known = parts.filter { !Self.hasInheritedName($0) }
    if known.count < parts.count { VectorReport.current.excuse(.inheritedNames) }
    let query = known.joined(separator: "&")
    expect(RouteValue.parsing(query).json, json["route"]?.withTexts, "route")
    let (state, _) = UIState.read(query: query, mapping: mapping)
    var tree = RouteValue(json: json["uiState"] ?? .null)
    if case .singleIndex(let id) = mapping, case .object(let members) = tree {
      tree = members[id] ?? [:]
    }
    var problems: [UIState.Problem] = []
    let expected = UIState(
      route: tree.unescaped { _, _ in }, mapping: mapping, problems: &problems)
    expect(state.tree.json, expected.tree.json, "state")
    // What was kept is written so that it is read again.
    let (again, _) = UIState.read(query: state.query(mapping: mapping), mapping: mapping)
    expect(again.tree.json, state.tree.json, "read again")
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
    switch json.withTexts {
    case .array(let elements): self = .list(elements.map(RouteValue.init(json:)))
    case .object(let members): self = .object(members.mapValues(RouteValue.init(json:)))
    case .string(let text): self = .text(text)
    default: self = .text("null")
    }
  }

  fileprivate static func object(named members: [(name: String, value: RouteValue)]) -> RouteValue {
    .object(
      Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The tree that a query is, before names are unescaped.
  static func parsing(_ query: String) -> RouteValue {
    var parser = RouteParser(maximumCount: 1_000)
    parser.read(query)
    return .object(parser.finish())
  }

  var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.mapValues(\.json))
    }
  }
}
