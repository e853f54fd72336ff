extension UIState: Codable {
  /// Reads the web library's JSON: an object of the states by index ID.
  public init(from decoder: any Decoder) throws {
    self.init()
    for (id, state) in try decoder.singleValueContainer().decode([String: IndexUIState].self) {
      self[id] = state
    }
  }

  /// Writes the web library's JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let states = indexIDs.map { ($0, self[$0]) }
    try container.encode(Dictionary(states, uniquingKeysWith: { first, _ in first }))
  }
}

extension IndexUIState: Codable {
  /// Reads the web library's JSON object. Numbers and Booleans can be text, as in a URL.
  ///
  /// - Throws: `DecodingError` for a value that its key does not expect, and for a value of an
  ///   unknown key that is nested deeper than a URL can hold.
  public init(from decoder: any Decoder) throws {
    var members = try decoder.singleValueContainer().decode([String: JSON].self)
    members.removeValue(forKey: Key.configure.rawValue)
    var route: [String: RouteValue] = [:]
    for (name, member) in members {
      guard !member.isNull else { continue }
      guard let value = RouteValue(member, depth: RouteParser.maximumDepth - 1) else {
        throw Self.error(
          UIState.Problem(path: [name], text: "", expected: "a value that is not nested so deep"),
          at: decoder)
      }
      route[name] = value
    }
    var problems: [UIState.Problem] = []
    self.init(
      route: RouteValue.object(route).members ?? [], path: [], problems: &problems)
    if let problem = problems.first { throw Self.error(problem, at: decoder) }
    configure = try Parameters(from: decoder).configure ?? SearchQuery()
  }

  /// The member that is not read as a part of a URL.
  private struct Parameters: Decodable {
    var configure: SearchQuery?
  }

  private static func error(_ problem: UIState.Problem, at decoder: any Decoder) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: problem.description))
  }

  /// Writes the web library's JSON object, with the values that are set.
  public func encode(to encoder: any Encoder) throws {
    var members: [String: JSON] = [:]
    for (name, value) in route { members[name] = JSON(value) }
    func set(_ key: Key, _ value: JSON?) {
      if members[key.rawValue] != nil { members[key.rawValue] = value }
    }
    set(.page, .int(Int64(page)))
    set(.hitsPerPage, hitsPerPage.map { .int(Int64($0)) })
    set(.relevantSort, relevantSort.map { .int(Int64($0)) })
    set(.ratingMenu, .object(ratingMenu.mapValues(JSON.init(shortest:))))
    set(.toggle, .object(toggle.mapValues(JSON.bool)))
    set(.comparison, .object(comparison.mapValues(JSON.init(shortest:))))
    set(.showMore, .object(showMore.mapValues(JSON.bool)))
    var written = members.mapValues(Member.json)
    if !configure.isEmpty { written[Key.configure.rawValue] = .parameters(configure) }
    var container = encoder.singleValueContainer()
    try container.encode(written)
  }

  /// A member of the object. The keys are dictionary keys, which no key strategy changes.
  private enum Member: Encodable {
    case json(JSON)
    case parameters(SearchQuery)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .json(let json): try json.encode(to: encoder)
      case .parameters(let query): try query.encode(to: encoder)
      }
    }
  }
}

extension RouteValue {
  /// Creates the text, the list or the object of a JSON value, without `null` values.
  ///
  /// `nil` for a value that is nested deeper.
  fileprivate init?(_ json: JSON, depth: Int) {
    switch json {
    case .null: self = .list([])
    case .bool(let value): self = .text(String(value))
    case .int(let value): self = .text(String(value))
    case .uint(let value): self = .text(String(value))
    case .double(let value): self = .text(value.plainNumber)
    case .number(let text), .string(let text): self = .text(text)
    case .array(let elements):
      guard depth > 0,
        let values = JSON.array(elements).values({ RouteValue($0, depth: depth - 1) })
      else { return nil }
      self = .list(values)
    case .object(let members):
      let present = JSON.object(members.filter { !$0.value.isNull })
      guard depth > 0,
        let values = present.memberValues({ RouteValue($0, depth: depth - 1) })
      else { return nil }
      self = .object(values)
    }
  }
}

extension JSON {
  /// Creates the same value in JSON.
  fileprivate init(_ route: RouteValue) {
    switch route {
    case .text(let text): self = .string(text)
    case .list(let elements): self = .array(elements.map(JSON.init))
    case .object(let members): self = .object(members.mapValues(JSON.init))
    }
  }

  /// Creates an integer if the number is an integer.
  fileprivate init(shortest number: Double) {
    self = Int64(exactly: number).map(JSON.int) ?? .double(number)
  }
}
